package components

import "encoding/json"

// Page holds the data common to all pages: title, description, theme, version and links.
type Page struct {
	Title       string // in the window's title bar, before the product's name
	Description string // one sentence for search engines and link previews
	Section     string // "wall", "mechanisms" or "about": marks the link of the page; can be empty
	Theme       string // "auto", "light" or "dark"; empty means auto
	Version     string // of the program, for the footer
	Permalink   string // absolute or rooted URL of exactly this state; can be empty
	Weights     string // origin of the weights, for the footer; can be empty
	Present     bool   // presentation mode: large type, one row of controls
	Compact     bool   // only map and name of each card
	Embedded    Embedded
	OEmbed      string           // URL of the oEmbed response for embedding programs; can be empty
	Maps        int              // cards side by side
	Rest        SlowMeasurements // link to slow measurements for pages without scripts; zero: all are there
	Scripted    bool             // a script requests the document, which then loads nothing
	Files       []string         // its own scripts and style sheets, as named by static.Add
	Again       int              // seconds until a page without scripts reloads; 0: never
	// To returns the URL of another page with the visitor's text; nil: without the text.
	To        func(path string) string
	Directory []PageGroup // all pages, for the footer
	Text      string      // beginning of the visitor's text, for the link back; empty: no link
}

// PageGroup holds the pages with one purpose.
type PageGroup struct {
	ID, Name string
	Pages    []PageLink
}

// PageLink is a link to a page of the directory. Section is the name of the page's section.
type PageLink struct{ URL, Section, Name, Says string }

// Embedded describes a page in an iframe. The zero Embedded means that the page is not in one.
type Embedded struct {
	Open Link   // the page in its own window
	Keys string // parameters that the surrounding page can set, separated by spaces
}

// StripHint explains the token strip. Says is a line or two; More is in the tooltip and for screen
// readers.
type StripHint struct{ Says, More string }

// Wall is the main view, the page "/": one text, all selected mechanisms side by side.
type Wall struct {
	Page
	Text     string // as the visitor sent it
	Problem  string // why there are no cards: "Please type a text."; else empty
	Tokens   []TokenChip
	Count    int // of the text's tokens, of which Tokens can be the beginning
	Hint     StripHint
	Examples []Example
	Controls Controls
	Second   SecondLine
	Cuts     Cuts
	Method   MethodNote // the zero MethodNote: each mechanism shows its own maps
	Cards    []Card
	Look     Introduction
	Race     Race
	Verb     string          // verb between row and column: "attends to", also if empty, or "is influenced by"
	Pin      *Pin            // pinned cell; nil: none
	DataURL  string          // /api/v1/drawing?… of this state
	Drawn    json.RawMessage // the drawing, for pages without requests; nil: pages can request it
	Waiting  int             // cards that are not yet measured
	Measured int             // measured cards, including waiting ones
	// Presenting links to the page in presentation mode, or back.
	Presenting Link
	Take       Link // to the export page for all cards
	Compacting Link // to the page with maps and names only, or back
	Had        Had  // what the script already has
}

// TokenChip is one token of the text: a chip of the strip, a row and a column.
type TokenChip struct {
	Piece   string // the piece of the vocabulary, for the tooltip: "##ing"
	Label   string // as shown, with visible white space and bytes: "␣", "⟨E2⟩"
	Start   int    // byte offsets into the text; equal for special tokens
	End     int
	Special bool // [CLS], [SEP], [MASK], [UNK]
	Byte    bool // a byte of a character outside the vocabulary
	Joined  bool // continues the word of the token before it
	Hide    HideButton
	Tint    string // its colour in the pinned row: "#00204c"; empty: none
	Bright  bool   // dark text is legible on it
	Hides   string // for [MASK]: the masked piece; empty: unknown
	Cut     bool   // it is blocked in all cards
	Segment string // "A" or "B" in a pair of texts; else empty
	Begins  bool   // first token of its segment
}

// Example is a curated text.
type Example struct {
	Title   string // "Repeated words"
	Text    string
	Look    string // one line with something to see
	Shipped bool   // the statement holds for the bundled models
	URL     string // page with this text and the other settings unchanged
	Current bool
}

// Controls holds the controls of a form.
type Controls struct {
	Action     string // the form's action, "/"
	Submit     string // on the button
	Text       Field
	Selects    []Select
	Mechanisms Menu
	Filter     FilterControls
	Hidden     []Field // state without a control, such as the pin
}

// Field is a key of the URL with its value.
type Field struct{ Name, Value string }

// Select is a control with one selected option.
type Select struct {
	Name    string // key in the URL
	Label   string // "Layer"
	Help    string // tooltip; can be empty
	Options []SelectOption
	Minor   bool // not needed in print
	Changes bool // it changes the computation, not only the display
}

// AskedText is the content of a TextForm: the URL that it opens, the text with its label, its
// select elements, hidden fields, and the label of its button.
type AskedText struct {
	Action, Text, Label, Submit string
	Selects                     []Select
	Hidden                      []Field
}

// Menu is a control with any number of selected options, in groups.
type Menu struct {
	Name   string
	Label  string
	Groups []MenuGroup
	// All and None link to the page with every option, and with none.
	All, None Link
}

// MenuGroup is a part of a menu with its own heading.
type MenuGroup struct {
	Label   string
	Options []SelectOption
	Finds   string // label of a search field; empty: none
}

// SelectOption is one option.
type SelectOption struct {
	Value    string
	Label    string
	Hint     string // one line; can be empty
	Selected bool
}

// Card is one mechanism in the main view: its maps, or the reason why it has none.
type Card struct {
	ID      string // "dot-product"
	Name    string // "Dot product"
	Summary string // one true sentence on the mechanism
	Formula string // in the notation of package formula
	Source  string // "Vaswani et al. 2017, eq. 1"; can be empty
	Error   string // a sentence; then it has no maps
	Told    bool   // the introduction above the maps describes it
	Compact bool   // only its map and name are shown
	Advice  Link   // what to do about the error; can be empty
	// Measuring is the request for a card without its influence map yet. The zero Measuring means that
	// the card is complete.
	Measuring Measuring
	Scatter   Scatter // attention against influence; zero if influence is not shown

	Own    OwnTokens // tokens of a model with another tokenizer; zero: the page's
	Map    Map
	Heads  Heads
	Layers []LayerMark // of a model whose layers differ in what they attend to
	Strips []Map       // α and β: over the same columns as the map
	// Open reports whether the content of a fold is in the page; nil: it is. Otherwise it is fetched
	// when the fold opens.
	Open      func(Fold) bool
	Brief     bool     // one of many: the background has everything except the map
	More      []Map    // other maps, in a fold
	MoreNames []string // their names, even if the maps are not in the page
	MoreURL   string   // /api/v1/drawing?… for them
	Sum       Badge
	Facts     []Fact // entropy, mean distance, milliseconds, parameters
	Histogram Histogram
	Guesses   []Classification
	// Predictions are the predicted tokens.
	Predictions Predictions
	Exports     []Link // PNG, JSON
	Enlarge     Link   // the map as a large figure, without scripts
	Note        string // note on the maps of this text; can be empty
	Second      Second // second text; zero if there is none
	Compare     Link   // compares its map with another card's; can be empty
	Side        string // name of its map in comparisons
	Cut         CardCut
	Explain     Link // traces the pinned number; can be empty
	Explained   bool // a number is pinned
	Steps       Link // steps of the forward pass; can be empty

	Composition Composition // for an architecture: its components
	Learned     Learned
	Background  Background // zero if the mechanism is unknown
	Reading     Reading    // value of the pin; zero if nothing is pinned
}

// Composition lists the components of an architecture. The zero Composition stands for a mechanism
// alone.
type Composition struct {
	Mixer   Link   // token mixer of its layers
	Depth   string // "4 layers"; empty without a model
	Learned string // "masked words, next sentence"; likewise
}

// Image is a picture drawn by the server: cells only, for browsers without JavaScript. Dark is the
// picture for visitors whose system is dark. It is empty if the theme is fixed.
type Image struct {
	URL, Dark     string
	Width, Height int // in CSS pixels, before the style sheet scales it
	Alt           string
}

// Legend explains the colours.
type Legend struct {
	Title   string // meaning of the scale: "probability ÷ largest in its row"
	Scale   string // name of the colour map: "cividis"
	Ticks   []Tick
	Hues    []Hue       // classes that occur, instead of a scale
	Nothing []CellClass // kinds of empty cells that occur
}

// Tick is a labelled place along the colour bar, 0…1.
type Tick struct {
	Place float64
	Label string
}

// Hue is a class, or several with one colour: number Index of the categorical colour map.
type Hue struct {
	Index int
	Label string
}

// CellClass is a kind of empty cell. Kind is its name in figure.Class, and its CSS class.
type CellClass struct{ Kind, Label string }

// Badge is a checked statement.
type Badge struct {
	State BadgeState
	Text  string // "rows Σ = 1, max deviation 2·10⁻⁷"
}

// BadgeState is the result of a check, and its CSS class.
type BadgeState string

// Results of a check.
const (
	Holds    BadgeState = "holds"     // the rule holds
	ByDesign BadgeState = "by-design" // the rule does not apply by design
	Fails    BadgeState = "fails"     // the rule should hold and does not
)

// Fact is a measured number with its name.
type Fact struct {
	Label string // "entropy"
	Value string // "2.31 bits"
	Help  string // tooltip: how it is computed
}

// Link is a link. Download is the name of the file if it is one to save.
type Link struct {
	Label    string
	Hint     string
	URL      string
	Download string
}

// Failure is an error as a page.
type Failure struct {
	Page
	Status int    // 404
	Detail string // a sentence on what to do
	Links  []Link // probable targets
}

package components

import "encoding/json"

// Page is what every page has.
type Page struct {
	Title       string // in the window's title bar, before the product's name
	Description string // one sentence for search engines and link previews
	Section     string // "wall", "mechanisms" or "about": marks the link of the page; may be empty
	Theme       string // "auto", "light" or "dark"; empty means auto
	Version     string // of the program, for the foot of the page
	Permalink   string // absolute or rooted URL of exactly this state; may be empty
	Weights     string // where the weights come from, for the foot; may be empty
	Present     bool   // for a projector: large type, one row of controls
	Compact     bool   // of every card the map and the name alone
	Embedded    Embedded
	OEmbed      string           // where a program asks how to show the page in its own; may be empty
	Maps        int              // cards beside each other
	Rest        SlowMeasurements // where what takes long is to be had without scripts, which ask for it; the zero one: all is there
	Scripted    bool             // a script asks, for what is in the document: it loads nothing
	Files       []string         // scripts and style sheets of its own, as static.Add names them
	Again       int              // after so many seconds the page is asked for again where there are no scripts; 0: never
	// To is the address of another page with the visitor's text; nil: without.
	To        func(path string) string
	Directory []PageGroup // all pages, for the foot
	Text      string      // beginning of the visitor's text, for the way back to it; empty: there is no way
}

// PageGroup are the pages for which a visitor has one aim.
type PageGroup struct {
	ID, Name string
	Pages    []PageLink
}

// PageLink leads to a page of the directory. Section is how the page calls its place.
type PageLink struct{ URL, Section, Name, Says string }

// Embedded is a page in a frame of somebody else's; the zero one is not.
type Embedded struct {
	Open Link   // the same by itself
	Keys string // of the parameters that the page around it may set, with spaces between them
}

// StripHint says what can be done with the strip of words, or how it is to be read: a line or two, and to who
// points there or does not see it the rest.
type StripHint struct{ Says, More string }

// Wall is the page "/": one text, all chosen mechanisms side by side.
type Wall struct {
	Page
	Text     string // as the visitor sent it
	Problem  string // why there are no cards at all: "Please type a text."; else empty
	Tokens   []TokenChip
	Hint     StripHint
	Examples []Example
	Controls Controls
	Second   SecondLine
	Cuts     Cuts
	Method   MethodNote // the zero Method: each mechanism shows its own maps
	Cards    []Card
	Look     Introduction
	Race     Race
	Verb     string          // what a row does with a column: "reads", also when empty, or "is influenced by"
	Pin      *Pin            // the pinned cell; nil when none is
	DataURL  string          // /api/v1/drawing?… of this state
	Drawn    json.RawMessage // what is there, for pages that may not ask for it; nil: they may
	Waiting  int             // cards that are not measured yet
	Measured int             // cards that are, with those
	// Presenting leads to the page for a projector, or from it.
	Presenting Link
	Take       Link // to the page of all cards as a file
	Compacting Link // to the page of maps and names alone, or from it
	Had        Had  // what it has
}

// TokenChip is one position of the text: a chip of the strip, a row and a column.
type TokenChip struct {
	Piece   string // the piece of the vocabulary, for the tooltip: "##ing"
	Label   string // as shown, white space and bytes made visible: "␣", "⟨E2⟩"
	Start   int    // byte offsets into the text; equal for special tokens
	End     int
	Special bool // [CLS], [SEP], [MASK], [UNK]
	Byte    bool // a byte piece of a character that the vocabulary lacks
	Joined  bool // continues the word of the token before it
	Hide    HideButton
	Tint    string // its colour in the pinned row: "#00204c"; empty: none
	Bright  bool   // dark writing can be read on it
	Hides   string // of a [MASK]: the piece behind it; empty: not known
	Cut     bool   // nobody reads it, in any card
	Segment string // "A" or "B", of a pair of texts; else empty
	Begins  bool   // it is the first token of its segment
}

// Example is a curated text.
type Example struct {
	Title   string // "Repeated words"
	Text    string
	Look    string // one line: what to look at
	Shipped bool   // what it says was seen in the shipped models
	URL     string // the page with this text and everything else as it is
	Current bool
}

// Controls are the choices of a form.
type Controls struct {
	Action     string // the form's action, "/"
	Submit     string // on the button
	Text       Field
	Selects    []Select
	Mechanisms Menu
	Filter     FilterControls
	Hidden     []Field // state that has no control, such as the pin
}

// Field is a key of the URL with its value.
type Field struct{ Name, Value string }

// Select is a control with one chosen option.
type Select struct {
	Name    string // key in the URL
	Label   string // "Layer"
	Help    string // tooltip; may be empty
	Options []SelectOption
	Minor   bool // says nothing that has to stand on paper
	Changes bool // what is computed, and not how it is shown
}

// AskedText is the content of a TextForm: the address that it opens, the text with its label, what is chosen beside it,
// what it keeps, and the label of its button.
type AskedText struct {
	Action, Text, Label, Submit string
	Selects                     []Select
	Hidden                      []Field
}

// Menu is a control with any number of chosen options, in groups.
type Menu struct {
	Name   string
	Label  string
	Groups []MenuGroup
	// All and None lead to the page with every option, and with none.
	All, None Link
}

// MenuGroup is a part of a menu under a heading of its own.
type MenuGroup struct {
	Label   string
	Options []SelectOption
	Finds   string // label of a field that finds one of many; empty: there is none
}

// SelectOption is one choice.
type SelectOption struct {
	Value    string
	Label    string
	Hint     string // one line; may be empty
	Selected bool
}

// Card is one mechanism on the wall: its maps, or the sentence why it has none.
type Card struct {
	ID      string // "dot-product"
	Name    string // "Dot product"
	Summary string // its truth in one line
	Formula string // in the notation of package formula
	Source  string // "Vaswani et al. 2017, eq. 1"; may be empty
	Error   string // a sentence; then there are no maps
	Told    bool   // the line above the maps tells of it
	Compact bool   // its map and its name alone are shown
	Advice  Link   // what to do about the error; may be empty
	// Measuring is how a card is asked for whose influence is not measured yet; the zero one is there.
	Measuring Measuring
	Scatter   Scatter // of attention and influence; the zero one where influence is not shown

	Own    OwnTokens // of a model that cuts the text otherwise; the zero value: the page's
	Map    Map
	Heads  Heads
	Strips []Map // α and β: over the same columns as the map
	// Open says whether the content of a part is there that is folded away; nil: it is. Else it is
	// fetched when the part is opened.
	Open      func(Fold) bool
	Brief     bool     // of many: what does not concern its map is in its background
	More      []Map    // the other maps, which are hidden until asked for
	MoreNames []string // of them, also where they are not there
	MoreURL   string   // /api/v1/drawing?… of them
	Sum       Badge
	Facts     []Fact // entropy, mean distance, milliseconds, parameters
	Histogram Histogram
	Guesses   []Classification
	// Predictions are the words that the model expects.
	Predictions Predictions
	Exports     []Link // PNG, JSON
	Enlarge     Link   // the map as a large figure, where no script enlarges it
	Note        string // what readers of this text's maps should know; may be empty
	Second      Second // of the second text; the zero value where there is none
	Compare     Link   // compares its map with another card's; may be empty
	Side        string // names its map in comparisons
	Cut         CardCut
	Explain     Link // leads to where the pinned number comes from; may be empty
	Explained   bool // a number is pinned
	Steps       Link // leads to the steps of the forward pass; may be empty

	Composition Composition // of a stack: what it is made of
	Learned     Learned
	Background  Background // the zero value where the mechanism is unknown
	Reading     Reading    // of what is pinned; the zero value where nothing is
}

// Composition is what a stack is made of. The zero one is that of a mechanism alone.
type Composition struct {
	Mixer   Link   // what mixes words in its layers
	Depth   string // "4 layers"; empty where there is no model
	Learned string // "masked words, next sentence"; likewise
}

// Image is a server-drawn picture: cells only, for those without JavaScript.
// Dark is empty when the theme is fixed; otherwise it is the picture for
// visitors whose system is dark.
type Image struct {
	URL, Dark     string
	Width, Height int // in CSS pixels, before the style sheet scales it
	Alt           string
}

// Legend explains the colours.
type Legend struct {
	Title   string // what the scale means: "probability ÷ largest in its row"
	Scale   string // value of the colour scale that is used: "cividis"
	Ticks   []Tick
	Hues    []Hue       // the classes that occur, instead of a scale
	Nothing []CellClass // the kinds of nothing that occur in this map
}

// Tick is a labelled place along the colour bar, 0…1.
type Tick struct {
	Place float64
	Label string
}

// Hue is a class, or several of one colour: the Index-th hue of the categorical scale.
type Hue struct {
	Index int
	Label string
}

// CellClass is one of the kinds of nothing, by its name in figure.Class, which is also its
// CSS class.
type CellClass struct{ Kind, Label string }

// Badge is a statement that was checked.
type Badge struct {
	State BadgeState
	Text  string // "rows Σ = 1, max deviation 2·10⁻⁷"
}

// BadgeState says how a check ended; it is also its CSS class.
type BadgeState string

// How a check can end.
const (
	Holds    BadgeState = "holds"     // the rule holds
	ByDesign BadgeState = "by-design" // the rule is not meant to hold here
	Fails    BadgeState = "fails"     // the rule should hold and does not
)

// Fact is a measured number with its name.
type Fact struct {
	Label string // "entropy"
	Value string // "2.31 bits"
	Help  string // tooltip: how it is computed
}

// Link is somewhere to go. Download names the file when it is one to save.
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
	Detail string // a sentence that helps
	Links  []Link // what may have been meant
}

package desk

import (
	"strconv"

	"attnatlas/components"
	"attnatlas/web/unroll"
)

// View is the page "/desk".
type View struct {
	components.Page
	Heading, Lead string
	Problem       string          // what is wrong with the change; else empty
	Mend          components.Link // to what may have been meant
	Desks         []unroll.ChoiceLink
	Layers, Heads []unroll.ChoiceLink
	Readings      []unroll.ChoiceLink // of a mask
	Words         []unroll.ChoiceLink // of the text; one is looked at
	Form          ChangeForm
	Says          []string // how well the words are guessed
	Maps          []NamedMap
	Row           RowChange
	Plot          *components.Plot // may be nil
	Film          Film
	Table         NamedTable
	Guesses       []Guesses
	NoGuess       string // why there are none
	Hidden        NamedTable
	Definition    string
	Back          components.Link
	JSON          string
}

// ChangeForm is what can be set.
type ChangeForm struct {
	Action string
	Text   string
	Hidden []components.Field
	Legend string // what the dials set
	Note   string
	Dials  []Dial
	Reset  components.Link
}

// Dial is a number to be set on a scale, with the place that was learned.
type Dial struct {
	ID, Key, Label     string
	Value, Says        string // as it is sent, and as people read it
	From, To, Step     string
	Learned            float64 // a place from 0 to 1
	Most               bool    // the end of the scale is what was learned, and need not be said
	LearnedSays, Whole string  // Whole names dials that add up to 1; empty: it stands alone
}

// NamedMap is a map with its name.
type NamedMap struct {
	Title string
	Map   components.Map
}

// Film are small maps, one for each word; of none there are no frames.
type Film struct {
	Title, Number  string
	Frames         []FilmFrame
	Previous, Next string // addresses; may be empty
}

// FilmFrame is one of them.
type FilmFrame struct {
	unroll.ChoiceLink
	Image components.Image
}

// RowChange are the largest cells of a row in two maps.
type RowChange struct {
	Says  string
	Cells []Cell
}

// Cell is a cell as learned, and changed.
type Cell struct{ Word, Learned, Changed string }

// Guesses are the likeliest words of one side.
type Guesses struct {
	Title string
	Words []components.WordProb
}

// NamedTable is a table whose first column has names.
type NamedTable struct {
	Title, Intro string
	Head         []string
	Rows         []Line
	Link         components.Link // below it
}

// Line is a row of a table.
type Line struct {
	components.Link // of its first cell
	Current         bool
	Cells           []Value
}

// Value is a cell of a table; Shares are drawn as a bar of parts.
type Value struct {
	Text   string
	Words  bool
	Shares []float64
}

// across is the place of a mark along the scale of a dial.
func (d Dial) across() string { return components.Percent(d.Learned) + "%" }

// part is a piece of a bar, 100 wide.
type part struct{ X, Width, Class string }

// parts are the pieces of a bar of shares.
func (v Value) parts() (all []part) {
	from := 0.0
	for i, share := range v.Shares {
		all = append(all, part{components.Percent(from), components.Percent(share), "part part-" + strconv.Itoa(i+1)})
		from += share
	}
	return all
}

package desk

import (
	"strconv"

	"attnatlas/components"
	"attnatlas/web/unroll"
)

// pageView is the page "/desk".
type pageView struct {
	components.Page
	Heading, Lead string
	Problem       string          // error of the change; else empty
	Mend          components.Link // link to what was probably meant
	Desks         []unroll.ChoiceLink
	Layers, Heads []unroll.ChoiceLink
	Readings      []unroll.ChoiceLink // for attention masks
	Words         []unroll.ChoiceLink // words of the text; one is selected
	Form          ChangeForm
	Says          []string // quality of the predictions
	Maps          []NamedMap
	Row           RowChange
	Plot          *components.Plot // can be nil
	Film          Film
	Table         NamedTable
	Guesses       []Guesses
	NoGuess       string // why there are no predictions
	Hidden        NamedTable
	Definition    string
	Back          components.Link
	JSON          string
}

// ChangeForm is the form with the settings.
type ChangeForm struct {
	Action string
	Text   string
	Hidden []components.Field
	Legend string // what the dials set
	Note   string
	Dials  []Dial
	Reset  components.Link
}

// Dial is a slider with a mark at the learned value.
type Dial struct {
	ID, Key, Label     string
	Value, Says        string // value as sent, and for readers
	From, To, Step     string
	Learned            float64 // position from 0 to 1
	Most               bool    // the end of the scale is the learned value, which need not be sent
	LearnedSays, Whole string  // Whole names dials that add up to 1; empty: a single dial
}

// NamedMap is a map with its name.
type NamedMap struct {
	Title string
	Map   components.Map
}

// Film is a list of small maps, one for each word; it can be empty.
type Film struct {
	Title, Number  string
	Frames         []FilmFrame
	Previous, Next string // URLs; can be empty
}

// FilmFrame is one small map.
type FilmFrame struct {
	unroll.ChoiceLink
	Image components.Image
}

// RowChange holds the largest cells of a row in two maps.
type RowChange struct {
	Says  string
	Cells []rowCell
}

// rowCell is a cell as learned, and with the change.
type rowCell struct{ Word, Learned, Changed string }

// Guesses are the most probable words of one side.
type Guesses struct {
	Title string
	Words []components.WordProb
}

// NamedTable is a table whose first column has names.
type NamedTable struct {
	Title, Intro string
	Head         []string
	Rows         []tableLine
	Link         components.Link // link below the table
}

// tableLine is a row of a table.
type tableLine struct {
	components.Link // link of its first cell
	Current         bool
	Cells           []Value
}

// Value is a cell of a table. Shares are drawn as a bar.
type Value struct {
	Text   string
	Words  bool
	Shares []float64
}

// across returns the position of a mark on the scale of a dial.
func (d Dial) across() string { return components.Percent(d.Learned) + "%" }

// part is a piece of a bar with a width of 100.
type part struct{ X, Width, Class string }

// parts returns the pieces of a bar of shares.
func (v Value) parts() (all []part) {
	from := 0.0
	for i, share := range v.Shares {
		all = append(all, part{components.Percent(from), components.Percent(share), "part part-" + strconv.Itoa(i+1)})
		from += share
	}
	return all
}

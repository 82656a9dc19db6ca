package components

import "strconv"

// Desk is the page "/desk".
type Desk struct {
	Page
	Heading, Lead string
	Problem       string // what is wrong with the change; else empty
	Mend          Link   // to what may have been meant
	Desks         []Choice
	Layers, Heads []Choice
	Readings      []Choice // of a mask
	Words         []Choice // of the text; one is looked at
	Form          DeskForm
	Says          []string // how well the words are guessed
	Maps          []DeskMap
	Row           DeskRow
	Plot          *Plot // may be nil
	Film          DeskFilm
	Table         DeskTable
	Guesses       []DeskGuesses
	NoGuess       string // why there are none
	Hidden        DeskTable
	Definition    string
	Back          Link
	JSON          string
}

// DeskForm is what can be set.
type DeskForm struct {
	Action string
	Text   string
	Hidden []Field
	Legend string // what the dials set
	Note   string
	Dials  []Dial
	Reset  Link
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

// DeskMap is a map with its name.
type DeskMap struct {
	Title string
	Map   Map
}

// DeskFilm are small maps, one for each word; of none there are no frames.
type DeskFilm struct {
	Title, Number  string
	Frames         []DeskFrame
	Previous, Next string // addresses; may be empty
}

// DeskFrame is one of them.
type DeskFrame struct {
	Choice
	Image Image
}

// DeskRow are the largest cells of a row in two maps.
type DeskRow struct {
	Says  string
	Cells []DeskCell
}

// DeskCell is a cell as learned, and changed.
type DeskCell struct{ Word, Learned, Changed string }

// DeskGuesses are the likeliest words of one side.
type DeskGuesses struct {
	Title string
	Words []WordProb
}

// DeskTable is a table whose first column has names.
type DeskTable struct {
	Title, Intro string
	Head         []string
	Rows         []DeskLine
	Link         Link // below it
}

// DeskLine is a row of a table.
type DeskLine struct {
	Link    // of its first cell
	Current bool
	Cells   []DeskValue
}

// DeskValue is a cell of a table; Shares are drawn as a bar of parts.
type DeskValue struct {
	Text   string
	Words  bool
	Shares []float64
}

// across is the place of a mark along the scale of a dial.
func (d Dial) across() string { return Percent(d.Learned) + "%" }

// part is a piece of a bar, 100 wide.
type part struct{ X, Width, Class string }

// parts are the pieces of a bar of shares.
func (v DeskValue) parts() (all []part) {
	from := 0.0
	for i, share := range v.Shares {
		all = append(all, part{Percent(from), Percent(share), "part part-" + strconv.Itoa(i+1)})
		from += share
	}
	return all
}

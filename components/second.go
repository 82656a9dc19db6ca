package components

import (
	"encoding/json"
	"slices"
	"strconv"
)

// SecondLine is the form line of a second text. If it is closed, Begin opens it.
type SecondLine struct {
	Field   Field
	Open    bool
	Begin   Link   // zero: nothing to compare
	Fill    []Link // other texts of the same length
	Swap    Link
	Close   Link
	Lengths string   // note that the texts differ in length; empty: they do not
	Cut     Link     // makes the lengths equal; can be empty
	Words   []string // labels of the second text's tokens
}

// Second is the part of a card about the second text.
type Second struct {
	Map        Map       // of the second text
	Difference Map       // the zero Map if there is none
	Share      float64   // fraction that changed, 0…1
	Rows       []float64 // the same for each row; nil if not defined
	Counted    string    // how many rows changed
	Number     string    // the same as a number; empty if not defined
	Words      string    // and in words, or why there is no number
	Help       string    // how it is computed
	Same       bool      // the maps are bit-identical
	Error      string    // why there is no map of the second text
}

// none reports whether there is no second text.
func (s Second) none() bool { return s.Error == "" && s.Words == "" }

// changedRow is the position and opacity of the mark for a changed row.
type changedRow struct{ y, opacity string }

// changed returns the changed rows, with the one that changed most in full colour.
func (s Second) changed() []changedRow {
	var list []changedRow
	for i, share := range s.Rows {
		if share > 0 {
			list = append(list, changedRow{strconv.Itoa(i), strconv.FormatFloat(0.25+0.75*share/slices.Max(s.Rows), 'f', 2, 64)})
		}
	}
	return list
}

// box returns the view box of the marks.
func (s Second) box() string { return "0 0 100 " + strconv.Itoa(len(s.Rows)) }

// share returns the value of a meter.
func (s Second) share() string { return strconv.FormatFloat(s.Share, 'f', 4, 64) }

// tools returns the links of an open line.
func (l SecondLine) tools() []Link {
	if l.Swap.URL == "" {
		return l.Fill
	}
	return slices.Concat(l.Fill, []Link{l.Swap, l.Close})
}

// words returns the labels of the second text's tokens, for scripts.
func (l SecondLine) words() string {
	list, err := json.Marshal(l.Words)
	if err != nil { // strings never fail
		return "[]"
	}
	return string(list)
}

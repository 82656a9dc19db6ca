package components

import (
	"encoding/json"
	"slices"
	"strconv"
)

// SecondLine is the line of a form for a second text. While it is closed, Begin opens it.
type SecondLine struct {
	Field   Field
	Open    bool
	Begin   Link   // zero: there is nothing to compare
	Fill    []Link // other texts of the same length
	Swap    Link
	Close   Link
	Lengths string   // that the texts are of different lengths; empty: they are not
	Cut     Link     // makes them alike; may be empty
	Words   []string // labels of the second text's tokens
}

// Second is what a card shows of the second text.
type Second struct {
	Map        Map       // of the second text
	Difference Map       // the zero Map where there is none
	Share      float64   // that changed, 0…1
	Rows       []float64 // the same of each row; nil where it is not defined
	Counted    string    // how many rows changed
	Number     string    // the same in digits; empty where it is not defined
	Words      string    // and in words, or why there is no number
	Help       string    // how it is computed
	Same       bool      // the maps have the same bits
	Error      string    // why there is no map of the second text
}

// none says that there is no second text.
func (s Second) none() bool { return s.Error == "" && s.Words == "" }

// changedRow is where the mark of a changed row stands, and how strong it is.
type changedRow struct{ y, opacity string }

// changed are the rows that changed, the one that changed most in full colour.
func (s Second) changed() []changedRow {
	var list []changedRow
	for i, share := range s.Rows {
		if share > 0 {
			list = append(list, changedRow{strconv.Itoa(i), strconv.FormatFloat(0.25+0.75*share/slices.Max(s.Rows), 'f', 2, 64)})
		}
	}
	return list
}

// box is the view box of the marks of rows.
func (s Second) box() string { return "0 0 100 " + strconv.Itoa(len(s.Rows)) }

// share is the number of a meter.
func (s Second) share() string { return strconv.FormatFloat(s.Share, 'f', 4, 64) }

// tools are the links of an open line.
func (l SecondLine) tools() []Link {
	if l.Swap.URL == "" {
		return l.Fill
	}
	return slices.Concat(l.Fill, []Link{l.Swap, l.Close})
}

// words are the labels of the second text's tokens, for scripts.
func (l SecondLine) words() string {
	list, err := json.Marshal(l.Words)
	if err != nil { // of strings it cannot fail
		return "[]"
	}
	return string(list)
}

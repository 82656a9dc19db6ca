package components

import (
	"context"
	"slices"
	"strconv"
)

// Pin is the pinned cell or row in the server's read-out. The script continues from there. Row and
// Col count from 0.
type Pin struct {
	Row, Col int    // Col is -1: the row is pinned
	RowText  string // "cat"
	ColText  string // "the"
	Verb     string // for a row: "attends most to"
	Lens     string // mechanism whose row colours the words
	Readings []Reading
}

// Reading is the value that one mechanism reports for the pinned cell or row.
type Reading struct {
	Mechanism string     // id
	Name      string     // "dot product"
	Value     string     // 3 or 4 significant digits, or "masked out"
	Exact     string     // all digits of the float32, for the tooltip and for copying
	Of        string     // unit after the value: "of its row"; can be empty
	Aside     string     // note on excluded cells; can be empty
	Unit      string     // name of the unit: readings with the same unit can be compared
	Share     float64    // fraction of the largest with its unit, 0…1: length of its bar; 0: no bar
	Words     []ReadWord // for a row, instead of a value
	Meets     bool       // the words are those reached first
}

// ReadWord is a token to which a row attends, with its value.
type ReadWord struct{ Label, Value, Exact string }

// readings returns the entries of the read-out: only names if nothing is pinned.
func (w Wall) readings() []Reading {
	if w.Pin != nil {
		return w.Pin.Readings
	}
	empty := make([]Reading, 0, len(w.Cards))
	for _, c := range w.Cards {
		empty = append(empty, Reading{Mechanism: c.ID, Name: c.Name, Value: "–"})
	}
	return empty
}

// length returns the length of a reading's bar, in percent.
func (r Reading) length() string { return strconv.FormatFloat(100*r.Share, 'f', 1, 64) }

// said returns a word with its value, for a sentence.
func (r Reading) said(ctx context.Context, w ReadWord) string {
	id := "reading.row.most"
	if r.Meets {
		id = "reading.row.meets"
	}
	return T(ctx, id, "word", w.Label, "value", w.Value)
}

// answered reports whether any card has a map.
func (w Wall) answered() bool {
	return slices.ContainsFunc(w.Cards, func(c Card) bool { return c.Error == "" })
}

// rowPinned reports whether the row of a token is pinned, and not one of its cells.
func (w Wall) rowPinned(i int) bool { return w.Pin != nil && w.Pin.Row == i && w.Pin.Col < 0 }

// rowPin returns the value of a word's button: its row, or "" if the row is pinned.
func (w Wall) rowPin(i int) string {
	if w.rowPinned(i) {
		return ""
	}
	return strconv.Itoa(i + 1)
}

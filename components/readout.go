package components

import (
	"context"
	"slices"
	"strconv"
)

// Pin is the pinned cell or row as the server reads it out; the script continues from
// there. Row and Col count from 0.
type Pin struct {
	Row, Col int    // Col is -1: the row is pinned
	RowText  string // "cat"
	ColText  string // "the"
	Verb     string // of a row: "reads most"
	Lens     string // the mechanism by whose row the words are coloured
	Readings []Reading
}

// Reading is what one mechanism says of what is pinned.
type Reading struct {
	Mechanism string     // id
	Name      string     // "dot product"
	Value     string     // 3 or 4 significant digits, or "forbidden by mask"
	Exact     string     // all digits of the float32, for the tooltip and for copying
	Of        string     // the unit behind the value: "of its row"; may be empty
	Aside     string     // that the cell is set aside, or what of the row is; may be empty
	Unit      string     // its name: readings of one can be compared
	Share     float64    // of the largest of its unit, 0…1: the length of its bar; 0: it has none
	Words     []ReadWord // of a row, instead of a value
	Meets     bool       // the words are those that are met first
}

// ReadWord is a word that a row reads, with its value.
type ReadWord struct{ Label, Value, Exact string }

// readings are what the bar lists; nothing but names while nothing is pinned.
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

// length is that of a reading's bar, in percent.
func (r Reading) length() string { return strconv.FormatFloat(100*r.Share, 'f', 1, 64) }

// said is a word with its value, as a sentence has it.
func (r Reading) said(ctx context.Context, w ReadWord) string {
	id := "reading.row.most"
	if r.Meets {
		id = "reading.row.meets"
	}
	return T(ctx, id, "word", w.Label, "value", w.Value)
}

// answered says whether any card has a map.
func (w Wall) answered() bool {
	return slices.ContainsFunc(w.Cards, func(c Card) bool { return c.Error == "" })
}

// rowPinned says whether the row of a word, and no cell of it, is pinned.
func (w Wall) rowPinned(i int) bool { return w.Pin != nil && w.Pin.Row == i && w.Pin.Col < 0 }

// rowPin is what a word's button asks for: its row, or of a row that is pinned nothing.
func (w Wall) rowPin(i int) string {
	if w.rowPinned(i) {
		return ""
	}
	return strconv.Itoa(i + 1)
}

package compare

import (
	"attnatlas/components"
	"strconv"
)

// Compare is the page "/compare": two maps and their difference. Its cards have the ids a, b and
// difference.
type Compare struct {
	components.Wall
	Sides     []CompareSide
	Swap      components.Link
	Facts     []components.Fact // numbers of both maps
	Why       []Why             // what is not defined for them
	Offers    []components.Link // what is
	Contrasts []Contrast        // the largest differences
	Rows      []Divergence      // of the rows
	MoreRows  string            // how many rows are not listed; empty: none
	Exports   []components.Link
}

// CompareSide are the choices of one map.
type CompareSide struct {
	Name    string // "A"
	Selects []components.Select
}

// Why says of something why it is not defined.
type Why struct{ What, Reason string }

// Contrast is a cell in which the maps differ, as a sentence; its link pins the cell.
type Contrast struct {
	Text, URL string
	Current   bool
}

// Divergence is how far the rows of a word are apart.
type Divergence struct {
	Label string
	Value string
	Bits  float64 // 0…1
}

// bits is the number of a meter.
func (d Divergence) bits() string { return strconv.FormatFloat(d.Bits, 'f', 4, 64) }

// second says whether a card's rows and columns are the words of the second text.
func (c Compare) second(card components.Card) bool { return card.ID == "b" && c.Second.Open }

// tokens are those that a card's axes show.
func (c Compare) tokens(card components.Card) []components.TokenChip {
	if !c.second(card) || len(c.Second.Words) == 0 {
		return c.Tokens
	}
	list := make([]components.TokenChip, len(c.Second.Words))
	for i, word := range c.Second.Words {
		list[i].Label = word
	}
	return list
}

// text says whose words a card's are, for scripts.
func (c Compare) text(card components.Card) string {
	if c.second(card) {
		return "second"
	}
	return "first"
}

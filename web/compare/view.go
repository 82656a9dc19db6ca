package compare

import (
	"strconv"

	"attnatlas/components"
)

// pageView is the page "/compare": two maps and their difference. The ids of its cards are a, b and difference.
type pageView struct {
	components.Wall
	Sides     []CompareSide
	Swap      components.Link
	Facts     []components.Fact // measures of both maps
	Why       []Why             // which measures are not defined for them, and why
	Offers    []components.Link // links to comparisons that are defined
	Contrasts []Contrast        // the largest differences
	Rows      []Divergence      // divergences of the rows
	MoreRows  string            // how many rows are not listed; empty: none
	Exports   []components.Link
}

// CompareSide holds the choices for one map.
type CompareSide struct {
	Name    string // "A"
	Selects []components.Select
}

// Why is the reason why a measure is not defined.
type Why struct{ What, Reason string }

// Contrast is a sentence about a cell in which the maps differ. Its link pins the cell.
type Contrast struct {
	Text, URL string
	Current   bool
}

// Divergence is the divergence between the two rows of a word.
type Divergence struct {
	Label string
	Value string
	Bits  float64 // 0…1
}

// bits returns the value of a meter.
func (d Divergence) bits() string { return strconv.FormatFloat(d.Bits, 'f', 4, 64) }

// second reports whether a card's rows and columns are the words of the second text.
func (c pageView) second(card components.Card) bool { return card.ID == "b" && c.Second.Open }

// tokens returns the tokens on a card's axes.
func (c pageView) tokens(card components.Card) []components.TokenChip {
	if !c.second(card) || len(c.Second.Words) == 0 {
		return c.Tokens
	}
	list := make([]components.TokenChip, len(c.Second.Words))
	for i, word := range c.Second.Words {
		list[i].Label = word
	}
	return list
}

// text tells scripts whose words a card has.
func (c pageView) text(card components.Card) string {
	if c.second(card) {
		return "second"
	}
	return "first"
}

package components

import "strconv"

// Cuts is what is cut out of the forward passes of a page, and what of it can be.
type Cuts struct {
	List []CutItem // in their order; empty: nothing is cut
	All  Link      // restores all of it
	// Cell and Word cut what is pinned out of all cards; without an address nothing is pinned, or of it
	// nothing can be cut.
	Cell, Word Link
}

// CutItem is one thing that is cut.
type CutItem struct {
	Label   string
	Of      string // the only card in which it is cut; empty: all
	Restore Link
}

// CardCut is what cuts have changed on a card, and what of it can be cut.
type CardCut struct {
	Number, Words string // how much of its map is elsewhere, in digits and in words; empty: nothing is cut
	Help          string // how that is computed
	Share         float64
	Same          bool // the maps have the same bits
	Answers       []AnswerChange
	// Place is the layer and the head that the card shows, as cuts name them: "2.3", or "2.all".
	Place            string
	Head, Cell, Word CutAction
	Text             string // what becomes of the rest
}

// AnswerChange is what a model says before and after a cut.
type AnswerChange struct {
	Task               string
	Was, WasP, Is, IsP string
	Left               string // the probability that the former answer still has
	Same               bool
}

// CutAction is a link that cuts something out of a card, or why it cannot be.
type CutAction struct {
	Link
	Why string // the mechanism has none of it
}

// share is the number of a meter.
func (c CardCut) share() string { return strconv.FormatFloat(c.Share, 'f', 4, 64) }

// actions are those of a card, by the kinds that scripts know.
func (c CardCut) actions() []kindOfCut {
	return []kindOfCut{{"head", c.Head}, {"cell", c.Cell}, {"word", c.Word}}
}

type kindOfCut struct {
	kind string
	CutAction
}

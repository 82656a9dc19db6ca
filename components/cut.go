package components

import "strconv"

// Cuts lists the ablations of a page, and the possible ones.
type Cuts struct {
	List []CutItem // in order; empty: no ablations
	All  Link      // removes all ablations
	// Cell and Word ablate the pinned cell or word in all cards. They are empty if nothing is pinned,
	// or if it cannot be ablated.
	Cell, Word Link
}

// CutItem is one ablation.
type CutItem struct {
	Label   string
	Of      string // the only affected card; empty: all
	Restore Link
}

// CardCut is the effect of ablations on a card, and the possible ablations.
type CardCut struct {
	Number, Words string // change of its map, as a number and in words; empty: no ablations
	Help          string // how the number is computed
	Share         float64
	Same          bool // the maps are bit-identical
	Answers       []AnswerChange
	// Place is the layer and the head of the card, in the notation of ablations: "2.3", or "2.all".
	Place            string
	Head, Cell, Word CutAction
	Text             string // effect on the rest
}

// AnswerChange is a prediction before and after an ablation.
type AnswerChange struct {
	Task               string
	Was, WasP, Is, IsP string
	Left               string // remaining probability of the former prediction
	Same               bool
}

// CutAction is a link that ablates something in a card, or the reason why this is not possible.
type CutAction struct {
	Link
	Why string // why the mechanism does not support it
}

// share returns the value of a meter.
func (c CardCut) share() string { return strconv.FormatFloat(c.Share, 'f', 4, 64) }

// actions returns the ablations of a card, by the kinds that scripts know.
func (c CardCut) actions() []kindOfCut {
	return []kindOfCut{{"head", c.Head}, {"cell", c.Cell}, {"word", c.Word}}
}

type kindOfCut struct {
	kind string
	CutAction
}

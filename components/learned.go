package components

import "slices"

// Learned is how well a model guesses, and from what it learned: the back of a card. The zero Learned
// is that of a model of which nothing is known.
type Learned struct {
	Brief   string // "34.9 % of hidden words right, loss 3.653"
	Figures []MeasureFigure
	Meaning []string // sentences
	Facts   []Fact   // what it took
	Texts   string   // a sentence: what it learned from
	// Addresses of the pages of all models, and of where the texts come from.
	Results, Sources string
}

// MeasureFigure is one measure of a model.
type MeasureFigure struct {
	Label   string // "loss on hidden words"
	Value   string // "3.653"
	Nothing string // of who reads nothing: "6.829"; empty where it was not measured
}

// floors says whether of any figure that of who reads nothing is known.
func (l Learned) floors() bool {
	return slices.ContainsFunc(l.Figures, func(f MeasureFigure) bool { return f.Nothing != "" })
}

// LearnedOf is the fold of how well the model of a mechanism guesses.
func LearnedOf(id string) Fold { return Fold("learned-" + id) }

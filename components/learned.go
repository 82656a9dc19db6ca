package components

import "slices"

// Learned is how well a model predicts, and its training data. The zero Learned stands for a model
// without results.
type Learned struct {
	Brief   string // "34.9 % of masked words right, loss 3.653"
	Figures []MeasureFigure
	Meaning []string // sentences
	Facts   []Fact   // cost of training
	Texts   string   // a sentence on the training data
	// URLs of the results of all models, and of the sources of the training data.
	Results, Sources string
}

// MeasureFigure is one measure of a model.
type MeasureFigure struct {
	Label   string // "loss on masked words"
	Value   string // "3.653"
	Nothing string // value of the unigram baseline: "6.829"; empty if not measured
}

// floors reports whether any figure has a baseline.
func (l Learned) floors() bool {
	return slices.ContainsFunc(l.Figures, func(f MeasureFigure) bool { return f.Nothing != "" })
}

// LearnedOf returns the fold with the results of a mechanism's model.
func LearnedOf(id string) Fold { return Fold("learned-" + id) }

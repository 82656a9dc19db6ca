package engine

import (
	"slices"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// MaxTextBytes is the longest text that Inspect reads.
const MaxTextBytes = 64 << 10

// Request asks what mechanisms do with a text.
type Request struct {
	Text       string   // any bytes; invalid UTF-8 is shown byte by byte; "A ||| B" is a pair of texts
	Mechanisms []string // ids that Find knows; empty means Default
	Mask       nn.MaskKind
	// Task is what an encoder–decoder is to write of the text, one of WritingTasks; empty: the first that it
	// has learned. Others take no notice of it.
	Task string
	// Told has the maps of an encoder–decoder be those of a run over the right answer, of which it is told
	// all words before each, as in its training, instead of over what it wrote; steps then have no likeliest
	// words. Others take no notice of it.
	Told bool
	// Method asks for what all mechanisms can be measured by, beside their own maps.
	Method method.Measurement
	// Race asks for guesses, and for nothing else: Result.Attempts.
	Race predict.HiddenWords
	// Cuts are what mechanisms leave out of the text.
	Cuts Cuts
	// Change is what they compute otherwise than they learned.
	Change Change
	// Running asks for the running sums of a head.
	Running Place

	brief bool // guests of two stacks write a few tokens alone
}

// Place is a head of a layer, both from 1; the zero Place is none.
type Place struct{ Layer, Head int }

// Default are the mechanisms that the wall shows when none is asked for.
var Default = [...]string{"dot-product", "random", "dense", "fastformer"}

// Report is what the engine found. One mechanism that cannot answer does not
// keep the others from answering.
type Report struct {
	Text       string
	Tokens     []tokenizer.Token // with [CLS] and [SEP]; N of them
	Segments   []int             // of each token of a pair: 0 or 1; nil: one text
	Mechanisms []Result          // in the order of the request
	After      *Moment           // of the training; nil: when it was done
}

// Moment is a point of a training.
type Moment struct{ Step, Steps int } // steps done, and all

// Result is the answer of one mechanism: maps, or the reason why there are none.
type Result struct {
	ID       string
	Entry    *attention.Entry    // nil when the id is unknown; of a stack, what Find composes
	Stack    *encoder.StackEntry // nil when a mechanism was asked for
	Err      error               // why there are no layers; always an *Error
	Layers   []Layer             // Layers[0] is layer 1
	Heads    int
	Tokens   []tokenizer.Token // of a guest, which has its own; nil: those of the report
	Maps     []trace.Map       // what the stack itself showed, by the order of its Views
	Charges  []Charge          // what training would pay for this pass beside its losses
	Guesses  []Guess           // what the trained heads say of the text; of pairs, only where it is one
	Estimate method.Estimate   // of the method's map; the zero one: it is exact
	Model    *ModelInfo        // nil when there is no trained model
	// Remark is the key below "note" of what to know of the method's maps; empty: nothing.
	Remark string
	// Cut is what was left out of the text, in its canonical order; nil: nothing.
	Cut []Cut
	// Generated is what an encoder–decoder wrote of the text, and Parts are the layers of
	// its stacks; Layers are those of its encoder, which reads the text as other models do.
	Generated *predict.Generation
	Parts     []Part
	// Predictions are the words that the model expects: at every [MASK], or after
	// every token if it guesses the next word.
	Predictions []predict.Prediction
	// Spectra are the singular values of the learned scores by layer and head, largest first, where they were asked
	// for and are made without the text.
	Spectra [][][]float64
	// Running are the running sums that were asked for; nil: none.
	Running *Running
	// Attempts are the guesses that Race asks for, in the order of the words.
	Attempts []predict.Attempt
}

// Layer holds the maps of one layer, in the order of the equations. Every map
// has a first axis trace.Head unless the mechanism's map has no heads. The last
// are those of a method where it was asked for.
type Layer struct {
	Number int    // from 1
	Name   string // "layer 1", "step 1"
	Maps   []trace.Map
	// Dependence is how much each head depends on the words (metrics.Dependence), on average over ordinary sentences; nil:
	// not known, or heads have no maps of their own.
	Dependence []float64
	// Distinctive is the head, from 1, that depends most on the words or, where none does, the sharpest (metrics.Sharpness),
	// measured on ordinary sentences, so that it is the same for every text; 0: not known, or heads have no maps of their own.
	Distinctive int
	// CutHeads says of every head whether its result was cut; nil: none was.
	CutHeads []bool
}

// Unit is what the layer is called: "layer", or "step" of one layer that repeats.
func (l Layer) Unit() string {
	if unit, _, _ := strings.Cut(l.Name, " "); unit == "step" {
		return unit
	}
	return "layer"
}

// Find returns the layer's map of this name.
func (l Layer) Find(name string) (trace.Map, bool) {
	return (&trace.Run{Steps: l.Maps}).Find(name)
}

// Part returns the part of this name.
func (res *Result) Part(name string) (Part, bool) {
	i := slices.IndexFunc(res.Parts, func(p Part) bool { return p.Name == name })
	if i < 0 {
		return Part{}, false
	}
	return res.Parts[i], true
}

// Charge is what a stack lets training pay for how it ran, such as the cost of pondering.
type Charge struct {
	Name  string // "ponder"
	Value float64
}

// Guess is a classifier's answer: the classes by falling probability.
type Guess struct {
	Task    string // "topic", "feeling", "next sentence", "sentence order"
	Classes []Class
	Token   int  // that it is about, from 1; 0: the text
	Apart   bool // each class is a question of its own, and its probability the sigmoid of its score
}

// Class is one class of a Guess and its probability 0…1.
type Class struct {
	Name  string
	P     float64
	Score float64 // of a Guess whose classes are apart; else 0
}

// ModelInfo says where a model's weights come from.
type ModelInfo = checkpoint.Info

// MixerOf is the configuration of the mixers of a model.
func MixerOf(m *ModelInfo) attention.Config {
	return attention.Config{Width: m.Width, Heads: m.Heads, Length: m.Length, Options: m.MixerOptions}
}

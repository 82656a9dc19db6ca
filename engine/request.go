package engine

import (
	"slices"
	"strings"

	"attnatlas/engine/ablation"
	"attnatlas/engine/altered"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/headstats"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/runningsums"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// MaxTextBytes is the length in bytes of the longest text that Inspect reads.
const MaxTextBytes = 64 << 10

// Request asks the engine to run mechanisms on a text.
type Request struct {
	Text       string   // any bytes; invalid UTF-8 is shown byte by byte; "A ||| B" is a pair of texts
	Mechanisms []string // ids that Find knows; empty means Default
	Mask       nn.MaskKind
	// Task is the task of an encoder–decoder, one of WritingTasks; empty: the first that it has learned. Other models
	// ignore it.
	Task string
	// Told requests the maps of an encoder–decoder for the right answer instead of for what it wrote. As in training,
	// it is given all right words before each one; the steps then have no most probable words. Other models ignore it.
	Told bool
	// Method requests a measurement of all mechanisms, in addition to their own maps.
	Method method.Measurement
	// Race requests predictions instead of maps: Result.Attempts.
	Race predict.HiddenWords
	// Cuts are the ablations.
	Cuts ablation.Cuts
	// Change replaces learned parameters.
	Change altered.Change
	// Running requests the running sums of a head.
	Running headstats.Place

	brief bool // encoder–decoder guests write only a few tokens
}

// Default lists the mechanisms that are used if a request names none.
var Default = [...]string{"dot-product", "random", "dense", "fastformer"}

// Report is the answer of the engine. An error of one mechanism does not affect the others.
type Report struct {
	Text       string
	Tokens     []tokenizer.Token // with [CLS] and [SEP]; N of them
	Segments   []int             // of each token of a pair: 0 or 1; nil: one text
	Mechanisms []Result          // in the order of the request
	After      *Moment           // step of a training snapshot; nil: the training is finished
}

// Moment is a point in a training.
type Moment struct{ Step, Steps int } // steps done, and all steps

// Result is the answer of one mechanism: maps, or the reason why there are none.
type Result struct {
	ID       string
	Entry    *attention.Entry    // nil if the id is unknown; for an architecture, as Find composes it
	Stack    *encoder.StackEntry // nil if a mechanism was requested
	Err      error               // why there are no layers; always a *fault.Error
	Layers   []Layer             // Layers[0] is layer 1
	Heads    int
	Tokens   []tokenizer.Token // of a guest, which has its own; nil: those of the report
	Maps     []trace.Map       // maps of the architecture itself, in the order of its Views
	Charges  []Charge          // what training would add to the loss for this pass
	Guesses  []predict.Guess   // predictions of the classifiers; those about pairs only for a pair
	Estimate method.Estimate   // of the method's map; the zero Estimate: it is exact
	Model    *ModelInfo        // nil if there is no trained model
	// Remark is the key below "note" of a remark on the method's maps; empty: none.
	Remark string
	// Cut lists the ablations in canonical order; nil: none.
	Cut []ablation.Cut
	// Generated is what an encoder–decoder wrote, and Parts are its layers by part. Layers are those of its encoder,
	// which reads the text as other models do.
	Generated *predict.Generation
	Parts     []Part
	// Predictions are the predicted tokens: at every [MASK], or after every token if the model predicts the next one.
	Predictions []predict.Prediction
	// Spectra are the singular values of the learned scores by layer and head, largest first. They are set if they
	// were requested and the scores do not depend on the text.
	Spectra [][][]float64
	// Running holds the requested running sums; nil: none.
	Running *runningsums.Running
	// Attempts are the predictions that Race requests, in the order of the words.
	Attempts []predict.Attempt
}

// Layer holds the maps of one layer, in the order of the equations. The maps of a requested method come last. The
// first axis of a map is trace.Head, unless the map has no heads.
type Layer struct {
	Number int    // from 1
	Name   string // "layer 1", "step 1"
	Maps   []trace.Map
	// Dependence is how much each head depends on the words (metrics.Dependence), on average over ordinary sentences;
	// nil: not known, or heads have no maps of their own.
	Dependence []float64
	// Distinctive is the head, from 1, that depends most on the words, or else the sharpest (metrics.Sharpness).
	// Ordinary sentences decide, so it is the same for every text. 0: not known, or heads have no maps of their own.
	Distinctive int
	// CutHeads reports for every head whether it was ablated; nil: none was.
	CutHeads []bool
}

// Unit returns what the layer is called: "layer", or "step" if one layer repeats.
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

// Charge is a cost that an architecture adds to the training loss for a pass, such as the ponder cost.
type Charge struct {
	Name  string // "ponder"
	Value float64
}

// ModelInfo says where a model's weights come from.
type ModelInfo = checkpoint.Info

// MixerOf returns the configuration of a model's mixers.
func MixerOf(m *ModelInfo) attention.Config {
	return attention.Config{Width: m.Width, Heads: m.Heads, Length: m.Length, Options: m.MixerOptions}
}

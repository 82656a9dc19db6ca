package desk

import (
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/metrics"
	"attnatlas/engine/predict"
	"attnatlas/engine/runningsums"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
	"attnatlas/web/api"
)

// Desk is the response of /api/v1/desk.
type Desk struct {
	Version   int        `json:"version" doc:"Version of this format"`
	Mechanism string     `json:"mechanism" doc:"ID of the mechanism"`
	Tokens    []string   `json:"tokens" doc:"Labels of the tokens"`
	Layer     int        `json:"layer" doc:"Number of the layer, from 1"`
	Head      int        `json:"head" doc:"Number of the head, from 1"`
	Parts     []string   `json:"parts,omitempty" doc:"Components of a mixture, in the order of its mixing weights"`
	Rank      int        `json:"rank,omitempty" doc:"Rank as requested; absent: no low-rank approximation"`
	Singular  []float64  `json:"singular,omitempty" doc:"Singular values of the scores that the layer and head learned, largest first"`
	Running   *Running   `json:"running,omitempty" doc:"Running sums of the linear transformer"`
	Learned   DeskSide   `json:"learned" doc:"Results of the model as learned"`
	Changed   DeskSide   `json:"changed" doc:"Results with the requested changes"`
	Pieces    int        `json:"pieces" doc:"Number of masked tokens that are known; each loss is the mean over these tokens"`
	Words     []DeskWord `json:"words" doc:"Predictions of every word, masked in turn"`
}

// DeskSide is a model as learned, or with changes.
type DeskSide struct {
	Shares [][]tensor.Elem `json:"shares,omitempty" doc:"Mixing weights of the components, by layer"`
	Loss   float64         `json:"loss" doc:"Mean of −ln p in nats per token. p is the probability of a token while all tokens of its word are masked"`
	Map    api.AttendMap   `json:"map" doc:"Attention map of the requested layer and head"`
}

// DeskWord is the prediction of a word with all its pieces masked.
type DeskWord struct {
	Place   int       `json:"place" doc:"Position of the word’s first token, from 1"`
	Tokens  int       `json:"tokens" doc:"Number of tokens in the word"`
	Known   bool      `json:"known" doc:"Whether the masked word is known; a [MASK] in the text is unknown"`
	Learned DeskGuess `json:"learned" doc:"Prediction of the model as learned"`
	Changed DeskGuess `json:"changed" doc:"Prediction with the requested changes"`
}

// DeskGuess is the prediction of one side.
type DeskGuess struct {
	Truth float64 `json:"truth" doc:"Probability of the masked word, 0…1; 0 if the word is unknown"`
	Guess string  `json:"guess" doc:"Most probable word"`
	Top   float64 `json:"top" doc:"Probability of the most probable word, 0…1"`
}

// Running are the running sums of a head, and the distance between the two ways to compute them.
type Running struct {
	Causal bool       `json:"causal" doc:"Whether every token uses the running sums up to itself; otherwise all tokens use the sums of the whole text"`
	Width  int        `json:"width" doc:"Number of features of a head"`
	State  api.Values `json:"state" doc:"Running sums Σφ(k)vᵀ after every token: features of the key × features of the value"`
	Keys   api.Values `json:"keys" doc:"Running sums Σφ(k) after every token"`
	Read   api.Values `json:"read" doc:"Output for every token, computed from state and keys"`
	Mapped api.Values `json:"mapped" doc:"Output for every token, computed from the implied attention map"`
	Apart  float64    `json:"apart" doc:"Largest difference between read and mapped, relative to the largest absolute value in either"`
	Model  float64    `json:"model" doc:"Largest difference between read and the model’s own output, relative to the largest absolute value in either"`
}

// newRunning returns running sums for the response, or nil if there are none.
func newRunning(s *runningsums.Running) *Running {
	if s == nil {
		return nil
	}
	return &Running{
		Causal: s.Causal, Width: s.Read.Dim(1), State: s.State.Data, Keys: s.Keys.Data, Read: s.Read.Data,
		Mapped: s.Mapped.Data,
		Apart:  metrics.RelativeDifference(s.Read, s.Mapped), Model: metrics.RelativeDifference(s.Read, s.Model),
	}
}

// bothSides are the results of a model as learned and with changes.
type bothSides struct {
	Learned, Changed *engine.Result
	Hidden           [2][]predict.Attempt // predictions of both, every word masked in turn
}

// weightsOf returns the attention weights of one side, for a layer and a head from 1.
func weightsOf(res *engine.Result, layer, head int) (trace.Map, error) {
	m, ok := res.Layers[layer-1].Find(exhibit.MainMap(res.Entry))
	if !ok {
		return m, fault.Errorf(fault.Internal, "error.no-weights", "layer", layer)
	}
	return m.Head(head - 1)
}

// sharesOf returns the mixing weights of a mixture by layer, or nil for other mechanisms.
func sharesOf(res *engine.Result) (all [][]tensor.Elem) {
	for _, layer := range res.Layers {
		if m, ok := layer.Find("alpha"); ok && res.Entry.Parts != nil {
			all = append(all, m.Value.Data)
		}
	}
	return all
}

// singularOf returns the singular values of the learned scores of a layer and head, or nil if there
// are none.
func singularOf(res *engine.Result, layer, head int) []float64 {
	if res.Spectra == nil {
		return nil
	}
	return res.Spectra[layer-1][head-1]
}

// newDesk returns the response.
func newDesk(e *attention.Entry, text *engine.Report, layer, head int, x bothSides) (Desk, error) {
	d := Desk{Running: newRunning(x.Learned.Running), Singular: singularOf(x.Learned, layer, head), Version: 1,
		Mechanism: e.ID, Layer: layer, Head: head, Parts: e.Parts, Words: []DeskWord{}}
	for _, t := range text.Tokens {
		d.Tokens = append(d.Tokens, t.Label())
	}
	for i, side := range []*DeskSide{&d.Learned, &d.Changed} {
		res := []*engine.Result{x.Learned, x.Changed}[i]
		m, err := weightsOf(res, layer, head)
		if err != nil {
			return d, err
		}
		side.Map, side.Shares = api.NewMap(m), sharesOf(res)
		side.Loss, d.Pieces = predict.Loss(x.Hidden[i])
	}
	for i, a := range x.Hidden[0] {
		word := DeskWord{Place: a.First + 1, Tokens: a.Last - a.First, Known: a.Known()}
		word.Learned, word.Changed = guessOf(a), guessOf(x.Hidden[1][i])
		d.Words = append(d.Words, word)
	}
	return d, nil
}

func guessOf(a predict.Attempt) DeskGuess {
	g := DeskGuess{Guess: exhibit.GuessOf(a), Top: a.Top()}
	if a.Known() {
		g.Truth = a.Truth()
	}
	return g
}

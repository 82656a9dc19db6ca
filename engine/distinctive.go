package engine

import (
	"context"
	"slices"
	"strings"
	"sync"

	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// sentences are ordinary sentences on which the heads of a model are measured. They are short enough for every
// bundled model.
var sentences = [...]string{
	"The cat sat on the mat because it was tired, and the dog saw it.",
	`"Where have you been?" asked the old woman.`,
	"what is the capital gain on my insurance",
	"She packed a map, a knife, a rope and a bottle of water.",
}

// HeadMaps returns the maps of a layer's heads, with two axes, taken from its main map. It returns nil if heads have
// no maps of their own.
func HeadMaps(entry *attention.Entry, layer Layer) []trace.Map {
	name := "weights" // in a part whose mixer is not the entry's
	if entry != nil && len(entry.Views) > 0 {
		name = entry.Views[0].Map
	}
	t, ok := layer.Find(name)
	if !ok {
		t, ok = layer.Find("weights")
	}
	if _, apart := t.Has(trace.Head); !ok || !apart {
		return nil
	}
	var all []trace.Map
	for h := range t.Value.Dim(0) {
		one, err := t.Head(h)
		if err != nil || len(one.Axes) != 2 {
			return nil
		}
		all = append(all, one)
	}
	return all
}

// Sharpness returns how much the rows of each head of a layer's main map differ from each other (metrics.Sharpness).
// It returns nil if heads have no maps of their own. The tokens are a guest's.
func Sharpness(entry *attention.Entry, layer Layer, tokens []tokenizer.Token) []float64 {
	var all []float64
	for _, one := range HeadMaps(entry, layer) {
		self := one.Axes[0].Text && one.Axes[1].Text
		all = append(all, metrics.Sharpness(one, metrics.Words{Rows: ordinary(one, 0, tokens),
			Cols: ordinary(one, 1, tokens), Same: self}))
	}
	return all
}

// dependence returns how much each head of a layer's main map depends on the words (metrics.Dependence), given the
// same layer for the reversed text. It returns nil if heads have no maps of their own.
func dependence(entry *attention.Entry, layer, reversed Layer) []float64 {
	var all []float64
	other := HeadMaps(entry, reversed)
	for h, one := range HeadMaps(entry, layer) {
		if h == len(other) {
			return nil
		}
		all = append(all, metrics.Dependence(one, other[h]))
	}
	return all
}

// rounding is the largest dependence of a map that does not depend on the words.
const rounding = 1e-4

// Depends reports whether a head of the layer depends on the words.
func (l Layer) Depends() bool { return len(l.Dependence) > 0 && slices.Max(l.Dependence) > rounding }

// Distinctive returns the number, from 1, of the head that depends most on the words. If none does, it returns the
// sharpest head, or 0 if no sharpness is above 0.
func Distinctive(dependence, sharpness []float64) int {
	best, top := largest(dependence)
	if top <= rounding {
		best, _ = largest(sharpness)
	}
	return best
}

// largest returns the position, from 1, of the largest number, and the number; 0 and 0 if none is larger than 0.
func largest(all []float64) (best int, top float64) {
	for h, v := range all {
		if v > top {
			best, top = h+1, v
		}
	}
	return best, top
}

// reversed returns a text with its words in reverse order.
func reversed(text string) string {
	words := strings.Fields(text)
	slices.Reverse(words)
	return strings.Join(words, " ")
}

// ordinary reports which positions of an axis are words: those with labels other than [CLS] and [SEP]. A guest's
// special tokens have other labels, so its tokens decide for the axes of its text.
func ordinary(t trace.Map, axis int, tokens []tokenizer.Token) []bool {
	all := make([]bool, t.Value.Dim(axis))
	for i, label := range t.Axes[axis].Labels {
		all[i] = label != "[CLS]" && label != "[SEP]"
		if t.Axes[axis].Text && i < len(tokens) {
			all[i] = !tokens[i].IsBoundary()
		}
	}
	return all
}

// heads caches the measurements of the heads of models.
type heads struct {
	mu    sync.Mutex
	known map[string]measuredHeads
}

// measuredHeads holds the measurements by the name of a part and the index of a layer, from 0. The name is empty for
// the layers of the model itself.
type measuredHeads map[string][]layerHeads

// layerHeads holds the measurements of a layer's heads: the mean dependence over the sentences that reach the layer
// in both orders, and the sum of the sharpness.
type layerHeads struct {
	dependence, sharpness []float64
	sentences             float64 // that reach it in both orders
}

// add adds the measurements for a sentence. dependence is empty if one of the orders does not reach the layer.
func (l *layerHeads) add(dependence, sharpness []float64) {
	l.sharpness = sum(l.sharpness, sharpness)
	if len(dependence) == 0 {
		return
	}
	l.sentences++
	l.dependence = sum(l.dependence, make([]float64, len(dependence)))
	for h, v := range dependence {
		l.dependence[h] += (v - l.dependence[h]) / l.sentences
	}
}

// distinguish sets for every layer of a result how much each head depends on the words, and which head is the most
// distinctive.
func (e *Engine) distinguish(ctx context.Context, res *Result) error {
	e.heads.mu.Lock()
	known, ok := e.heads.known[res.ID]
	e.heads.mu.Unlock()
	if !ok {
		var err error
		if known, err = e.measureHeads(ctx, res); err != nil {
			return err
		}
		e.heads.mu.Lock()
		if e.heads.known == nil {
			e.heads.known = map[string]measuredHeads{}
		}
		e.heads.known[res.ID] = known
		e.heads.mu.Unlock()
	}
	for name, layers := range layersOf(res) {
		for i, heads := 0, known[name]; i < len(layers) && len(heads) > 0; i++ {
			all := heads[min(i, len(heads)-1)] // a text may take more steps than the sentences
			layers[i].Dependence, layers[i].Distinctive = all.dependence, Distinctive(all.dependence, all.sharpness)
		}
	}
	return nil
}

// layersOf returns the layers of a result and of its parts, by the name of the part.
func layersOf(res *Result) map[string][]Layer {
	all := map[string][]Layer{"": res.Layers}
	for _, part := range res.Parts {
		all[part.Name] = part.Layers
	}
	return all
}

// measureHeads measures a model's heads on the sentences that are not too long for it.
func (e *Engine) measureHeads(ctx context.Context, like *Result) (measuredHeads, error) {
	found := measuredHeads{}
	for _, text := range sentences {
		straight, err := e.resultFor(ctx, like, text)
		var back *Result
		if err == nil {
			back, err = e.resultFor(ctx, like, reversed(text))
		}
		switch {
		case fault.KindOf(err) == fault.Unsupported:
			continue // it is too long for this model
		case err != nil:
			return nil, err
		}
		other := layersOf(back)
		for name, layers := range layersOf(straight) {
			for i, layer := range layers {
				if i == len(found[name]) {
					found[name] = append(found[name], layerHeads{})
				}
				var depends []float64
				if i < len(other[name]) {
					depends = dependence(like.Entry, layer, other[name][i])
				}
				found[name][i].add(depends, Sharpness(like.Entry, layer, straight.Tokens))
			}
		}
	}
	return found, nil
}

// resultFor returns the result of a model for a text.
func (e *Engine) resultFor(ctx context.Context, like *Result, text string) (*Result, error) {
	rep := &Report{Text: text, Mechanisms: []Result{{ID: like.ID, Entry: like.Entry, Stack: like.Stack}}}
	rep.Tokens, _ = e.vocab.EncodePair(text)
	err := e.compute(ctx, rep, Request{Text: text, brief: true}, &rep.Mechanisms[0])
	if err != nil {
		return nil, err
	}
	rep.LabelAxes()
	return &rep.Mechanisms[0], nil
}

// sum adds numbers to the sums so far.
func sum(sums, more []float64) []float64 {
	for h, v := range more {
		if h == len(sums) {
			sums = append(sums, 0)
		}
		sums[h] += v
	}
	return sums
}

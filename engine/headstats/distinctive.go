// Package headstats measures and compares the heads of models: which is the most distinctive, and how each attends.
package headstats

import (
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

// mapsOf returns the maps of a layer's heads, with two axes, taken from its main map. It returns nil if heads have no
// maps of their own.
func mapsOf(entry *attention.Entry, layer []trace.Map) []trace.Map {
	name := "weights" // in a part whose mixer is not the entry's
	if entry != nil && len(entry.Views) > 0 {
		name = entry.Views[0].Map
	}
	run := &trace.Run{Steps: layer}
	t, ok := run.Find(name)
	if !ok {
		t, ok = run.Find("weights")
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
func Sharpness(entry *attention.Entry, layer []trace.Map, tokens []tokenizer.Token) []float64 {
	var all []float64
	for _, one := range mapsOf(entry, layer) {
		self := one.Axes[0].Text && one.Axes[1].Text
		all = append(all, metrics.Sharpness(one, metrics.Words{Rows: ordinary(one, 0, tokens),
			Cols: ordinary(one, 1, tokens), Same: self}))
	}
	return all
}

// dependence returns how much each head of a layer's main map depends on the words (metrics.Dependence), given the
// same layer for the reversed text. It returns nil if heads have no maps of their own.
func dependence(entry *attention.Entry, layer, reversed []trace.Map) []float64 {
	var all []float64
	other := mapsOf(entry, reversed)
	for h, one := range mapsOf(entry, layer) {
		if h == len(other) {
			return nil
		}
		all = append(all, metrics.Dependence(one, other[h]))
	}
	return all
}

// rounding is the largest dependence of a map that does not depend on the words.
const rounding = 1e-4

// Depend reports whether a head of a layer depends on the words, given the dependence of each.
func Depend(dependence []float64) bool {
	return len(dependence) > 0 && slices.Max(dependence) > rounding
}

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

// Measurements caches the measurements of the heads of models. It is safe for concurrent use.
type Measurements struct {
	mu    sync.Mutex
	known map[string]Measured
}

// Measured holds the measurements of a model by the name of a part and the index of a layer, from 0. The name is
// empty for the layers of the model itself.
type Measured map[string][]layerHeads

// Shown is what a model shows for a text: the maps of its layers by the name of a part, and a guest’s tokens.
type Shown struct {
	Layers map[string][][]trace.Map
	Tokens []tokenizer.Token
}

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

// Of measures the heads of a model once, on the sentences that are not too long for it. read runs the model.
func (all *Measurements) Of(id string, entry *attention.Entry, read func(text string) (Shown, error)) (Measured,
	error) {
	all.mu.Lock()
	known, ok := all.known[id]
	all.mu.Unlock()
	if ok {
		return known, nil
	}
	known, err := measure(entry, read)
	if err != nil {
		return nil, err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.known == nil {
		all.known = map[string]Measured{}
	}
	all.known[id] = known
	return known, nil
}

// Layer returns how much each head of a part’s layer, from 0, depends on the words, and the most distinctive head,
// from 1; nil and 0: they are not known. The part may take more steps than for the sentences.
func (m Measured) Layer(part string, layer int) (dependence []float64, distinctive int) {
	heads := m[part]
	if len(heads) == 0 {
		return nil, 0
	}
	all := heads[min(layer, len(heads)-1)]
	return all.dependence, Distinctive(all.dependence, all.sharpness)
}

// measure measures the heads of a model.
func measure(entry *attention.Entry, read func(text string) (Shown, error)) (Measured, error) {
	found := Measured{}
	for _, text := range sentences {
		straight, err := read(text)
		var back Shown
		if err == nil {
			back, err = read(reversed(text))
		}
		switch {
		case fault.KindOf(err) == fault.Unsupported:
			continue // it is too long for this model
		case err != nil:
			return nil, err
		}
		for name, layers := range straight.Layers {
			other := back.Layers[name]
			for i, layer := range layers {
				if i == len(found[name]) {
					found[name] = append(found[name], layerHeads{})
				}
				var depends []float64
				if i < len(other) {
					depends = dependence(entry, layer, other[i])
				}
				found[name][i].add(depends, Sharpness(entry, layer, straight.Tokens))
			}
		}
	}
	return found, nil
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

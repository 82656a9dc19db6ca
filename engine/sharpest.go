package engine

import (
	"context"
	"maps"
	"slices"
	"sync"

	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// sentences are ordinary ones, on which the heads of a model are measured. They are short
// enough for every model that is shipped.
var sentences = [...]string{
	"The cat sat on the mat because it was tired, and the dog saw it.",
	`"Where have you been?" asked the old woman.`,
	"what is the capital gain on my insurance",
	"She packed a map, a knife, a rope and a bottle of water.",
}

// Sharpness is how far the rows of each head of a layer's main map stand out against each
// other (metrics.Sharpness); nil where heads have no maps of their own.
func Sharpness(entry *attention.Entry, layer Layer) []float64 {
	name := "weights" // of a part whose mixer is not the entry's
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
	var all []float64
	for h := range t.Value.Dim(0) {
		one, err := t.Head(h)
		if err != nil || len(one.Axes) != 2 {
			return nil
		}
		self := one.Axes[0].Text && one.Axes[1].Text
		all = append(all, metrics.Sharpness(one, metrics.Words{Rows: ordinary(one, 0), Cols: ordinary(one, 1), Same: self}))
	}
	return all
}

// Sharpest is the number of the largest, from 1; 0 where none is larger than 0.
func Sharpest(sharpness []float64) int {
	best, top := 0, 0.0
	for h, s := range sharpness {
		if s > top {
			best, top = h+1, s
		}
	}
	return best
}

// ordinary says which positions of an axis are words: those that have labels and are no marks.
func ordinary(t trace.Map, axis int) []bool {
	all := make([]bool, t.Value.Dim(axis))
	for i, label := range t.Axes[axis].Labels {
		all[i] = label != "[CLS]" && label != "[SEP]"
	}
	return all
}

// heads remembers of models the sharpest heads of their layers.
type heads struct {
	mu    sync.Mutex
	known map[string]layerHeads
}

// layerHeads are the sharpest heads by the name of a part and the place of a layer, from 0;
// the layers of the model itself have no name.
type layerHeads map[string][]int

// sharpen tells every layer of a result which of its heads is the sharpest.
func (e *Engine) sharpen(ctx context.Context, res *Result) error {
	e.heads.mu.Lock()
	known, ok := e.heads.known[res.ID]
	e.heads.mu.Unlock()
	if !ok {
		var err error
		if known, err = e.sharpestOf(ctx, res); err != nil {
			return err
		}
		e.heads.mu.Lock()
		if e.heads.known == nil {
			e.heads.known = map[string]layerHeads{}
		}
		e.heads.known[res.ID] = known
		e.heads.mu.Unlock()
	}
	for name, layers := range layersOf(res) {
		for i, heads := 0, known[name]; i < len(layers) && len(heads) > 0; i++ {
			layers[i].Sharpest = heads[min(i, len(heads)-1)] // a text may take more steps than the sentences
		}
	}
	return nil
}

// layersOf are the layers of a result and of its parts, by the names of these.
func layersOf(res *Result) map[string][]Layer {
	all := map[string][]Layer{"": res.Layers}
	for _, part := range res.Parts {
		all[part.Name] = part.Layers
	}
	return all
}

// sharpestOf measures a model's heads on the sentences, as far as it reads them.
func (e *Engine) sharpestOf(ctx context.Context, like *Result) (layerHeads, error) {
	sums := map[string][][]float64{}
	for _, text := range sentences {
		rep := &Report{Text: text, Mechanisms: []Result{{ID: like.ID, Entry: like.Entry, Stack: like.Stack}}}
		rep.Tokens, _ = e.vocab.EncodePair(text)
		res := &rep.Mechanisms[0]
		switch err := e.compute(ctx, rep, Request{Text: text}, res); {
		case fault.KindOf(err) == fault.Unsupported:
			continue // it is too long for this model
		case err != nil:
			return nil, err
		}
		rep.LabelAxes()
		for name, layers := range layersOf(res) {
			for i, layer := range layers {
				if i == len(sums[name]) {
					sums[name] = append(sums[name], nil)
				}
				for h, s := range Sharpness(res.Entry, layer) {
					if h == len(sums[name][i]) {
						sums[name][i] = append(sums[name][i], 0)
					}
					sums[name][i][h] += s
				}
			}
		}
	}
	found := layerHeads{}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		for _, sharpness := range sums[name] {
			found[name] = append(found[name], Sharpest(sharpness))
		}
	}
	return found, nil
}

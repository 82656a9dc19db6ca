package engine

import (
	"context"
	"math"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Reversing is how reversible layers find their inputs again, from the last output back to the words.
type Reversing struct {
	Version int             `json:"version" doc:"Version of this format"`
	Tokens  []string        `json:"tokens"`
	Layer   int             `json:"layer" doc:"Whose differences are listed, from 1"`
	Layers  []ReversedLayer `json:"layers"`
	Stream1 [][]tensor.Elem `json:"stream1" doc:"N×d: what the layer’s input in the first stream is when computed back, less what it was"`
	Stream2 [][]tensor.Elem `json:"stream2" doc:"N×d: the same of the second stream"`
}

// ReversedLayer is one layer: how far its reconstructed inputs are from the true ones, and what training up to here keeps.
type ReversedLayer struct {
	Max1       float64 `json:"max1" doc:"The largest difference in the first stream, without its sign"`
	Median1    float64 `json:"median1" doc:"The median of them"`
	Max2       float64 `json:"max2" doc:"The largest in the second stream"`
	Median2    float64 `json:"median2"`
	Spacing    float64 `json:"spacing" doc:"How far apart neighbouring numbers of 32 bits are at the largest number of both inputs"`
	Reversible int     `json:"reversible" doc:"Bytes that values took at most at a time on the way through the layers up to this one, in training that computes back"`
	Stored     int     `json:"stored" doc:"The same where training keeps all layers"`
}

// Reversing computes the inputs of all layers back, and counts what keeping them would take.
func (e *Engine) Reversing(ctx context.Context, r Request, layer int) (found *Reversing, err error) {
	m, text, cuts, err := e.traceable(r)
	if err != nil {
		return nil, err
	}
	if m.seq2seq != nil {
		return nil, Errorf(Unsupported, "reversing.none")
	}
	if _, ok := m.Keeping("stored", 0); !ok {
		return nil, Errorf(Unsupported, "reversing.none")
	}
	if layer < 1 || layer > m.Config.Layers {
		return nil, Errorf(NotFound, "explain.no-layer", "layer", layer, "layers", m.Config.Layers)
	}
	in := encoder.Input{Count: 1, IDs: idsOf(text.Tokens)}
	if m.Config.Types > 1 {
		in.Types = text.Segments
	}
	found = &Reversing{Version: 1, Tokens: tokenizer.Labels(text.Tokens), Layer: layer}
	err = protect(func() error {
		if err := e.pass(ctx, func(p *nn.Pass) {
			begin(p, r.Mask, cuts)
			p.Run = &trace.Run{Only: []string{"embedded", "y1", "x2", "x1 again", "x2 again", "reconstruction error"}}
			m.Run(p, in)
			found.compare(p.Run)
		}); err != nil {
			return err
		}
		return e.keep(ctx, m, in, r, found)
	})
	if err == nil && !finiteRows(found.Stream1, found.Stream2) {
		err = Errorf(Unsupported, "error.no-numbers")
	}
	return found, err
}

// compare takes what was computed back from what was there.
func (f *Reversing) compare(run *trace.Run) {
	first, _ := run.Find("embedded")
	for i, part := range run.Parts {
		x1 := first
		if i > 0 {
			x1, _ = run.Parts[i-1].Find("y1")
		}
		x2, _ := part.Find("x2")
		again1, _ := part.Find("x1 again")
		again2, _ := part.Find("x2 again")
		d1, d2 := less(again1.Value, x1.Value), less(again2.Value, x2.Value)
		layer := ReversedLayer{Spacing: spacing(max(largest(x1.Value), largest(x2.Value)))}
		layer.Max1, layer.Median1 = sizes(d1)
		layer.Max2, layer.Median2 = sizes(d2)
		f.Layers = append(f.Layers, layer)
		if i+1 == f.Layer {
			f.Stream1, f.Stream2 = rowsOf(d1), rowsOf(d2)
		}
	}
}

// keep counts what passes through 1, 2, … layers keep for the way back.
func (e *Engine) keep(ctx context.Context, m *model, in encoder.Input, r Request, f *Reversing) error {
	for i := range f.Layers {
		for memory, bytes := range map[string]*int{"reversible": &f.Layers[i].Reversible, "stored": &f.Layers[i].Stored} {
			kept, _ := m.Keeping(memory, i+1)
			if err := e.passIn(ctx, nn.NewPass(ad.NewTape()), func(p *nn.Pass) {
				p.Mask = nn.Mask{Kind: r.Mask}
				kept.Run(p, in)
				*bytes = p.Tape.Held()
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// less is a − b.
func less(a, b *tensor.T) *tensor.T {
	d := tensor.New(a.Shape...)
	for i, v := range a.Data {
		d.Data[i] = v - b.Data[i]
	}
	return d
}

// largest is the largest of numbers without their signs.
func largest(t *tensor.T) (most float64) {
	for _, v := range t.Data {
		most = max(most, math.Abs(float64(v)))
	}
	return most
}

// sizes are the largest and the median of differences without their signs.
func sizes(d *tensor.T) (most, median float64) {
	all := make([]float64, 0, d.Len())
	for _, v := range d.Data {
		all = append(all, math.Abs(float64(v)))
	}
	slices.Sort(all)
	return all[len(all)-1], (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// spacing is the distance of neighbouring numbers of 32 bits at x.
func spacing(x float64) float64 {
	v := float32(x)
	return float64(math.Nextafter32(v, math.MaxFloat32)) - float64(v)
}

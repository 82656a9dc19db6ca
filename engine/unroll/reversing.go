package unroll

import (
	"context"
	"math"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Reversing shows how reversible layers recompute their inputs, from the last output back to the words.
type Reversing struct {
	Version int             `json:"version" doc:"Version of this format"`
	Tokens  []string        `json:"tokens"`
	Layer   int             `json:"layer" doc:"Whose differences are listed, from 1"`
	Layers  []ReversedLayer `json:"layers"`
	Stream1 [][]tensor.Elem `json:"stream1" doc:"N×d: what the layer’s input in the first stream is when computed back, less what it was"`
	Stream2 [][]tensor.Elem `json:"stream2" doc:"N×d: the same of the second stream"`
}

// ReversedLayer compares the recomputed inputs of one layer with the true ones. It also has the memory of training
// up to this layer.
type ReversedLayer struct {
	Max1       float64 `json:"max1" doc:"The largest difference in the first stream, without its sign"`
	Median1    float64 `json:"median1" doc:"The median of them"`
	Max2       float64 `json:"max2" doc:"The largest in the second stream"`
	Median2    float64 `json:"median2"`
	Spacing    float64 `json:"spacing" doc:"How far apart neighbouring numbers of 32 bits are at the largest number of both inputs"`
	Reversible int     `json:"reversible" doc:"Bytes that values took at most at a time on the way through the layers up to this one, in training that computes back"`
	Stored     int     `json:"stored" doc:"The same where training keeps all layers"`
}

// Reversing recomputes the inputs of all layers, and measures the memory that storing them would take.
func (u Unroller) Reversing(ctx context.Context, r engine.Request, layer int) (*Reversing, error) {
	m, err := u.engine.Prepare(r)
	if err != nil {
		return nil, err
	}
	if m.Seq2Seq != nil {
		return nil, fault.Errorf(fault.Unsupported, "reversing.none")
	}
	if _, ok := m.Model.Keeping("stored", 0); !ok {
		return nil, fault.Errorf(fault.Unsupported, "reversing.none")
	}
	if layer < 1 || layer > m.Config().Layers {
		return nil, fault.Errorf(fault.NotFound, "explain.no-layer", "layer", layer, "layers", m.Config().Layers)
	}
	found := &Reversing{Version: 1, Tokens: tokenizer.Labels(m.Text.Tokens), Layer: layer}
	if err := m.Run(ctx, func(p *nn.Pass) error {
		p.Run = &trace.Run{Only: []string{"embedded", "y1", "x2", "x1 again", "x2 again", "reconstruction error"}}
		m.Model.Run(p, m.Input())
		found.compare(p.Run)
		return nil
	}); err != nil {
		return nil, err
	}
	if err := found.keep(ctx, m, r.Mask); err != nil {
		return nil, err
	}
	if !finiteRows(found.Stream1, found.Stream2) {
		return nil, fault.Errorf(fault.Unsupported, "error.no-numbers")
	}
	return found, nil
}

// compare computes the differences between recomputed and true inputs.
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
		d1, d2 := difference(again1.Value, x1.Value), difference(again2.Value, x2.Value)
		layer := ReversedLayer{Spacing: spacing(max(largest(x1.Value), largest(x2.Value)))}
		layer.Max1, layer.Median1 = maxAndMedian(d1)
		layer.Max2, layer.Median2 = maxAndMedian(d2)
		f.Layers = append(f.Layers, layer)
		if i+1 == f.Layer {
			f.Stream1, f.Stream2 = rowsOf(d1), rowsOf(d2)
		}
	}
}

// keep measures the memory that a forward pass through 1, 2, … layers keeps for the backward pass.
func (f *Reversing) keep(ctx context.Context, m *engine.Prepared, mask nn.MaskKind) error {
	for i := range f.Layers {
		for memory, bytes := range map[string]*int{"reversible": &f.Layers[i].Reversible, "stored": &f.Layers[i].Stored} {
			kept, _ := m.Model.Keeping(memory, i+1)
			if err := m.RunOn(ctx, nn.NewPass(ad.NewTape()), func(p *nn.Pass) error {
				p.Mask = nn.Mask{Kind: mask}
				kept.Run(p, m.Input())
				*bytes = p.Tape.Held()
				return nil
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// difference returns a − b.
func difference(a, b *tensor.T) *tensor.T {
	d := tensor.New(a.Shape...)
	for i, v := range a.Data {
		d.Data[i] = v - b.Data[i]
	}
	return d
}

// largest returns the largest magnitude.
func largest(t *tensor.T) (most float64) {
	for _, v := range t.Data {
		most = max(most, math.Abs(float64(v)))
	}
	return most
}

// maxAndMedian returns the largest and the median magnitude of differences.
func maxAndMedian(d *tensor.T) (most, median float64) {
	all := make([]float64, 0, d.Len())
	for _, v := range d.Data {
		all = append(all, math.Abs(float64(v)))
	}
	slices.Sort(all)
	return all[len(all)-1], (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// spacing returns the distance between neighbouring 32-bit numbers at x.
func spacing(x float64) float64 {
	v := float32(x)
	return float64(math.Nextafter32(v, math.MaxFloat32)) - float64(v)
}

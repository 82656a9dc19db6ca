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
	Tokens  []string        `json:"tokens" doc:"Labels of the N tokens"`
	Layer   int             `json:"layer" doc:"Number of the layer, from 1, for stream1 and stream2"`
	Layers  []ReversedLayer `json:"layers" doc:"Differences and training memory of all layers, in the order of the forward pass"`
	Stream1 [][]tensor.Elem `json:"stream1" doc:"N × d differences in the first stream: recomputed input of the layer minus true input"`
	Stream2 [][]tensor.Elem `json:"stream2" doc:"N × d differences in the second stream: recomputed input of the layer minus true input"`
}

// ReversedLayer compares the recomputed inputs of one layer with the true ones. It also has the memory of training
// up to this layer.
type ReversedLayer struct {
	Max1       float64 `json:"max1" doc:"Largest absolute difference in the first stream"`
	Median1    float64 `json:"median1" doc:"Median absolute difference in the first stream"`
	Max2       float64 `json:"max2" doc:"Largest absolute difference in the second stream"`
	Median2    float64 `json:"median2" doc:"Median absolute difference in the second stream"`
	Spacing    float64 `json:"spacing" doc:"Distance between neighbouring 32-bit floating-point numbers at the largest absolute value of both inputs"`
	Reversible int     `json:"reversible" doc:"Peak memory in bytes of a training forward pass through the layers up to this one, if inputs are recomputed"`
	Stored     int     `json:"stored" doc:"Peak memory in bytes of the same forward pass, if the activations of all layers are stored"`
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

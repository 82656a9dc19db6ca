package engine

import (
	"context"

	"attnatlas/engine/ablation"
	"attnatlas/engine/altered"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/runningsums"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// changeOf returns the parameters to use instead of the learned ones for a request with n tokens.
func changeOf(m *model, n int, r Request, res *Result) (map[*nn.Param]*tensor.T, error) {
	learned := altered.Parameters{Entry: res.Entry, Stack: res.Stack != nil, Layers: m.config().Layers, All: m.params(),
		Tables: &m.tables}
	if r.Change.Spectra {
		res.Spectra = learned.Spectra(n)
	}
	if !r.Change.Asked() {
		return nil, nil
	}
	if res.Stack != nil || r.Method.Long() { // passes of Method.Long use the learned model
		return nil, fault.Errorf(fault.Unsupported, "change.alone", "name", res.Entry.Name)
	}
	return r.Change.Of(learned, n)
}

// running runs a model on a text again and computes the running sums of one head.
func (e *Engine) running(ctx context.Context, m *model, start func(*nn.Pass), in encoder.Input, r Request,
	res *Result) (s *runningsums.Running, err error) {
	at := r.Running
	switch {
	case !res.Entry.Running || res.Stack != nil:
		return nil, fault.Errorf(fault.Unsupported, "change.no-running", "name", res.Entry.Name)
	case at.Layer < 1 || at.Layer > len(res.Layers):
		return nil, fault.Errorf(fault.NotFound, "explain.no-layer", "layer", at.Layer, "layers", len(res.Layers))
	case at.Head < 1 || at.Head > res.Heads:
		return nil, fault.Errorf(fault.NotFound, "change.no-head", "head", at.Head, "heads", res.Heads)
	}
	cut := map[int]bool{}
	for _, c := range res.Cut {
		cut[c.Col-1] = c.Kind == ablation.CutWord
	}
	err = e.pass(ctx, func(p *nn.Pass) {
		start(p)
		p.Run = &trace.Run{Only: []string{"phi q", "phi k", "v", "mixed"}}
		m.Run(p, in)
		part := p.Run.Parts[at.Layer-1]
		head := func(name string) *tensor.T {
			shown, _ := part.Find(name)
			return runningsums.Columns(shown.Value, at.Head, res.Heads)
		}
		k := head("phi k")
		for i := range k.Dim(0) {
			if cut[i] { // no word attends to it
				clear(k.Sub(i).Data)
			}
		}
		s = runningsums.Of(head("phi q"), k, head("v"), r.Mask)
		s.Place, s.Model = at, head("mixed")
	})
	return s, err
}

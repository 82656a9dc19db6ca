package engine

import (
	"context"

	"attnatlas/engine/ablation"
	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// stopped is the panic that ends a pass early, for example when its context ends. passOn recovers it.
type stopped struct{ cause error }

// pass waits for a slot and runs do with a pass. When the context ends, the pass stops before its next mixer: at the
// next layer, or at the next written token.
func (e *Engine) pass(ctx context.Context, do func(*nn.Pass)) error {
	p := e.passes.Get().(*nn.Pass)
	defer e.passes.Put(p)
	return e.passIn(ctx, p, do)
}

// passIn is pass with a pass of the caller.
func (e *Engine) passIn(ctx context.Context, p *nn.Pass, do func(*nn.Pass)) (err error) {
	return passOn(&lease{ctx: ctx, slots: e.slots}, p, do)
}

// passOn is passIn with a slot that can be released and taken again in between.
func passOn(turn *lease, p *nn.Pass, do func(*nn.Pass)) (err error) {
	defer turn.end()
	if err := turn.next(); err != nil {
		return err
	}
	defer func() {
		cause := recover()
		if left, ok := cause.(stopped); ok {
			err = Stopped(left.cause)
		} else if cause != nil {
			panic(cause)
		}
	}()
	renew(turn.ctx, p)
	do(p)
	return nil
}

// renew empties a pass, and makes it end with its context.
func renew(ctx context.Context, p *nn.Pass) {
	p.Reset()
	p.OnMix = func(*nn.Pass, nn.Mixer, *ad.Var) {
		if err := ctx.Err(); err != nil {
			panic(stopped{err})
		}
	}
}

// failing returns a function for a pass that ends with the error of do.
func failing(do func(*nn.Pass) error) func(*nn.Pass) {
	return func(p *nn.Pass) {
		if err := do(p); err != nil {
			panic(stopped{err})
		}
	}
}

// cutOf returns the cuts of a request by layer of a model, and lists them in the result.
func cutOf(m *model, text *Report, r Request, res *Result) (func(layer int) *nn.Cut, error) {
	list := r.Cuts.Of(res.ID)
	if len(list) == 0 {
		return nil, nil
	}
	c := m.config()
	s := ablation.Surgeon{Entry: res.Entry, Layers: c.Layers, Heads: c.Heads, Tokens: len(text.Tokens)}
	if m.seq2seq == nil { // of an encoder–decoder, only the encoder's layers count, which are c.Layers
		stack, _ := encoder.FindStack(c.Stack) // the model was built from it
		s.Layers = stack.Describe(c).Runs
	}
	if err := s.Refuse(list); err != nil {
		return nil, err
	}
	res.Cut = list
	return s.Cutter(list), nil
}

// begin sets the mask and the cuts of a pass.
func begin(p *nn.Pass, mask nn.MaskKind, cuts func(layer int) *nn.Cut) {
	p.Mask, p.Cuts = nn.Mask{Kind: mask}, cuts
	if cuts != nil {
		p.Mask.Cut = cuts(0)
	}
}

// markCut records in the layers which of their heads are ablated.
func (res *Result) markCut(cuts func(layer int) *nn.Cut) {
	for i := range res.Layers {
		if cuts != nil {
			res.Layers[i].CutHeads = cuts(i + 1).Heads
		}
	}
}

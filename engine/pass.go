package engine

import (
	"context"

	"attnatlas/engine/ad"
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

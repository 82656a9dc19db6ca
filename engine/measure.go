package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// subjectOf returns the subject of a method: a model's pass over a text. The calls of the mixers are added later.
func subjectOf(m *model, text *Report, r Request, res *Result) *method.Subject {
	return &method.Subject{
		Job:    method.Job{Measurement: r.Method, Entry: res.Entry, Config: m.config().Mixer(), N: len(text.Tokens)},
		Causal: r.Mask == nn.Causal || m.config().Objective == encoder.NextWord,
	}
}

// measure adds the maps of the requested method.
func (e *Engine) measure(ctx context.Context, s *method.Subject, res *Result) error {
	asked := s.Method()
	switch {
	case s.Name == "":
		return nil
	case asked == nil:
		return fault.Errorf(fault.Invalid, "error.method.unknown", "name", messages.Quote(s.Name), "known",
			messages.List(method.Names(method.Any)))
	case !asked.Whole && (s.Layer < 1 || s.Layer > len(res.Layers)):
		return nil
	}
	if why := asked.Why(res.Entry); !why.IsZero() {
		return &fault.Error{Kind: fault.Unsupported, Msg: why}
	}
	s.Depth = len(res.Layers)
	s.Weights = func(layers int) ([]trace.Map, error) { return weightMaps(res.Layers[:layers]) }
	if asked.Refuse != nil {
		if err := asked.Refuse(s); err != nil {
			return refusal(err)
		}
	}
	return e.find(ctx, asked, s, res)
}

// find runs a method and adds its maps to the result.
func (e *Engine) find(ctx context.Context, asked *method.Method, s *method.Subject, res *Result) error {
	soon, cancel := inTime(ctx)
	defer cancel()
	turn := lease{ctx: soon, slots: e.slots}
	defer turn.end()
	s.Turn = turn.next
	s.Share = func(parts int, do func(int, func() error) error) error { return e.share(soon, parts, do) }
	found, err := asked.Measure(s)
	switch {
	case err != nil && soon.Err() != nil && ctx.Err() == nil:
		return &fault.Error{Kind: fault.Busy, Msg: asked.Late}
	case err != nil:
		return refusal(err)
	}
	res.Layers = slices.Clone(res.Layers) // a part may share them
	for _, one := range found.Maps {
		l := &res.Layers[one.Layer-1]
		l.Maps = append(slices.Clip(l.Maps), one.Map)
	}
	res.Estimate, res.Remark = found.Estimate, found.Remark
	return nil
}

// refusal converts an error of a method. An error that is not a fault.Error says what the method cannot measure.
func refusal(err error) error {
	var own *fault.Error
	if errors.As(err, &own) {
		return err
	}
	return &fault.Error{Kind: fault.Unsupported, Msg: messages.Of(err)}
}

// inTime returns a context that ends a little before the request's: then the rest of the request is still answered.
func inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-time.Until(end)/10))
}

// share runs the parts of a measurement in parallel, at most cap(e.tapes) at once, each in its own memory. Each part
// takes turns with all other passes, step by step.
func (e *Engine) share(ctx context.Context, parts int, do func(part int, turn func() error) error) error {
	errs := make([]error, parts)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() {
			errs[i] = protect(func() error {
				turn := lease{ctx: ctx, slots: e.slots}
				defer turn.end()
				if err := take(ctx, e.tapes); err != nil {
					return err
				}
				defer func() { <-e.tapes }()
				return do(i, turn.next)
			})
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// weights is the map that rollout multiplies.
const weights = "weights"

// weightMaps returns the attention weights of layers, without ablated heads.
func weightMaps(layers []Layer) ([]trace.Map, error) {
	maps := make([]trace.Map, len(layers))
	for i, l := range layers {
		w, ok := l.Find(weights)
		if !ok {
			return nil, fault.Errorf(fault.Internal, "error.no-weights", "layer", l.Number)
		}
		maps[i] = w.Without(l.CutHeads)
	}
	return maps, nil
}

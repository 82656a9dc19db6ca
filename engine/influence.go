package engine

import (
	"context"
	"runtime"
	"sync"
	"time"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Influence is the name of the map ‖∂y_i/∂x_j‖_F: how much the output of a
// layer's mixer at position i moves when its input at position j moves, for the
// x that this text has there. It is what all mechanisms have in common, whether
// they have weights or not, and it counts every path from x_j to y_i: through values,
// scores and gates, of all heads together, with the output projection.
//
// It is of the mixer alone: x is what the mixer gets (in a pre-norm model after
// the normalisation), y what it returns, before it is added to the residual. A
// map of the layer, with its residual and feed-forward parts, would show every
// mechanism the same diagonal.
const Influence = "influence"

// mostWork bounds what one measurement may cost, in operations: some twenty
// seconds of one core. The shuffle-exchange networks need as much at 64 tokens, the others
// a tenth of it.
const mostWork = 2000e9

// measure adds the influence of the layer that is asked for.
func (e *Engine) measure(ctx context.Context, m *model, at *encoder.Mixing, r Request, res *Result) error {
	if at.Mixer == nil {
		return Errorf(Unsupported, "error.influence.no-mixer", "layer", r.Influence)
	}
	n := at.X.Dim(1)
	if most := longest(res.Entry, m, n); n > most {
		return Errorf(Unsupported, "error.influence.too-much", "tokens", n, "most", most, "over", n-most)
	}
	mask := at.Mask
	soon, cancel := inTime(ctx)
	defer cancel()
	value, spent, err := e.influence(soon, at.Mixer, at.X, mask)
	if err != nil && soon.Err() != nil && ctx.Err() == nil {
		return Errorf(Busy, "error.influence.not-in-time")
	}
	if err != nil {
		return err
	}
	shown := trace.Map{
		Name: Influence, Tex: `\lVert\partial y_i/\partial x_j\rVert_F`, Kind: trace.Weight, Value: value,
		Axes: []trace.Axis{{Role: trace.Query, Name: "output"}, {Role: trace.Key, Name: "input"}},
	}
	if !mask.Open() {
		shown.Reach = func(q, k int) bool { return mask.Allows(0, q, k) }
	}
	layer := &res.Layers[r.Influence-1]
	layer.Maps, res.Measured = append(layer.Maps, shown), spent
	return nil
}

// inTime ends a little before a request does: then whatever else was asked is still answered.
func inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-time.Until(end)/10))
}

// longest is the largest number of tokens, at most n, whose influence can be measured.
func longest(entry *attention.Entry, m *model, n int) int {
	c := attention.Config{Width: m.Config.Width, Heads: m.Config.Heads, Length: m.Config.Length, Options: m.Config.MixerOptions}
	for n > 1 && float64(entry.FLOPs(c, n))*float64(n*c.Width) > mostWork {
		n--
	}
	return n
}

// influence shares the rows among as many goroutines as there are slots. Each
// takes its turn with everybody else's passes, step by step.
func (e *Engine) influence(ctx context.Context, mix attention.Mixer, x *tensor.T, mask nn.Mask) (*tensor.T, time.Duration, error) {
	n := x.Dim(1)
	parts := min(n, runtime.GOMAXPROCS(0), cap(e.tapes))
	out, errs, spent := tensor.New(n, n), make([]error, parts), make([]time.Duration, parts)
	var all sync.WaitGroup
	for i := range parts {
		rows := ad.Span{From: i * n / parts, To: (i + 1) * n / parts}
		all.Go(func() {
			errs[i] = protect(func() error {
				turn := lease{ctx: ctx, slots: e.slots}
				defer func() { turn.end(); spent[i] = turn.spent }()
				if err := take(ctx, e.tapes); err != nil {
					return err
				}
				defer func() { <-e.tapes }()
				part, err := metrics.InfluenceRows(mix, x, mask, rows, turn.next)
				if err == nil {
					copy(out.Data[rows.From*n:], part.Data)
				}
				return err
			})
		})
	}
	all.Wait()
	total := time.Duration(0)
	for i, err := range errs {
		if err != nil {
			return nil, 0, err
		}
		total += spent[i]
	}
	return out, total, nil
}

// lease lets a long computation share the slots: it has one between next and
// the next next, or end.
type lease struct {
	ctx   context.Context
	slots chan struct{}
	held  bool
	since time.Time
	spent time.Duration // with a slot
}

// next gives the slot to whoever waits for it and waits for another.
func (l *lease) next() error {
	l.end()
	if err := take(l.ctx, l.slots); err != nil {
		return err
	}
	l.held, l.since = true, time.Now()
	return nil
}

func (l *lease) end() {
	if l.held {
		l.spent += time.Since(l.since)
		l.held = false
		<-l.slots
	}
}

// take waits for a place in a semaphore.
func take(ctx context.Context, places chan struct{}) error {
	if ctx.Err() == nil {
		select {
		case places <- struct{}{}:
			return nil
		case <-ctx.Done():
		}
	}
	return &Error{Kind: Busy, Msg: messages.New("error.busy"), Err: ctx.Err()}
}

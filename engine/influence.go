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

// InfluenceSymbol is what the map is called in formulas.
const InfluenceSymbol = "‖∂yᵢ/∂xⱼ‖"

// What a measurement may cost, in operations: up to mostExact it is exact unless it is asked for, up
// to mostWork with fewer directions, or when that is asked for.
const (
	mostExact = 160e9
	mostWork  = 2000e9
)

// Estimate says how influence was estimated: from so many of the directions of every output, with this
// standard error as a share of the value (median over all pairs). The zero one was not: it is exact.
type Estimate struct {
	Directions, Of int
	Error          float64
}

// measure adds the influence of the layer that is asked for.
func (e *Engine) measure(ctx context.Context, m *model, at *encoder.Mixing, r Request, res *Result) error {
	if at.Mixer == nil {
		return Errorf(Unsupported, "error.influence.no-mixer", "layer", r.Influence)
	}
	n, work := at.X.Dim(1), workOf(res.Entry, m.config().Mixer(), r.Exact)
	unknown := work // what some options leave of a Jacobian
	unknown.known = false
	if most := work.longest(n); n > most {
		return Errorf(Unsupported, "error.influence.too-much", "tokens", n, "most", most, "over", n-most)
	}
	soon, cancel := inTime(ctx)
	defer cancel()
	run := metrics.Measurement{Mixer: at.Mixer, X: at.X, Mask: at.Mask, Directions: unknown.directions(n)}
	squares, err := e.influence(soon, run, work.parts(n))
	if err != nil && soon.Err() != nil && ctx.Err() == nil {
		return Errorf(Busy, "error.influence.not-in-time")
	}
	if err != nil {
		return err
	}
	res.add(r.Influence-1, at.Mask, trace.Map{
		Name: Influence, Tex: `\lVert\partial y_i/\partial x_j\rVert_F`, Kind: trace.Weight, Value: squares.Lengths(), Axes: pairOf("output", "input"),
	})
	if squares.Variances != nil {
		res.Estimate = Estimate{run.Directions, at.X.Dim(2), squares.Error()}
	}
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

// work is what the influence of a mechanism costs.
type work struct {
	entry  *attention.Entry
	config attention.Config
	known  bool // the mixer knows its Jacobian
	exact  bool // it is asked for
}

func workOf(entry *attention.Entry, c attention.Config, exact bool) work {
	return work{entry, c, !entry.NoJacobian, exact}
}

// directions is how many directions of every output are followed for n tokens: fewer than all, as powers
// of two, where that would cost too much.
func (w work) directions(n int) int {
	count := w.config.Width
	for !w.exact && !w.known && count > fewestDirections && w.operations(n, count) > mostExact {
		count /= 2
	}
	return count
}

// fewestDirections are what an estimate is made of at least.
const fewestDirections = 8

// operations is what so many directions of n tokens cost. Where the Jacobian is known
// it is all directions of one position, and some products of small matrices for each pair.
func (w work) operations(n, directions int) float64 {
	flops, d := float64(w.entry.FLOPs(w.config, n)), float64(w.config.Width)
	if w.known {
		return flops*d + float64(n*n)*(float64(w.config.Heads)*40*d+12*d*d)
	}
	return flops * float64(n*directions)
}

// longest is the largest number of tokens, at most n, whose influence can be measured.
func (w work) longest(n int) int {
	for n > 1 && w.operations(n, w.directions(n)) > mostWork {
		n--
	}
	return n
}

// parts is in how many parts the rows are measured at a time: a known Jacobian is one, and the others leave a
// processor and memory to it.
func (w work) parts(n int) int {
	if w.known {
		return 1
	}
	return max(1, min(n, runtime.GOMAXPROCS(0)-1))
}

// influence shares the rows among goroutines, not more than there are slots. Each takes its turn with
// everybody else's passes, step by step.
func (e *Engine) influence(ctx context.Context, run metrics.Measurement, parts int) (metrics.Squares, error) {
	n := run.X.Dim(1)
	of, errs := make([]metrics.Squares, parts), make([]error, parts)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() {
			errs[i] = protect(func() (err error) {
				turn := lease{ctx: ctx, slots: e.slots}
				defer turn.end()
				if err := take(ctx, e.tapes); err != nil {
					return err
				}
				defer func() { <-e.tapes }()
				part := run
				part.Turn = turn.next
				of[i], err = part.Run(ad.Span{From: i * n / parts, To: (i + 1) * n / parts})
				return err
			})
		})
	}
	all.Wait()
	whole := metrics.Squares{Columns: n}
	for i, err := range errs {
		if err != nil {
			return metrics.Squares{}, err
		}
		whole.Values, whole.Variances = append(whole.Values, of[i].Values...), append(whole.Variances, of[i].Variances...)
	}
	return whole, nil
}

// lease lets a long computation share the slots: it has one between next and
// the next next, or end.
type lease struct {
	ctx   context.Context
	slots chan struct{}
	held  bool
}

// next gives the slot to whoever waits for it and waits for another.
func (l *lease) next() error {
	l.end()
	if err := take(l.ctx, l.slots); err != nil {
		return err
	}
	l.held = true
	return nil
}

func (l *lease) end() {
	if l.held {
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

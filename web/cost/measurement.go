package cost

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"attnatlas/engine/costs"
	"attnatlas/web/admission"
	"attnatlas/web/site"
)

// How a measurement is bounded: it ends when nobody has looked for unwatched, and begins anew only after rest.
const (
	unwatched = 20 * time.Second
	rest      = 10 * time.Minute
)

// measurement measures what mechanisms cost: for all visitors together, one point after the other, each of which
// waits for its turn among the other long work of the server. What was measured stays.
type measurement struct {
	server  *site.Server
	lengths costs.Lengths

	mu     sync.Mutex
	points []costs.Point
	roof   *costs.Roof
	todo   []costs.MeasuringPoint // nil: nothing was begun
	began  time.Time
	looked time.Time
	stop   context.CancelFunc // nil: nothing runs
}

// newMeasurement measures what fits into the memory that requests share.
func newMeasurement(s *site.Server) *measurement {
	lengths := costs.Usual()
	lengths.Memory = min(lengths.Memory, s.Budget().Total())
	return &measurement{server: s, lengths: lengths}
}

// measured is what is known at a moment.
type measured struct {
	costs.Progress
	points []costs.Point // by mechanism and length
	roof   *costs.Roof
	left   time.Duration // that what runs will still take, about
	again  time.Duration // after which everything may be measured anew; 0: now
}

// look tells what is known, and that somebody looks.
func (m *measurement) look() measured {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.looked = time.Now()
	steps, left := m.lengths.Steps()
	all := measured{points: slices.Clone(m.points), roof: m.roof, again: max(0, time.Until(m.began.Add(rest)))}
	all.Progress = costs.Progress{Done: len(m.points), All: len(steps), Running: m.stop != nil, Left: costs.LeftOut(left)}
	for _, s := range m.todo {
		all.left += about(s)
	}
	costs.SortPoints(all.points)
	return all
}

// about is how long a step takes, roughly.
func about(s costs.MeasuringPoint) time.Duration {
	return s.Least() + time.Duration(s.Operations()/site.OperationsPerSecond*float64(time.Second))
}

// ask begins or stops it.
func (m *measurement) ask(what string) error {
	switch what {
	case measures[0]:
		return m.begin()
	case measures[1]:
		m.end()
	}
	return nil
}

// begin begins, or goes on where it was stopped. When everything was measured a short time ago it refuses to do it
// again.
func (m *measurement) begin() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop != nil {
		return nil
	}
	if len(m.todo) == 0 {
		if wait := time.Until(m.began.Add(rest)); wait > 0 {
			return admission.Refuse("cost.error.again", wait)
		}
		m.points, m.roof, m.began = nil, nil, time.Now()
		m.todo, _ = m.lengths.Steps()
	}
	ctx, stop := context.WithCancel(context.Background())
	m.stop, m.looked = stop, time.Now()
	go m.run(ctx)
	return nil
}

// end stops what runs, after the pass that is under way.
func (m *measurement) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop != nil {
		m.stop()
	}
}

func (m *measurement) run(ctx context.Context) {
	defer func() {
		if cause := recover(); cause != nil {
			m.server.Log().Error("measurement", "err", site.Panicked(cause))
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.stop()
		m.stop = nil
	}()
	err := m.first(ctx)
	for err == nil {
		step, ok := m.next()
		if !ok {
			return
		}
		err = m.claimed(ctx, step)
	}
	if ctx.Err() == nil {
		m.server.Log().Error("measurement", "err", err)
	}
}

// first measures what the machine does at most.
func (m *measurement) first(ctx context.Context) error {
	m.mu.Lock()
	known := m.roof != nil
	m.mu.Unlock()
	if known {
		return nil
	}
	return m.server.Long.Spend(admission.Arriving(ctx), time.Second/2, func() error {
		roof, err := costs.MeasureRoof(ctx)
		if err == nil {
			m.mu.Lock()
			m.roof = &roof
			m.mu.Unlock()
		}
		return err
	})
}

// next is the step that comes; ok is false when there is none, or nobody waits for it.
func (m *measurement) next() (s costs.MeasuringPoint, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.todo) == 0 || time.Since(m.looked) > unwatched || m.server.Stopping() {
		return s, false
	}
	return m.todo[0], true
}

// claimed measures a step when there is memory for it and it is its turn. While requests hold the memory it waits.
func (m *measurement) claimed(ctx context.Context, s costs.MeasuringPoint) error {
	share := m.server.Budget().Share()
	defer share.Set(0)
	if err := share.Claim(ctx, s.Most()); site.StatusOf(err) == http.StatusServiceUnavailable && err != nil {
		return ctx.Err()
	} else if err != nil {
		return err
	}
	return m.server.Long.Spend(admission.Arriving(ctx), about(s), func() error { return m.measure(ctx, s) })
}

func (m *measurement) measure(ctx context.Context, s costs.MeasuringPoint) error {
	p, err := s.Measure(ctx)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.points, m.todo = append(m.points, p), m.todo[1:]
	return nil
}

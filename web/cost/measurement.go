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

// Limits of a measurement. It stops if no visitor has looked for unwatched, and can restart only
// after rest.
const (
	unwatched = 20 * time.Second
	rest      = 10 * time.Minute
)

// measurement measures the costs of mechanisms for all visitors together. It measures one point
// after another, each in turn with the other long jobs of the server. Results are kept.
type measurement struct {
	server  *site.Server
	lengths costs.Lengths

	mu     sync.Mutex
	points []costs.Point
	roof   *costs.Roof
	todo   []costs.MeasuringPoint // nil: not started
	began  time.Time
	looked time.Time
	stop   context.CancelFunc // nil: not running
}

// newMeasurement returns a measurement of the mechanisms at these lengths, as far as they fit into
// the memory budget of requests.
func newMeasurement(s *site.Server, lengths costs.Lengths) *measurement {
	lengths.Memory = min(lengths.Memory, s.Budget().Total())
	return &measurement{server: s, lengths: lengths}
}

// measured is a snapshot of a measurement.
type measured struct {
	costs.Progress
	points []costs.Point // by mechanism and length
	roof   *costs.Roof
	left   time.Duration // estimated time until the running measurement ends
	again  time.Duration // time until a complete measurement can be repeated; 0: now
}

// look returns a snapshot, and records that a visitor looked.
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

// about estimates the duration of a step.
func about(s costs.MeasuringPoint) time.Duration {
	return s.Least() + time.Duration(s.Operations()/site.OperationsPerSecond*float64(time.Second))
}

// ask starts or stops the measurement.
func (m *measurement) ask(what string) error {
	switch what {
	case measures[0]:
		return m.begin()
	case measures[1]:
		m.end()
	}
	return nil
}

// begin starts the measurement, or resumes it. It returns an error if a complete measurement has
// ended only recently.
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

// end stops the measurement after the current pass.
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

// first measures the roofline of the machine.
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

// next returns the next step. ok is false if there is none, or if no visitor is waiting.
func (m *measurement) next() (s costs.MeasuringPoint, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.todo) == 0 || time.Since(m.looked) > unwatched || m.server.Stopping() {
		return s, false
	}
	return m.todo[0], true
}

// claimed measures a step when there is memory for it and it is its turn. It waits while requests
// use the memory.
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

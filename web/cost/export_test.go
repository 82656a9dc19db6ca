package cost

import (
	"time"

	"attnatlas/engine/costs"
	"attnatlas/web/site"
)

// Exports for the tests of the package.
const (
	Rest      = rest
	Unwatched = unwatched
)

// Measurement is the measurement of the pages under test.
type Measurement struct{ *measurement }

// PagesWith returns the pages, and their measurement.
func PagesWith(s *site.Server) ([]site.Page, Measurement) {
	p := newPages(s)
	return p.list(), Measurement{p.measured}
}

// Lengths returns the measured lengths.
func (m Measurement) Lengths() *costs.Lengths { return &m.lengths }

// Began and Looked set the times of the start and of the last visitor.
func (m Measurement) Began(at time.Time)  { m.set(func() { m.began = at }) }
func (m Measurement) Looked(at time.Time) { m.set(func() { m.looked = at }) }

// Skip leaves out planned steps.
func (m Measurement) Skip(n int) { m.set(func() { m.todo = m.todo[n:] }) }

// GoesOn reports whether another step would be measured.
func (m Measurement) GoesOn() bool {
	_, ok := m.next()
	return ok
}

func (m Measurement) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

package cost

import (
	"attnatlas/engine/costs"
	"attnatlas/web/site"
	"time"
)

// What the tests of the package see besides.
const (
	Rest      = rest
	Unwatched = unwatched
)

// Measurement is that of pages of the tests.
type Measurement struct{ *measurement }

// PagesWith are the pages, and their measurement.
func PagesWith(s *site.Server) ([]site.Page, Measurement) {
	p := newPages(s)
	return p.list(), Measurement{p.measured}
}

// Lengths are what is measured.
func (m Measurement) Lengths() *costs.Lengths { return &m.lengths }

// Began and Looked say when it was begun, and when somebody looked last.
func (m Measurement) Began(at time.Time)  { m.set(func() { m.began = at }) }
func (m Measurement) Looked(at time.Time) { m.set(func() { m.looked = at }) }

// Skip leaves out steps that are to be measured.
func (m Measurement) Skip(n int) { m.set(func() { m.todo = m.todo[n:] }) }

// GoesOn says whether another step would be measured.
func (m Measurement) GoesOn() bool {
	_, ok := m.next()
	return ok
}

func (m Measurement) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

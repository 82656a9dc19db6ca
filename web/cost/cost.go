package cost

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"time"

	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/admission"
	"attnatlas/web/site"
)

// costed is a request to the cost page.
type costed struct {
	state address.State
	usual costs.Sizes
	asked asked
	entry *attention.Entry // selected mechanism
	bad   error            // error of the request; the page shows defaults
}

// readCost reads a request about costs. The default length is that of the visitor's text.
func (s *pages) readCost(r *http.Request, q address.Query) costed {
	st := s.StateOf(r)
	tokens := 1
	if address.CheckText(st.Text) == nil {
		tokens = s.Vocab.Count(st.Text)
	}
	plain := costs.Usual()
	usual := costs.Sizes{Length: tokens, Width: plain.Width, Heads: plain.Heads}
	return costedOf(st, q, decode(q.Values, measureTable, usual), usual, attention.Linear.ID)
}

// costedOf returns a request about sizes and options of a mechanism.
func costedOf(st address.State, q address.Query, asked asked, usual costs.Sizes, mechanism string) costed {
	c := costed{state: st, usual: usual, asked: asked, bad: q.Wrong()}
	if err := costs.CheckSizes(c.asked.Sizes); err != nil && c.bad == nil {
		c.bad = fault.Errorf(fault.Invalid, "cost.error.is", "why", messages.Of(err))
	}
	if c.bad != nil {
		c.asked.Sizes = c.usual
		c.asked.Positions = c.usual.Length
	}
	c.look(mechanism)
	return c
}

// look finds the selected mechanism and its options. It drops default options, and the options of
// another mechanism, which a form sends after a change of mechanism.
func (c *costed) look(usual string) {
	id := c.asked.Mechanism
	if id == "" {
		id = usual
	}
	entry, ok := attention.Find(id)
	if !ok {
		c.fail(fault.Errorf(fault.NotFound, "cost.error.mechanism", "id", messages.Quote(site.Clean(id)), "known",
			messages.List(attention.IDs())))
		entry, _ = attention.Find(usual)
		c.asked.Mechanism, c.asked.Options = "", nil
	}
	c.entry = entry
	for name, value := range c.asked.Options {
		own := slices.IndexFunc(entry.Options, func(o attention.Option) bool { return o.Name == name })
		switch {
		case own >= 0 && entry.Options[own].Default != value:
		case own >= 0 || optionOfAny(name):
			delete(c.asked.Options, name)
		}
	}
	if err := costs.Check(entry, c.asked.Sizes, c.asked.Options); err != nil {
		c.fail(fault.Errorf(fault.Invalid, "cost.error.is", "why", messages.Of(err)))
		c.asked.Options = nil
	}
}

func (c *costed) fail(err error) {
	if c.bad == nil {
		c.bad = err
	}
}

// optionOfAny reports whether any mechanism has an option with this name.
func optionOfAny(name string) bool {
	return slices.ContainsFunc(attention.Catalog, func(e attention.Entry) bool {
		return slices.ContainsFunc(e.Options, func(o attention.Option) bool { return o.Name == name })
	})
}

// serveCost answers GET /cost. Its response is not cached, because measurements change it at the
// same URL.
func (s *pages) serveCost(w http.ResponseWriter, r *http.Request) error {
	q, err := s.Read(r, s.costData())
	if err != nil {
		return err
	}
	c := s.readCost(r, q)
	w.Header().Set("Cache-Control", "no-store")
	status := http.StatusOK
	if c.bad != nil {
		status = site.StatusOf(c.bad)
	}
	return s.Render(w, r, status, s.costPage(site.Language(r), c, s.measured.look()))
}

// serveMeasure answers POST /cost, which starts or stops a measurement for all visitors.
func (s *pages) serveMeasure(w http.ResponseWriter, r *http.Request) error {
	d := s.costData()
	d.Takes.Own = measureTable
	q, err := s.Read(r, d)
	if err != nil {
		return err
	}
	c := s.readCost(r, q)
	if err := cmp.Or(c.bad, s.measured.ask(c.asked.Measure)); err != nil {
		return err
	}
	return site.Redirect(w, r, c.asked.url(costPath, costTable, c.state, c.usual))
}

// serveCostJSON answers GET /api/v1/cost, with the parameters of the page.
func (s *pages) serveCostJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	c := s.readCost(r, q)
	if c.bad != nil {
		return c.bad
	}
	m := s.measured.look()
	w.Header().Set("Cache-Control", "no-store")
	if m.Running {
		w.Header().Set("Retry-After", strconv.Itoa(admission.Seconds(max(m.left, time.Second))))
	}
	report := costs.NewReport(c.asked.Sizes, m.points, m.roof)
	report.Measured, report.Shared = m.Progress, s.ladder()
	if c.asked.Mechanism != "" {
		row := costs.Of(c.entry, c.asked.Sizes, c.asked.Options, m.points)
		report.Chosen = &row
	}
	return site.SendJSON(w, report)
}

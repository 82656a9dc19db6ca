package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/web/address"
)

// serveWall answers GET /. Whatever is wrong with the URL, the page stands: with
// the message, the visitor's text, and everything that could be shown.
func (s *Server) serveWall(w http.ResponseWriter, r *http.Request) error {
	p, elsewhere := s.readPage(r, nil)
	if elsewhere != "" {
		return redirect(w, elsewhere)
	}
	p.replaceUnknown()
	if err := p.inspect(r.Context()); err != nil {
		return err
	}
	status := p.status(w)
	if status == http.StatusOK && p.sel != nil {
		status = wallStatus(p.sel.Report)
	}
	return s.render(w, r, status, components.WallPage(p.wall()))
}

// replaceUnknown shows the default mechanisms when the URL names none that
// exists. An unknown one among others has a card that says so.
func (p *page) replaceUnknown() {
	known := func(id string) bool { return p.s.find(id) != nil }
	if !slices.ContainsFunc(p.state.Mechanisms, known) {
		p.errs = append(p.errs, p.s.noMechanism(strings.Join(p.state.Mechanisms, ",")))
		p.state.Mechanisms = p.s.firstWall()
	}
}

// wallStatus is that of the first card when no card has a map.
func wallStatus(r *engine.Report) int {
	errs := make([]error, len(r.Mechanisms))
	for i, m := range r.Mechanisms {
		errs[i] = m.Err
	}
	if err := nothingAnswered(errs); err != nil {
		return statusOf(err)
	}
	return http.StatusOK
}

// wall is the text and the cards as their component wants them.
func (p *page) wall() components.Wall {
	w := components.Wall{
		Page:     p.s.head(p.l, "wall", beginningOf(p.state), p.t("wall.summary"), p.state.Theme),
		Text:     clean(p.typed),
		Problem:  p.problem(),
		Examples: p.examples(),
		Controls: p.controls(),
	}
	if p.sel == nil {
		return w
	}
	report := p.sel.Report
	w.Permalink, w.Verb = p.url(p.state), p.say(p.state.Show.Verb())
	w.Tokens = tokens(report.Tokens)
	if p.layers > 0 { // of a text that nobody answers, such as a long one, there is nothing to hide
		w.Tokens, w.Hint = p.strip(), p.hint()
	}
	var names []string
	for i := range report.Mechanisms {
		m := &report.Mechanisms[i]
		w.Elapsed += (m.Elapsed + m.Measured).Round(10 * time.Microsecond)
		if m.Err != nil {
			p.s.logUnforeseen(p.r, m.Err)
		}
		c, shown := p.card(m)
		w.Cards, names = append(w.Cards, c), append(names, shown...)
	}
	w.DataURL = address.Drawing(p.state, "", slices.Compact(slices.Sorted(slices.Values(names))))
	w.Pin = p.pin()
	return w
}

// pin reads the pinned cell out of every card.
func (p *page) pin() *components.Pin {
	if p.state.Pin == (address.Pin{}) || p.layers == 0 {
		return nil
	}
	row, col := p.state.Pin.Row-1, p.state.Pin.Col-1
	tokens := p.sel.Report.Tokens
	pin := &components.Pin{Row: row, Col: col, RowText: tokens[row].Label(), ColText: tokens[col].Label()}
	for i := range p.sel.Report.Mechanisms {
		m := &p.sel.Report.Mechanisms[i]
		reading := components.Reading{Mechanism: m.ID, Name: p.name(m.ID), Value: "–"}
		if x, err := p.sel.Exhibit(m.ID, "", 0); err == nil {
			r := x.Reading(row, col)
			reading.Value, reading.Exact = p.say(r.Text), r.Exact
		}
		pin.Readings = append(pin.Readings, reading)
	}
	return pin
}

// name is what a page calls a mechanism.
func (p *page) name(id string) string {
	if e := p.s.find(id); e != nil {
		return p.say(e.Name)
	}
	return clean(id)
}

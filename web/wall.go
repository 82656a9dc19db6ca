package web

import (
	"net/http"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/web/address"
)

// serveWall answers GET /. Whatever is wrong with the URL, the page stands: with
// the message, the visitor's text, and everything that could be shown.
func (s *Server) serveWall(w http.ResponseWriter, r *http.Request) error {
	p, elsewhere := s.readPage(r, nil)
	if elsewhere != "" {
		return redirect(w, r, elsewhere)
	}
	if p.state.Mechanisms == nil {
		return s.render(w, r, p.status(w), components.WallPage(p.wall()))
	}
	p.replaceUnknown()
	if err := p.patiently(r.Context(), p.inspect); err != nil {
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
	follows := p.carried()
	if p.state.Walk > 0 {
		follows = p.back()
	}
	w := components.Wall{
		Page:     p.s.head(p.l, "wall", beginningOf(p.state), p.t("wall.summary"), follows),
		Text:     clean(p.typed),
		Problem:  p.problem(),
		Examples: p.examples(),
		Controls: p.controls(),
		Second:   p.secondLine(),
		Method:   methodView(p.l, p.state.Show.Method(), p.state),
	}
	w.Scripted = p.folds.scripted
	w.Cuts = p.cuts()
	w.Present, w.Presenting = p.state.Present, p.presenting()
	w.Compact, w.Compacting = p.state.Compact, p.compacting()
	w.Take = components.Link{Label: p.t("take.link"), Hint: p.t("take.lead"), URL: strings.Replace(address.WallExport(p.state, "png", nil), "/export/wall.png", "/take/wall", 1)}
	if p.state.Mechanisms == nil {
		w.Problem = strings.TrimSpace(w.Problem + " " + p.t("wall-empty.text"))
	}
	if p.sel == nil {
		return w
	}
	w.Had = components.Had{Shapes: p.folds.has, Query: address.TextQuery(p.state.Text)}
	w.Permalink, w.Verb = p.url(p.state), p.say(p.state.Show.Verb())
	w.OEmbed = p.discovery()
	w.Tokens = tokens(p.sel.Report.Tokens)
	if p.layers > 0 { // of a text that nobody answers, such as a long one, there is nothing to hide
		w.Tokens, w.Hint = p.strip(), p.hint()
	}
	p.wallCards(&w)
	if w.Waiting > 0 {
		w.Rest = p.rest()
	}
	w.Pin = p.pin()
	p.onCards(&w)
	p.tint(&w)
	p.comparable(w.Cards)
	if p.embedded {
		p.embed(&w)
		return w
	}
	w.Look, w.Race = p.look(p.r.Context()), p.race(p.r.Context())
	if w.Race.Turns.Progress.All > 0 {
		w.Rest = p.rest()
	}
	p.markTold(w.Cards)
	return w
}

// wallCards fills in the cards that are asked for, and where their maps are.
func (p *page) wallCards(w *components.Wall) {
	var names []string
	for i := range p.sel.Report.Mechanisms {
		m := &p.sel.Report.Mechanisms[i]
		if isLater(m.Err) {
			w.Waiting++
		} else if m.Err != nil {
			p.s.logUnforeseen(p.r, m.Err)
		}
		if !p.folds.wants(m.ID) {
			continue
		}
		c, shown := p.card(m)
		w.Cards, names = append(w.Cards, c), append(names, shown...)
	}
	w.Maps, w.Measured = len(w.Cards), len(w.Cards)
	w.DataURL = address.Drawing(p.measured(), "", slices.Compact(slices.Sorted(slices.Values(names))))
}

// name is what a page calls a mechanism.
func (p *page) name(id string) string {
	if e := p.s.find(id); e != nil {
		return p.say(e.Name)
	}
	return clean(id)
}

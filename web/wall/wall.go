package wall

import (
	"net/http"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// serveWall answers GET /. If the URL has errors, it still shows the page, with the message, the visitor's text, and
// every map that can be shown.
func (s *Views) serveWall(w http.ResponseWriter, r *http.Request) error {
	p, elsewhere := s.ReadPage(r, nil)
	if elsewhere != "" {
		return site.Redirect(w, r, elsewhere)
	}
	if p.State.Mechanisms == nil {
		return s.Render(w, r, p.Status(w), components.WallPage(p.Wall()))
	}
	p.replaceUnknown()
	if err := p.Patiently(r.Context(), p.Inspect); err != nil {
		return err
	}
	status := p.Status(w)
	if status == http.StatusOK && p.Sel != nil {
		status = wallStatus(p.Sel.Report)
	}
	return s.Render(w, r, status, components.WallPage(p.Wall()))
}

// replaceUnknown shows the default mechanisms if the URL names no mechanism that exists. One unknown mechanism among
// others gets a card that says so.
func (p *View) replaceUnknown() {
	known := func(id string) bool { return p.Site.Find(id) != nil }
	if !slices.ContainsFunc(p.State.Mechanisms, known) {
		p.Errs = append(p.Errs, p.Site.NoMechanism(strings.Join(p.State.Mechanisms, ",")))
		p.State.Mechanisms = p.Site.FirstWall()
	}
}

// wallStatus returns the status of the first card if no card has a map.
func wallStatus(r *engine.Report) int {
	errs := make([]error, len(r.Mechanisms))
	for i, m := range r.Mechanisms {
		errs[i] = m.Err
	}
	if err := site.NothingAnswered(errs); err != nil {
		return site.StatusOf(err)
	}
	return http.StatusOK
}

// Wall returns the text and the cards for their component.
func (p *View) Wall() components.Wall {
	follows := p.Carried()
	if p.State.Walk > 0 {
		follows = p.back()
	}
	w := components.Wall{
		Page:     p.Site.Head(p.Language, "wall", beginningOf(p.State), p.T("wall.summary"), follows),
		Text:     site.Clean(p.Typed),
		Problem:  p.Problem(),
		Examples: p.examples(),
		Controls: p.Controls(),
		Second:   p.SecondLine(),
		Method:   MethodView(p.Language, p.State.Show.Method(), p.State),
	}
	w.Scripted = p.Folds.scripted
	w.Cuts = p.Cuts()
	w.Present, w.Presenting = p.State.Present, p.presenting()
	w.Compact, w.Compacting = p.State.Compact, p.compacting()
	w.Take = components.Link{Label: p.T("take.link"), Hint: p.T("take.lead"),
		URL: strings.Replace(address.WallExport(p.State, "png", nil), "/export/wall.png", "/take/wall", 1)}
	if p.State.Mechanisms == nil {
		w.Problem = strings.TrimSpace(w.Problem + " " + p.T("wall-empty.text"))
	}
	if p.Sel == nil {
		st := p.State
		st.Text, st.Other = p.Typed, p.TypedOther
		w.Permalink = p.URL(st)
		return w
	}
	w.Had = components.Had{Shapes: p.Folds.has, Query: address.TextQuery(p.State.Text)}
	w.Permalink, w.Verb = p.URL(p.State), p.Say(p.State.Show.Verb())
	w.OEmbed = p.discovery()
	w.Tokens = Tokens(p.Sel.Report.Tokens)
	if p.Layers > 0 { // a text that is too long has no words to mask
		w.Tokens, w.Hint = p.Strip(), p.Hint()
	}
	w.Count = max(p.cut, len(w.Tokens))
	p.wallCards(&w)
	if w.Waiting > 0 {
		w.Rest = p.Rest()
	}
	w.Pin = p.pin()
	p.OnCards(&w)
	p.colourWords(&w)
	p.comparable(w.Cards)
	if p.embedded {
		p.embed(&w)
		return w
	}
	w.Look, w.Race = p.look(p.Request.Context()), p.race(p.Request.Context())
	if w.Race.Turns.Progress.All > 0 {
		w.Rest = p.Rest()
	}
	p.markTold(w.Cards)
	return w
}

// wallCards fills in the requested cards, and the addresses of their maps.
func (p *View) wallCards(w *components.Wall) {
	var names []string
	for i := range p.Sel.Report.Mechanisms {
		m := &p.Sel.Report.Mechanisms[i]
		if isLater(m.Err) {
			w.Waiting++
		} else if m.Err != nil {
			p.Site.LogUnforeseen(p.Request, m.Err)
		}
		if !p.Folds.Wants(m.ID) {
			continue
		}
		c, shown := p.card(m)
		w.Cards, names = append(w.Cards, c), append(names, shown...)
	}
	w.Maps, w.Measured = len(w.Cards), len(w.Cards)
	w.DataURL = address.Drawing(p.measured(), "", slices.Compact(slices.Sorted(slices.Values(names))))
}

// Name returns the name of a mechanism on pages.
func (p *View) Name(id string) string {
	if e := p.Site.Find(id); e != nil {
		return p.Say(e.Name)
	}
	return site.Clean(id)
}

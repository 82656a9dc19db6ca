package web

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
)

// wallPage is what the wall is made of: a state in which everything wrong has
// been replaced by its default, the report for it, and what was wrong.
type wallPage struct {
	at     string // the mechanism whose page it is; empty on the wall
	state  State
	report *engine.Report // nil when the text could not be inspected
	layers int            // of the deepest model on the page; 0: none answered
	heads  int
	errs   []error // in the order in which the visitor should read them
}

// url is the address of this page in another state.
func (p *wallPage) url(s State) string {
	if p.at == "" {
		return pageURL(s)
	}
	return mechanismURL(s, p.at)
}

// wall answers GET /. Whatever is wrong with the URL, the page stands: with
// the message, the visitor's text, and everything that could be shown.
func (s *Server) wall(w http.ResponseWriter, r *http.Request) error {
	v, _ := parseQuery(r.URL.RawQuery)
	next, asked, wrong := readToggle(v)
	if asked && wrong == nil {
		return redirect(w, pageURL(next))
	}
	p, err := s.readWall(r)
	if err != nil {
		return err
	}
	p.complain(wrong)
	var page bytes.Buffer
	if err := components.WallPage(s.wallView(r, p)).Render(r.Context(), &page); err != nil {
		return err
	}
	status := p.status(w)
	if status == http.StatusOK && p.report != nil {
		status = wallStatus(p.report)
	}
	writeHTML(w, status, page.Bytes())
	return nil
}

// status is that of what was wrong with the URL; such a page is not kept.
func (p *wallPage) status(w http.ResponseWriter) int {
	if len(p.errs) == 0 {
		return http.StatusOK
	}
	w.Header().Set("Cache-Control", "no-store")
	return statusOf(p.errs[0])
}

// complain adds what was wrong, if anything was.
func (p *wallPage) complain(err error) {
	if err != nil {
		p.errs = append(p.errs, err)
	}
}

// readWall decodes the URL and asks the engine. Its error is one that leaves no
// page to show.
func (s *Server) readWall(r *http.Request) (*wallPage, error) {
	v, bad := parseQuery(r.URL.RawQuery)
	state, wrong := decodeState(v)
	p := &wallPage{state: state}
	named := v.Has(keyMech)
	for _, b := range append(bad, wrong...) {
		p.errs = append(p.errs, b)
		named = named && b.Param != keyMech
	}
	if !named {
		p.state.Mechanisms = s.firstWall()
	}
	s.replaceUnknown(p)
	return p, s.report(r.Context(), p)
}

// report asks the engine about the page's text. Its error is one that leaves no
// page to show.
func (s *Server) report(ctx context.Context, p *wallPage) error {
	report, err := s.inspect(ctx, p.state)
	if err == nil {
		asked := p.state.influenceLayer()
		p.report = report
		p.resolve()
		if p.state.influenceLayer() != asked {
			p.report, err = s.inspect(ctx, p.state)
		}
	}
	switch {
	case err == nil:
	case statusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		p.errs = append([]error{err}, p.errs...)
	}
	return nil
}

// replaceUnknown shows the default mechanisms when the URL names none that
// exists. An unknown one among others has a card that says so.
func (s *Server) replaceUnknown(p *wallPage) {
	known := func(id string) bool { return s.subject(id) != nil }
	if slices.ContainsFunc(p.state.Mechanisms, known) {
		return
	}
	p.errs = append(p.errs, s.noMechanism(strings.Join(p.state.Mechanisms, ",")))
	p.state.Mechanisms = s.firstWall()
}

// resolve replaces a layer, a head and a pin that nothing on the page has.
func (p *wallPage) resolve() {
	for i := range p.report.Mechanisms {
		m := &p.report.Mechanisms[i]
		p.layers, p.heads = max(p.layers, len(m.Layers)), max(p.heads, m.Heads)
	}
	if p.layers == 0 {
		return
	}
	p.resolveLayer()
	if p.state.Layer == 0 {
		p.state.Layer = 1
	}
	if p.state.Head > p.heads {
		p.errs = append(p.errs, engine.Errorf(engine.NotFound, "There is no head %d; the models here have %s.",
			p.state.Head, components.Count(p.heads, "head")))
		p.state.Head = MeanHead
	}
	if n := len(p.report.Tokens); p.state.Pin.Row > n || p.state.Pin.Col > n {
		p.errs = append(p.errs, engine.Errorf(engine.NotFound, "There is no cell %s; the text has %s.",
			p.state.Pin, components.Count(n, "token")))
		p.state.Pin = Pin{}
	}
}

// resolveLayer replaces a layer that no model on the page has, or a step that this text did not take.
func (p *wallPage) resolveLayer() {
	has := components.Count(p.layers, "layer")
	most := p.mostSteps()
	if most > p.layers {
		has = "up to " + components.Count(most, "step")
	}
	switch {
	case p.state.Layer <= p.layers:
	case p.state.Layer <= most:
		p.state.Layer = p.layers // a longer text may take that step; the card says where this one stopped
	default:
		p.errs = append(p.errs, engine.Errorf(engine.NotFound, "There is no layer %d; the models here have %s.", p.state.Layer, has))
		p.state.Layer = 0
	}
}

// mostSteps is how many steps the models on the page could have taken whose words halt; 0: none is such.
func (p *wallPage) mostSteps() int {
	most := 0
	for i := range p.report.Mechanisms {
		if m := &p.report.Mechanisms[i]; stoppedEarly(m) {
			most = max(most, mostSteps(m))
		}
	}
	return most
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

package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"

	"github.com/a-h/templ"
)

// page is what a page with maps is made of: a state in which everything wrong has
// been replaced by its default, what is shown of the report for it, and what was wrong.
type page struct {
	s          *Server
	r          *http.Request
	l          *messages.Language
	at         *mechanism // whose page it is; nil: the wall
	state      address.State
	sel        *exhibit.Selection // nil when the text could not be inspected
	second     *exhibit.Selection // of the second text; nil: there is none
	whole      *exhibit.Selection // without what is cut; nil: nothing is
	layers     int                // of the deepest model on the page; 0: none answered
	heads      int
	waiting    []string            // mechanisms whose influence the page does not wait for, by what they cost
	pair       *address.Comparison // whose page it is; nil: it compares nothing
	errs       []error             // in the order in which the visitor should read them
	cut        int                 // tokens of the whole text, where only its first are shown
	typed      string              // the text as the visitor wrote it; that of the state may be its beginning
	typedOther string              // the second text likewise
	folds      folds
	embedded   bool  // it stands in a frame of somebody else's
	waits      bool  // it comes when all is measured
	unmeasured error // why it did not all the same; nil: it does not wait, or is whole
}

// readPage decodes the URL of a page. A word to hide or to show leads to the address of
// another state, which is then not empty.
func (s *Server) readPage(r *http.Request, at *mechanism) (p *page, elsewhere string) {
	p = &page{s: s, r: r, l: language(r), at: at, folds: foldsOf(r), embedded: framed(r.URL.Path)}
	id := ""
	if at != nil {
		id = at.ID
	}
	v, bad := address.ParseQuery(r.URL.RawQuery)
	var wrong []address.ParamError
	p.state, wrong = address.Decode(v, s.vocab, id)
	p.typed, p.typedOther, p.waits = p.state.Text, p.state.Other, address.Waits(v)
	if p.embedded {
		p.state = p.state.Untold()
		p.state.Race = 0
	}
	p.state.After = "" // pages show the finished model, and in a place of its own how it came to be
	p.choose(v, slices.Concat(bad, wrong))
	if p.generated() { // links of other pages may carry what has no meaning here
		usual := address.Default()
		p.state.Mask, p.state.Show, p.state.Pin, p.state.Was, p.state.Other = usual.Mask, usual.Show, usual.Pin, usual.Was, usual.Other
	}
	p.cutWithin()
	next, asked, err := address.Toggle(v, p.state, s.vocab)
	if asked && err == nil {
		return p, p.url(next)
	}
	if err != nil {
		p.errs = append(p.errs, err)
	}
	return p, ""
}

// choose decides which mechanisms the page shows, and keeps what was wrong with the address.
func (p *page) choose(v url.Values, wrong []address.ParamError) {
	named := v.Has(address.Mechanisms)
	for _, b := range wrong {
		if b.Param == address.Mechanisms {
			named = false
			if p.at != nil || nothingChosen(v) {
				continue
			}
		}
		p.errs = append(p.errs, b)
	}
	switch {
	case p.at != nil:
		p.state = p.state.Alone(p.at.ID)
		p.state.Mechanisms = []string{p.at.ID}
	case nothingChosen(v):
		p.state.Mechanisms = nil
	case !named:
		p.state.Mechanisms = p.s.firstWall()
	default:
		p.state.Mechanisms = ordered(p.state.Mechanisms, v)
	}
}

// redirect leads to the page of another state.
func redirect(w http.ResponseWriter, r *http.Request, to string) error {
	w.Header().Set("Location", components.From(r.Context(), to))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// t says a text of the catalogue in the page's language, and say a message.
func (p *page) t(id string, args ...any) string { return p.l.T(id, args...) }
func (p *page) say(m messages.Message) string   { return p.l.Say(m) }
func (p *page) complain(id string, args ...any) {
	p.errs = append(p.errs, engine.Errorf(engine.NotFound, id, args...))
}

// url is the address of this page in another state.
func (p *page) url(s address.State) string {
	if p.pair != nil {
		pair := *p.pair
		pair.State = s
		return address.Compare(pair)
	}
	switch {
	case p.embedded:
		return address.Embed(s)
	case p.at == nil:
		return address.Wall(s)
	}
	return address.Mechanism(s, p.at.ID)
}

// inspect asks the engine about the page's text. Its error is one that leaves no
// page to show.
func (p *page) inspect(ctx context.Context) error {
	sel, err := p.ask(ctx)
	if err == nil {
		asked := p.state.Request()
		p.sel = sel
		p.resolve()
		p.sel = exhibit.Select(sel.Report, p.state.Choice)
		if keyOf(p.state.Request()) != keyOf(asked) {
			p.sel, err = p.ask(ctx)
		}
	}
	if err == nil {
		err = p.inspectSecond(ctx)
	}
	if err == nil {
		err = p.inspectWhole(ctx)
	}
	switch {
	case err == nil:
	case statusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		p.errs = append([]error{err}, p.errs...)
	}
	if p.layers == 0 {
		p.shorten()
	}
	return nil
}

// resolve replaces a layer, a head and a pin that nothing on the page has.
func (p *page) resolve() {
	for i := range p.sel.Report.Mechanisms {
		m := &p.sel.Report.Mechanisms[i]
		p.layers, p.heads = max(p.layers, len(m.Layers)), max(p.heads, m.Heads)
		if isLater(m.Err) && m.Model != nil {
			p.layers = max(p.layers, exhibit.MostSteps(m))
		}
	}
	if p.layers == 0 {
		return
	}
	p.resolveLayer()
	if p.state.Layer == 0 && !p.generated() {
		p.state.Layer = 1
	}
	p.resolveHeads()
	p.state.Pin = p.state.Pin.Within(len(p.sel.Report.Tokens))
}

// resolveLayer replaces a layer that no model on the page has, or a step that this text did not take.
func (p *page) resolveLayer() {
	has := messages.New("count.layer", "count", p.layers)
	most := 0 // steps that models could have taken whose words halt
	for i := range p.sel.Report.Mechanisms {
		if m := &p.sel.Report.Mechanisms[i]; exhibit.StoppedEarly(m) {
			most = max(most, exhibit.MostSteps(m))
		}
	}
	if most > p.layers {
		has = messages.New("up-to", "count", messages.New("count.step", "count", most))
	}
	switch {
	case p.state.Layer <= p.layers:
	case p.state.Layer <= most:
		p.state.Layer = p.layers // a longer text may take that step; the card says where this one stopped
	default:
		p.complain("error.page.layer", "number", p.state.Layer, "has", has)
		p.state.Layer = 0
	}
}

// status is that of what was wrong with the URL; such a page is not kept.
func (p *page) status(w http.ResponseWriter) int {
	if len(p.errs) == 0 {
		return http.StatusOK
	}
	w.Header().Set("Cache-Control", "no-store")
	return statusOf(p.errs[0])
}

// head is what every page has.
func (s *Server) head(l *messages.Language, section, title, description string, st address.State) components.Page {
	return components.Page{
		Title: title, Description: description, Section: section, Theme: st.Theme, Version: s.version, Weights: s.weights(l), To: along(st),
	}
}

// carried is what a page with maps gives along: the whole text, and of one mechanism's page not
// that it is the only one.
func (p *page) carried() address.State {
	st := p.state
	st.Text = p.typed
	if p.at != nil {
		st.Mechanisms, st.Layer = p.s.firstWall(), 0
	}
	return st
}

// stateOf is what the address of a page without maps carries along.
func (s *Server) stateOf(r *http.Request) address.State {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	st, _ := address.Decode(v, s.vocab, "")
	if !v.Has(address.Mechanisms) {
		st.Mechanisms = s.firstWall()
	}
	deepest := 0
	for _, id := range st.Mechanisms {
		if e, m := s.find(id), s.model(id); e != nil && m != nil {
			deepest = max(deepest, e.facts(m).Runs)
		}
	}
	if deepest > 0 && st.Layer > deepest { // which no page could show
		st.Layer = 0
	}
	return st
}

// render answers with a component.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Add("Vary", openHeader+", "+onlyHeader+", "+hasHeader)
	w.WriteHeader(status)
	return c.Render(messages.With(r.Context(), language(r)), w)
}

// idOf is the last part of a path.
func idOf(escaped string) (string, error) {
	id, err := url.PathUnescape(escaped)
	if err != nil {
		return "", engine.Errorf(engine.Invalid, "param.path")
	}
	return id, nil
}

// clean makes a text fit for an HTML document, which can hold neither NUL nor
// bytes that are not UTF-8. Links carry the text as it was.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// problem says all that was wrong.
func (p *page) problem() string {
	all := make([]string, len(p.errs))
	for i, err := range p.errs {
		all[i] = fullStop(p.say(messageOf(err)))
	}
	return clean(strings.Join(all, " "))
}

// fullStop makes a sentence of a clause.
func fullStop(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// capital begins a label.
func capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

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
	s      *Server
	r      *http.Request
	l      *messages.Language
	at     *mechanism // whose page it is; nil: the wall
	state  address.State
	sel    *exhibit.Selection // nil when the text could not be inspected
	layers int                // of the deepest model on the page; 0: none answered
	heads  int
	errs   []error // in the order in which the visitor should read them
	cut    int     // tokens of the whole text, where only its first are shown
	typed  string  // the text as the visitor wrote it; that of the state may be its beginning
}

// readPage decodes the URL of a page. A word to hide or to show leads to the address of
// another state, which is then not empty.
func (s *Server) readPage(r *http.Request, at *mechanism) (p *page, elsewhere string) {
	p = &page{s: s, r: r, l: language(r), at: at}
	id := ""
	if at != nil {
		id = at.ID
	}
	v, bad := address.ParseQuery(r.URL.RawQuery)
	var wrong []address.ParamError
	p.state, wrong = address.Decode(v, s.vocab, id)
	p.typed = p.state.Text
	p.state.After = "" // pages show the finished model, and in a place of its own how it came to be
	named := v.Has(address.Mechanisms)
	for _, b := range slices.Concat(bad, wrong) {
		if b.Param == address.Mechanisms {
			named = false
			if at != nil {
				continue
			}
		}
		p.errs = append(p.errs, b)
	}
	switch {
	case at != nil:
		p.state.Mechanisms = []string{at.ID}
	case !named:
		p.state.Mechanisms = s.firstWall()
	}
	if p.generated() { // links of other pages may carry what has no meaning here
		usual := address.Default()
		p.state.Mask, p.state.Show, p.state.Pin, p.state.Was = usual.Mask, usual.Show, usual.Pin, usual.Was
	}
	next, asked, err := address.Toggle(v, p.state, s.vocab)
	if asked && err == nil {
		return p, p.url(next)
	}
	if err != nil {
		p.errs = append(p.errs, err)
	}
	return p, ""
}

// redirect leads to the page of another state.
func redirect(w http.ResponseWriter, to string) error {
	w.Header().Set("Location", to)
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
	if p.at == nil {
		return address.Wall(s)
	}
	return address.Mechanism(s, p.at.ID)
}

// longestLink is more than the beginning of a text has that any link carries for which no model answers.
const longestLink = 2 << 10

// shorten lets a page of a text that nobody answers tell of its beginning only: of as many tokens
// as the longest model reads. Whatever is on it, the page is small; the form has the whole text.
func (p *page) shorten() {
	p.state.Text, p.state.Was = beginningBytes(p.state.Text, longestLink), nil
	if p.sel == nil {
		return
	}
	most := 0
	for _, m := range p.sel.Report.Mechanisms {
		if m.Model != nil {
			most = max(most, m.Model.Longest)
		}
	}
	if list := p.sel.Report.Tokens; len(list) > most && most > 1 {
		r := *p.sel.Report // which others may be reading
		r.Tokens = list[:most]
		if r.Segments != nil {
			r.Segments = r.Segments[:most]
		}
		p.cut = len(list)
		p.sel = exhibit.Select(&r, p.state.Choice)
		p.state.Text = beginningBytes(p.typed, list[most-1].End)
	}
}

// beginningBytes is the beginning of a text, of whole characters.
func beginningBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// inspect asks the engine about the page's text. Its error is one that leaves no
// page to show.
func (p *page) inspect(ctx context.Context) error {
	sel, err := p.s.inspect(ctx, p.state)
	if err == nil {
		asked := p.state.Request()
		p.sel = sel
		p.resolve()
		p.sel = exhibit.Select(sel.Report, p.state.Choice)
		if p.state.InfluenceLayer() != asked.Influence {
			p.sel, err = p.s.inspect(ctx, p.state)
		}
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
	}
	if p.layers == 0 {
		return
	}
	p.resolveLayer()
	if p.state.Layer == 0 && !p.generated() {
		p.state.Layer = 1
	}
	if p.state.Head > p.heads {
		p.complain("error.page.head", "number", p.state.Head, "has", messages.New("count.head", "count", p.heads))
		p.state.Head = exhibit.Mean
	}
	if n := len(p.sel.Report.Tokens); p.state.Pin.Row > n || p.state.Pin.Col > n {
		p.complain("error.page.cell", "cell", p.state.Pin.String(), "has", messages.New("count.token", "count", n))
		p.state.Pin = address.Pin{}
	}
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
func (s *Server) head(l *messages.Language, section, title, description, theme string) components.Page {
	return components.Page{
		Title: title, Description: description, Section: section, Theme: theme, Version: s.version, Weights: s.weights(l),
	}
}

// render answers with a component.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
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

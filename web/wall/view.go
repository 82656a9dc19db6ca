package wall

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/reports"
	"attnatlas/web/scene"
	"attnatlas/web/site"
)

// Generated reports whether the page shows how a text is written.
func (p *View) Generated() bool { return p.At != nil && p.At.Generates() }

// URLOf returns the address of the page of a mechanism or stack. Its model may have fewer layers than the layer that
// the page shows.
func (p *View) URLOf(st address.State, id string) string {
	st.Step = 0
	if e, m := p.Site.Find(id), p.Site.Model(id); e != nil && m != nil && st.Layer > e.Facts(m).Runs {
		st.Layer = 0
	}
	return address.Mechanism(st, id)
}

// View is the data of a page with maps: a state in which defaults replace all invalid values, the part of the report
// that it shows, and the errors.
type View struct {
	Site       *Views
	Request    *http.Request
	Language   *messages.Language
	At         *site.Mechanism // the mechanism of the page; nil: the wall
	State      address.State
	Sel        *exhibit.Selection // nil when the text could not be inspected
	Second     *exhibit.Selection // of the second text; nil: there is none
	Whole      *exhibit.Selection // without exclusions; nil: there are none
	Layers     int                // of the deepest model on the page; 0: none answered
	Heads      int
	waiting    []string            // mechanisms whose influence the page does not wait for, by cost
	Pair       *address.Comparison // the comparison of the page; nil: none
	Errs       []error             // in the order in which the visitor should read them
	cut        int                 // number of tokens of the whole text, if only its beginning is shown
	Typed      string              // the text as the visitor wrote it; the state may have only its beginning
	TypedOther string              // likewise, the second text
	Folds      Folds
	first      bool               // the layer and heads are those of the first visit; the address does not name them
	embedded   bool               // the page is in a frame of another site
	Waits      bool               // the page is sent when everything is measured
	arranged   *exhibit.Selection // with the tokens that cards show; nil: not asked for yet
	unmeasured error              // why a waiting page is incomplete; nil: it is complete, or does not wait
}

// ReadPage decodes the URL of a page. If the visitor masks or shows a word, it returns the address of the new state,
// and "" otherwise.
func (s *Views) ReadPage(r *http.Request, at *site.Mechanism) (p *View, elsewhere string) {
	p = &View{Site: s, Request: r, Language: site.Language(r), At: at, Folds: FoldsOf(r),
		embedded: site.Framed(r.URL.Path)}
	id := ""
	if at != nil {
		id = at.ID
	}
	v, bad := address.ParseQuery(r.URL.RawQuery)
	var wrong []address.ParamError
	p.State, wrong = address.Decode(v, s.Vocab, id)
	p.Typed, p.TypedOther, p.Waits = p.State.Text, p.State.Other, address.Waits(v)
	if p.embedded {
		p.State = p.State.Untold()
		p.State.Race = 0
	}
	p.State.After = "" // pages show the finished model; its training has a place of its own
	p.choose(v, slices.Concat(bad, wrong))
	if at == nil && !p.embedded && asksNothing(v) {
		p.openFirst()
	}
	if p.Generated() { // links from other pages may carry parameters that mean nothing here
		usual := address.Default()
		p.State.Mask, p.State.Show, p.State.Pin, p.State.Was, p.State.Other = usual.Mask, usual.Show, usual.Pin, usual.Was,
			usual.Other
	}
	if p.Generated() || p.State.Other != "" || p.State.Draw == address.Arcs { // these show tokens as the text has them
		p.State.Choice = p.State.InTextOrder()
	}
	p.CutWithin()
	next, asked, err := address.Toggle(v, p.State, s.Vocab)
	if asked && err == nil {
		return p, p.URL(next)
	}
	if err != nil {
		p.Errs = append(p.Errs, err)
	}
	return p, ""
}

// asksNothing reports whether an address names neither a text nor a view: only colours, a pin and the like.
func asksNothing(v url.Values) bool {
	for key := range v {
		switch key {
		case address.Theme, address.Cmap, address.Norm, address.Present, address.Compact, address.Compute, address.PinKey,
			address.Large, address.Draw, address.Arrange, address.Special, address.Sinks, address.Mass, address.Top:
		default:
			return false
		}
	}
	return true
}

// openFirst shows the layer and heads that we chose for the first visit, if the models have them.
func (p *View) openFirst() {
	usual := p.sceneState(scene.First)
	for _, id := range p.State.Mechanisms {
		e, m := p.Site.Find(id), p.Site.Model(id)
		if e == nil || m == nil || e.Facts(m).Runs < usual.Layer || m.Heads < max(usual.Heads[id], 1) {
			return
		}
	}
	p.State.Layer, p.State.Heads, p.first = usual.Layer, maps.Clone(usual.Heads), true
}

// choose decides which mechanisms the page shows, and records the errors of the address.
func (p *View) choose(v url.Values, wrong []address.ParamError) {
	named := v.Has(address.Mechanisms)
	for _, b := range wrong {
		if b.Param == address.Mechanisms {
			named = false
			if p.At != nil || nothingChosen(v) {
				continue
			}
		}
		p.Errs = append(p.Errs, b)
	}
	switch {
	case p.At != nil:
		p.State = p.State.SingleCard(p.At.ID)
		p.State.Mechanisms = []string{p.At.ID}
	case nothingChosen(v):
		p.State.Mechanisms = nil
	case !named:
		p.State.Mechanisms = p.Site.FirstWall()
	default:
		p.State.Mechanisms = ordered(p.State.Mechanisms, v)
	}
}

// T returns a text of the catalogue in the page's language.
func (p *View) T(id string, args ...any) string { return p.Language.T(id, args...) }

// Say returns a message in the language of the page.
func (p *View) Say(m messages.Message) string { return p.Language.Say(m) }

// Complain records an error of the address.
func (p *View) Complain(id string, args ...any) {
	p.Errs = append(p.Errs, fault.Errorf(fault.NotFound, id, args...))
}

// URL returns the address of this page in another state.
func (p *View) URL(s address.State) string {
	if p.Pair != nil {
		pair := *p.Pair
		pair.State = s
		return address.Compare(pair)
	}
	switch {
	case p.embedded:
		return address.Embed(s)
	case p.At == nil:
		return address.Wall(s)
	}
	return address.Mechanism(s, p.At.ID)
}

// Inspect runs the engine on the page's text. An error means that there is no page to show.
func (p *View) Inspect(ctx context.Context) error {
	sel, err := p.ask(ctx)
	if err == nil {
		asked := p.State.Request()
		p.Sel = sel
		p.resolve()
		p.Sel = exhibit.Select(sel.Report, p.State.InTextOrder())
		if reports.KeyOf(p.State.Request()) != reports.KeyOf(asked) {
			p.Sel, err = p.ask(ctx)
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
	case site.StatusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		p.Errs = append([]error{err}, p.Errs...)
	}
	if p.Layers == 0 {
		p.Shorten()
	}
	return nil
}

// resolve replaces a layer, a head and a pin that nothing on the page has.
func (p *View) resolve() {
	for i := range p.Sel.Report.Mechanisms {
		m := &p.Sel.Report.Mechanisms[i]
		p.Layers, p.Heads = max(p.Layers, len(m.Layers)), max(p.Heads, m.Heads)
		if isLater(m.Err) && m.Model != nil {
			p.Layers = max(p.Layers, exhibit.MostSteps(m))
		}
	}
	if p.Layers == 0 {
		return
	}
	p.resolveLayer()
	if p.State.Layer == 0 && !p.Generated() {
		p.State.Layer = 1
	}
	p.resolveHeads()
	p.State.Pin = p.State.Pin.Within(len(p.Sel.Report.Tokens))
}

// resolveLayer replaces a layer that no model on the page has, or a step that was not needed for this text.
func (p *View) resolveLayer() {
	has := messages.New("count.layer", "count", p.Layers)
	most := 0 // steps that models with adaptive computation could have taken
	for i := range p.Sel.Report.Mechanisms {
		if m := &p.Sel.Report.Mechanisms[i]; exhibit.StoppedEarly(m) {
			most = max(most, exhibit.MostSteps(m))
		}
	}
	if most > p.Layers {
		has = messages.New("up-to", "count", messages.New("count.step", "count", most))
	}
	switch {
	case p.State.Layer <= p.Layers:
	case p.State.Layer <= most:
		p.State.Layer = p.Layers // a longer text may take that step; the card says where this one stopped
	default:
		p.Complain("error.page.layer", "number", p.State.Layer, "has", has)
		p.State.Layer = 0
	}
}

// Status returns the HTTP status for the errors in the URL. Caches do not keep a page with errors.
func (p *View) Status(w http.ResponseWriter) int {
	if len(p.Errs) == 0 {
		return http.StatusOK
	}
	w.Header().Set("Cache-Control", "no-store")
	return site.StatusOf(p.Errs[0])
}

// named returns the state without a layer and heads that the address does not name.
func (p *View) named() address.State {
	st := p.State
	if p.first {
		st.Layer, st.Heads = 0, nil
	}
	return st
}

// Carried returns the state that a page with maps passes on: the whole text, but not the choice of one mechanism on
// that mechanism's page.
func (p *View) Carried() address.State {
	st := p.named()
	st.Text = p.Typed
	if p.At != nil {
		st.Mechanisms, st.Layer = p.Site.FirstWall(), 0
	}
	return st
}

// Problem returns all errors as one text.
func (p *View) Problem() string {
	all := make([]string, len(p.Errs))
	for i, err := range p.Errs {
		all[i] = site.FullStop(p.Say(site.MessageOf(err)))
	}
	return site.Clean(strings.Join(all, " "))
}

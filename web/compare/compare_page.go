package compare

import (
	"context"
	"net/http"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// comparePage is the page of a comparison.
type comparePage struct {
	*wall.View
	sides [2]compareSide
	said  *exhibit.Comparison // nil: one of the sides has no map
}

// compareSide is one of the maps, or the reason why it is missing.
type compareSide struct {
	key   string // SideA or SideB
	waits bool   // the page does not wait for it
	sel   *exhibit.Selection
	x     *exhibit.Exhibit
	err   error
}

// serveCompare answers GET /compare. It answers with a page even if the URL has errors.
func (s *pages) serveCompare(w http.ResponseWriter, r *http.Request) error {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	pair, wrong := address.DecodeComparison(v, s.Vocab)
	pair.Choice = pair.InTextOrder()
	pair.After = ""
	p := &comparePage{View: &wall.View{Site: s.Views, Request: r, Language: site.Language(r), State: pair.State,
		Typed: pair.Text, TypedOther: pair.Other, Pair: &pair, Folds: wall.FoldsOf(r), Waits: address.Waits(v)}}
	for _, b := range slices.Concat(bad, wrong) {
		p.Errs = append(p.Errs, b)
	}
	p.CutWithin()
	p.Pair.Cuts = p.State.Cuts
	next, asked, err := address.Toggle(v, p.State, s.Vocab)
	if asked && err == nil {
		return site.Redirect(w, r, p.URL(next))
	}
	if err != nil {
		p.Errs = append(p.Errs, err)
	}
	p.replaceUnknown()
	if err := p.Patiently(r.Context(), p.inspect); err != nil {
		return err
	}
	return s.Render(w, r, p.Status(w), ComparePage(p.view()))
}

// replaceUnknown replaces unknown mechanisms by default ones.
func (p *comparePage) replaceUnknown() {
	for i, side := range []*address.Side{&p.Pair.A, &p.Pair.B} {
		if p.Site.Find(side.ID) == nil {
			p.Errs = append(p.Errs, p.Site.NoMechanism(side.ID))
			*side = address.Side{ID: address.Default().Mechanisms[i], Head: address.Default().Head}
		}
	}
	if p.State.Other != "" {
		if err := address.CheckText(p.State.Other); err != nil {
			p.Errs = append(p.Errs, err)
			p.State.Other = ""
		}
	}
	p.Pair.Mechanisms = []string{p.Pair.A.ID, p.Pair.B.ID}
	p.State.Mechanisms, p.Pair.Other = p.Pair.Mechanisms, p.State.Other
}

// inspect runs the engine for both maps. An error means that there is no page to show.
func (p *comparePage) inspect(ctx context.Context) error {
	a, b, err := p.askSides(ctx)
	if err == nil && p.resolve(a, b) {
		a, b, err = p.askSides(ctx)
	}
	switch {
	case err == nil:
	case site.StatusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		p.Errs = append([]error{err}, p.Errs...)
		p.Shorten()
		p.Pair.Text = p.State.Text
		return nil
	}
	p.Sel = a
	if p.State.Other != "" {
		p.Second = b
	}
	p.sides[0].sel, p.sides[1].sel = a, b
	for i, id := range []string{p.Pair.A.ID, p.Pair.B.ID} {
		side := &p.sides[i]
		if side.x, side.err = side.sel.Exhibit(id, "", 0); side.waits {
			side.x, side.err = nil, wall.ErrLater
		}
	}
	if p.sides[0].err == nil && p.sides[1].err == nil {
		p.said = exhibit.Compare(p.sides[0].x, p.sides[1].x)
	}
	if p.Layers == 0 {
		p.Shorten()
		p.Pair.State = p.State
	}
	p.State.Pin = p.State.Pin.Within(len(p.Sel.Report.Tokens))
	p.Pair.State = p.State
	return nil
}

// resolve replaces layers and heads that a side does not have, and reports whether there were any. It records no
// error if a form chose them for another mechanism.
func (p *comparePage) resolve(a, b *exhibit.Selection) (changed bool) {
	for i, side := range []*address.Side{&p.Pair.A, &p.Pair.B} {
		res := []*exhibit.Selection{a, b}[i].Result(side.ID)
		if res.Err != nil {
			p.Site.LogUnforeseen(p.Request, res.Err)
			continue
		}
		p.Layers, p.Heads = max(p.Layers, len(res.Layers)), max(p.Heads, res.Heads)
		before := *side
		if side.Layer > len(res.Layers) {
			side.Layer = 0
			p.lacks("error.page.layer", before.Layer, messages.New("count.layer", "count", len(res.Layers)))
		}
		if side.Head > res.Heads {
			side.Head = address.Default().Head
			p.lacks("error.page.head", before.Head, messages.New("count.head", "count", res.Heads))
		}
		changed = changed || *side != before
	}
	return changed
}

// lacks records the error of a layer or head that a side does not have.
func (p *comparePage) lacks(id string, number int, has messages.Message) {
	if !p.Pair.Chosen {
		p.Complain(id, "number", number, "has", has)
	}
}

// side returns one of the sides that the address names.
func (p *comparePage) side(key string) address.Side {
	if key == address.SideA {
		return p.Pair.A
	}
	return p.Pair.B
}

// result returns the result for a side, or nil if there is none.
func (p *comparePage) result(i int) *engine.Result {
	side := p.sides[i]
	if side.sel == nil {
		return nil
	}
	return side.sel.Result(p.side(side.key).ID)
}

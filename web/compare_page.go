package web

import (
	"context"
	"net/http"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// comparePage is a page of two maps.
type comparePage struct {
	*page
	sides [2]compareSide
	said  *exhibit.Comparison // nil: one of them has no map
}

// compareSide is one of the maps, or why it is not there.
type compareSide struct {
	key   string // SideA or SideB
	waits bool   // the page does not wait for it
	sel   *exhibit.Selection
	x     *exhibit.Exhibit
	err   error
}

// serveCompare answers GET /compare. Whatever is wrong with the URL, the page stands.
func (s *Server) serveCompare(w http.ResponseWriter, r *http.Request) error {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	pair, wrong := address.DecodeComparison(v, s.vocab)
	pair.After = ""
	p := &comparePage{page: &page{s: s, r: r, l: language(r), state: pair.State, typed: pair.Text, typedOther: pair.Other, pair: &pair, folds: foldsOf(r), waits: address.Waits(v)}}
	for _, b := range slices.Concat(bad, wrong) {
		p.errs = append(p.errs, b)
	}
	p.cutWithin()
	p.pair.Cuts = p.state.Cuts
	next, asked, err := address.Toggle(v, p.state, s.vocab)
	if asked && err == nil {
		return redirect(w, r, p.url(next))
	}
	if err != nil {
		p.errs = append(p.errs, err)
	}
	p.replaceUnknown()
	if err := p.patiently(r.Context(), p.inspect); err != nil {
		return err
	}
	return s.render(w, r, p.status(w), components.ComparePage(p.view()))
}

// replaceUnknown compares usual mechanisms instead of those that nobody knows.
func (p *comparePage) replaceUnknown() {
	for i, side := range []*address.Side{&p.pair.A, &p.pair.B} {
		if p.s.find(side.ID) == nil {
			p.errs = append(p.errs, p.s.noMechanism(side.ID))
			*side = address.Side{ID: address.Default().Mechanisms[i], Head: address.Default().Head}
		}
	}
	if p.state.Other != "" {
		if err := address.CheckText(p.state.Other); err != nil {
			p.errs = append(p.errs, err)
			p.state.Other = ""
		}
	}
	p.pair.Mechanisms = []string{p.pair.A.ID, p.pair.B.ID}
	p.state.Mechanisms, p.pair.Other = p.pair.Mechanisms, p.state.Other
}

// inspect asks the engine about both maps. Its error is one that leaves no page to show.
func (p *comparePage) inspect(ctx context.Context) error {
	a, b, err := p.askSides(ctx)
	if err == nil && p.resolve(a, b) {
		a, b, err = p.askSides(ctx)
	}
	switch {
	case err == nil:
	case statusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		p.errs = append([]error{err}, p.errs...)
		p.shorten()
		p.pair.Text = p.state.Text
		return nil
	}
	p.sel = a
	if p.state.Other != "" {
		p.second = b
	}
	p.sides[0].sel, p.sides[1].sel = a, b
	for i, id := range []string{p.pair.A.ID, p.pair.B.ID} {
		side := &p.sides[i]
		if side.x, side.err = side.sel.Exhibit(id, "", 0); side.waits {
			side.x, side.err = nil, errLater
		}
	}
	if p.sides[0].err == nil && p.sides[1].err == nil {
		p.said = exhibit.Compare(p.sides[0].x, p.sides[1].x)
	}
	if p.layers == 0 {
		p.shorten()
		p.pair.State = p.state
	}
	p.state.Pin = p.state.Pin.Within(len(p.sel.Report.Tokens))
	p.pair.State = p.state
	return nil
}

// resolve replaces a layer and a head that a side does not have, and says whether there were any.
// What a form asked for another mechanism is replaced without a word.
func (p *comparePage) resolve(a, b *exhibit.Selection) (changed bool) {
	for i, side := range []*address.Side{&p.pair.A, &p.pair.B} {
		res := []*exhibit.Selection{a, b}[i].Result(side.ID)
		if res.Err != nil {
			p.s.logUnforeseen(p.r, res.Err)
			continue
		}
		p.layers, p.heads = max(p.layers, len(res.Layers)), max(p.heads, res.Heads)
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

// lacks complains of a number that a side does not have.
func (p *comparePage) lacks(id string, number int, has messages.Message) {
	if !p.pair.Chosen {
		p.complain(id, "number", number, "has", has)
	}
}

// side is what an address says of one of the maps.
func (p *comparePage) side(key string) address.Side {
	if key == address.SideA {
		return p.pair.A
	}
	return p.pair.B
}

// result is what the engine answered for a side; nil: nothing.
func (p *comparePage) result(i int) *engine.Result {
	side := p.sides[i]
	if side.sel == nil {
		return nil
	}
	return side.sel.Result(p.side(side.key).ID)
}

package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

// errLater is that of a mechanism whose influence a page does not wait for.
var errLater = engine.Errorf(engine.Busy, "error.influence.later")

func isLater(err error) bool { return errors.Is(err, errLater) }

// ask asks the engine about the page's text. A wall does not wait for all influence: what takes
// long is asked for card by card.
func (p *page) ask(ctx context.Context) (*exhibit.Selection, error) {
	wall := p.at == nil && p.pair == nil
	if p.waiting = nil; wall && !p.waits {
		var second []engine.Request
		if p.state.Other != "" {
			second = append(second, p.state.Second().Request())
		}
		p.waiting = p.s.inspector.later(p.state.Request(), second...)
	}
	sel, err := p.s.inspect(ctx, p.measured())
	if err != nil {
		return nil, err
	}
	if wall && p.waits {
		p.notInTime(sel.Report)
	}
	return p.withWaiting(sel), nil
}

// patiently has a page inspect what it shows. One that waits takes most of its request's time for that; when there is no room for
// all of it or none came in time, it becomes the page that does not wait, and says why.
func (p *page) patiently(ctx context.Context, inspect func(context.Context) error) error {
	if !p.waits {
		return inspect(ctx)
	}
	before, pair := *p, address.Comparison{}
	if p.pair != nil {
		pair = *p.pair
	}
	bound, cancel := mostOf(ctx)
	defer cancel()
	err := inspect(bound)
	if err == nil && p.sel != nil || ctx.Err() != nil {
		return err
	}
	if err == nil {
		err = p.errs[0]
	}
	p.s.logUnforeseen(p.r, err)
	*p = before
	if p.pair != nil {
		*p.pair = pair
	}
	p.waits, p.unmeasured = false, err
	return inspect(ctx)
}

// mostOf ends early enough that a page can be made of what there is by then.
func mostOf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/4*3)
}

// notInTime keeps the mechanisms that were not measured in the time of a page that waits.
func (p *page) notInTime(r *engine.Report) {
	for _, m := range r.Mechanisms {
		if m.Err != nil && statusOf(m.Err) == http.StatusServiceUnavailable {
			p.waiting, p.unmeasured = append(p.waiting, m.ID), m.Err
		}
	}
}

// rest leads to the page that waits.
func (p *page) rest() components.Rest {
	link := components.Link{Label: p.t("rest.link"), URL: address.Waiting(p.url(p.state))}
	if p.unmeasured == nil {
		return components.Rest{Says: p.t("rest.says"), Link: link}
	}
	rest := components.Rest{Says: p.t("rest.late", "why", fullStop(p.say(messageOf(p.unmeasured))))}
	if statusOf(p.unmeasured) == http.StatusServiceUnavailable { // what is too much is so again
		rest.Link = components.Link{Label: p.t("rest.again"), URL: link.URL}
	}
	return rest
}

// askSides asks the engine about both maps of a comparison. Of one that the page does not wait for it asks what the model's
// own maps are: how many words, layers and heads there are.
func (p *comparePage) askSides(ctx context.Context) (a, b *exhibit.Selection, err error) {
	p.sides = [2]compareSide{{key: address.SideA}, {key: address.SideB}}
	p.sidesLater()
	if !p.sides[0].waits && !p.sides[1].waits {
		return p.s.compare(ctx, *p.pair)
	}
	var sels [2]*exhibit.Selection
	for i, side := range p.sides {
		st := p.pair.Of(side.key)
		if side.waits {
			st.Show = exhibit.Maps
		}
		if sels[i], err = p.s.inspect(ctx, st); err != nil {
			return nil, nil, err
		}
	}
	return sels[0], sels[1], nil
}

// sidesLater decides for which sides the page does not wait. Who asks for one of them waits for that one alone.
func (p *comparePage) sidesLater() {
	first := p.pair.Of(address.SideA).Request()
	if p.waits || !measures(first) {
		return
	}
	jobs := [][]engine.Request{{first}, {p.pair.Of(address.SideB).Request()}}
	for _, i := range p.s.inspector.postponed(jobs, 0) {
		p.sides[i].waits = len(p.folds.only) == 0 || !p.folds.wants(p.sides[i].key)
	}
}

// measuringSide is how scripts ask for a side that is not measured yet.
func (p *comparePage) measuringSide(i int) components.Measuring {
	return components.Measuring{URL: p.url(p.state), Order: 1 + i, Together: true}
}

// withWaiting puts the mechanisms that the page does not wait for among those that were asked.
func (p *page) withWaiting(sel *exhibit.Selection) *exhibit.Selection {
	if len(p.waiting) == 0 {
		return sel
	}
	whole := *sel.Report
	whole.Mechanisms = nil
	for _, id := range p.state.Mechanisms {
		if !slices.Contains(p.waiting, id) {
			whole.Mechanisms = append(whole.Mechanisms, *sel.Result(id))
			continue
		}
		res := unanswered(id, errLater)
		if res.Model = p.s.model(id); res.Model != nil {
			res.Heads = res.Model.Heads
		}
		whole.Mechanisms = append(whole.Mechanisms, res)
	}
	sel.Report = &whole
	return sel
}

// measured is the page's state without the mechanisms that it does not wait for.
func (p *page) measured() address.State {
	st := p.state
	st.Mechanisms = slices.DeleteFunc(slices.Clone(st.Mechanisms), func(id string) bool { return slices.Contains(p.waiting, id) })
	return st
}

// measuring is how scripts ask for a card that is not measured yet.
func (p *page) measuring(m *engine.Result) components.Measuring {
	st := p.state
	st.Mechanisms = []string{m.ID}
	return components.Measuring{URL: p.url(st), Order: 1 + slices.Index(p.waiting, m.ID)}
}

package wall

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// ErrLater is that of a mechanism whose influence a page does not wait for.
var ErrLater = fault.Errorf(fault.Busy, "error.influence.later")

func isLater(err error) bool { return errors.Is(err, ErrLater) }

// ask asks the engine about the page's text. A wall does not wait for all influence: what takes
// long is asked for card by card.
func (p *View) ask(ctx context.Context) (*exhibit.Selection, error) {
	wall := p.At == nil && p.Pair == nil
	if p.waiting = nil; wall && !p.Waits {
		var second []engine.Request
		if p.State.Other != "" {
			second = append(second, p.State.Second().Request())
		}
		p.waiting = p.Site.Inspector.DeferredMechanisms(ctx, p.State.Request(), second...)
	}
	sel, err := p.Site.Inspect(ctx, p.measured())
	if err != nil {
		return nil, err
	}
	if wall && p.Waits {
		p.notInTime(sel.Report)
	}
	return p.withWaiting(sel), nil
}

// Patiently has a page inspect what it shows. One that waits takes most of its request's time for that; when there is
// no room for all of it or none came in time, it becomes the page that does not wait, and says why.
func (p *View) Patiently(ctx context.Context, inspect func(context.Context) error) error {
	if !p.Waits {
		return inspect(ctx)
	}
	before, pair := *p, address.Comparison{}
	if p.Pair != nil {
		pair = *p.Pair
	}
	bound, cancel := mostOf(ctx)
	defer cancel()
	err := inspect(bound)
	if err == nil && p.Sel != nil || ctx.Err() != nil {
		return err
	}
	if err == nil {
		err = p.Errs[0]
	}
	p.Site.LogUnforeseen(p.Request, err)
	*p = before
	if p.Pair != nil {
		*p.Pair = pair
	}
	p.Waits, p.unmeasured = false, err
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
func (p *View) notInTime(r *engine.Report) {
	for _, m := range r.Mechanisms {
		if m.Err != nil && site.StatusOf(m.Err) == http.StatusServiceUnavailable {
			p.waiting, p.unmeasured = append(p.waiting, m.ID), m.Err
		}
	}
}

// Rest leads to the page that waits.
func (p *View) Rest() components.SlowMeasurements {
	link := components.Link{Label: p.T("rest.link"), URL: address.Waiting(p.URL(p.State))}
	if p.unmeasured == nil {
		return components.SlowMeasurements{Says: p.T("rest.says"), Link: link}
	}
	rest := components.SlowMeasurements{Says: p.T("rest.late", "why", site.FullStop(p.Say(site.MessageOf(p.unmeasured))))}
	if site.StatusOf(p.unmeasured) == http.StatusServiceUnavailable { // what is too much is so again
		rest.Link = components.Link{Label: p.T("rest.again"), URL: link.URL}
	}
	return rest
}

// withWaiting puts the mechanisms that the page does not wait for among those that were asked.
func (p *View) withWaiting(sel *exhibit.Selection) *exhibit.Selection {
	if len(p.waiting) == 0 {
		return sel
	}
	whole := *sel.Report
	whole.Mechanisms = nil
	for _, id := range p.State.Mechanisms {
		if !slices.Contains(p.waiting, id) {
			whole.Mechanisms = append(whole.Mechanisms, *sel.Result(id))
			continue
		}
		res := site.Unanswered(id, ErrLater)
		if res.Model = p.Site.Model(id); res.Model != nil {
			res.Heads = res.Model.Heads
		}
		whole.Mechanisms = append(whole.Mechanisms, res)
	}
	sel.Report = &whole
	return sel
}

// measured is the page's state without the mechanisms that it does not wait for.
func (p *View) measured() address.State {
	st := p.State
	st.Mechanisms = slices.DeleteFunc(slices.Clone(st.Mechanisms),
		func(id string) bool { return slices.Contains(p.waiting, id) })
	return st
}

// measuring is how scripts ask for a card that is not measured yet.
func (p *View) measuring(m *engine.Result) components.Measuring {
	st := p.State
	st.Mechanisms = []string{m.ID}
	return components.Measuring{URL: p.URL(st), Order: 1 + slices.Index(p.waiting, m.ID)}
}

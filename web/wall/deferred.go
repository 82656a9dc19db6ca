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

// ErrLater is the error of a mechanism whose influence a page does not wait for.
var ErrLater = fault.Errorf(fault.Busy, "error.influence.later")

func isLater(err error) bool { return errors.Is(err, ErrLater) }

// ask runs the engine on the page's text. A wall does not wait for the influence of all cards: scripts ask for the
// slow ones card by card.
func (p *View) ask(ctx context.Context) (*exhibit.Selection, error) {
	wall := p.At == nil && p.Pair == nil
	if p.waiting = nil; wall && !p.Waits {
		var second []engine.Request
		if p.State.Other != "" {
			second = append(second, p.State.Second().Request())
		}
		p.waiting = p.Site.Inspector.DeferredMechanisms(ctx, p.State.Request(), second...)
	}
	st := p.measured()
	st.Choice = st.InTextOrder() // the order in which a page counts tokens
	sel, err := p.Site.Inspect(ctx, st)
	if err != nil {
		return nil, err
	}
	if wall && p.Waits {
		p.notInTime(sel.Report)
	}
	return p.withWaiting(sel), nil
}

// Patiently lets a page inspect its text. A page that waits uses most of the request's time for that. If there is not
// enough memory, or no result came in time, it becomes the page that does not wait, and says why.
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

// mostOf returns a context that ends early enough to make a page of the results so far.
func mostOf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/4*3)
}

// notInTime records the mechanisms that were not measured before a waiting page had to be sent.
func (p *View) notInTime(r *engine.Report) {
	for _, m := range r.Mechanisms {
		if m.Err != nil && site.StatusOf(m.Err) == http.StatusServiceUnavailable {
			p.waiting, p.unmeasured = append(p.waiting, m.ID), m.Err
		}
	}
}

// Rest returns the link to the page that waits.
func (p *View) Rest() components.SlowMeasurements {
	link := components.Link{Label: p.T("rest.link"), URL: address.Waiting(p.URL(p.State))}
	if p.unmeasured == nil {
		return components.SlowMeasurements{Says: p.T("rest.says"), Link: link}
	}
	rest := components.SlowMeasurements{Says: p.T("rest.late", "why", site.FullStop(p.Say(site.MessageOf(p.unmeasured))))}
	if site.StatusOf(p.unmeasured) == http.StatusServiceUnavailable { // a request that is too large fails again
		rest.Link = components.Link{Label: p.T("rest.again"), URL: link.URL}
	}
	return rest
}

// withWaiting inserts the mechanisms that the page does not wait for among those that were asked.
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

// measured returns the page's state without the mechanisms that it does not wait for.
func (p *View) measured() address.State {
	st := p.State
	st.Mechanisms = slices.DeleteFunc(slices.Clone(st.Mechanisms),
		func(id string) bool { return slices.Contains(p.waiting, id) })
	return st
}

// measuring returns the address where scripts ask for a card that is not measured yet.
func (p *View) measuring(m *engine.Result) components.Measuring {
	st := p.State
	st.Mechanisms = []string{m.ID}
	return components.Measuring{URL: p.URL(st), Order: 1 + slices.Index(p.waiting, m.ID)}
}

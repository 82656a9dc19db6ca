package web

import (
	"context"
	"errors"
	"slices"

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
	if p.at == nil && p.pair == nil {
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
	return p.withWaiting(sel), nil
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

// measuringSide is how scripts ask for a side that is not measured yet; where there are none, the page waits for both.
func (p *comparePage) measuringSide(i int) components.Measuring {
	return components.Measuring{URL: p.url(p.state), Order: 1 + i, Together: true}
}

// withWaiting puts the mechanisms that the page does not wait for among those that were asked.
func (p *page) withWaiting(sel *exhibit.Selection) *exhibit.Selection {
	if len(p.waiting) == 0 {
		return sel
	}
	whole, asked := *sel.Report, sel.Report.Mechanisms
	whole.Mechanisms = nil
	for _, id := range p.state.Mechanisms {
		if !slices.Contains(p.waiting, id) {
			whole.Mechanisms, asked = append(whole.Mechanisms, asked[0]), asked[1:]
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

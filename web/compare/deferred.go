package compare

import (
	"context"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// askSides runs the engine for both maps of a comparison. For a map that the page does not wait for, it requests
// the model's own maps. They tell the number of words, layers and heads.
func (p *comparePage) askSides(ctx context.Context) (a, b *exhibit.Selection, err error) {
	p.sides = [2]compareSide{{key: address.SideA}, {key: address.SideB}}
	p.sidesLater(ctx)
	if !p.sides[0].waits && !p.sides[1].waits {
		return inspect(ctx, p.Site.Server, *p.Pair)
	}
	var sels [2]*exhibit.Selection
	for i, side := range p.sides {
		st := p.Pair.Of(side.key)
		if side.waits {
			st.Show = exhibit.Maps
		}
		if sels[i], err = p.Site.Inspect(ctx, st); err != nil {
			return nil, nil, err
		}
	}
	return sels[0], sels[1], nil
}

// sidesLater decides for which sides the page does not wait. A request for one side waits only for that side.
func (p *comparePage) sidesLater(ctx context.Context) {
	first := p.Pair.Of(address.SideA).Request()
	if p.Waits || !site.Measures(first) {
		return
	}
	jobs := [][]engine.Request{{first}, {p.Pair.Of(address.SideB).Request()}}
	for _, i := range p.Site.Inspector.Postponed(ctx, jobs, 0) {
		p.sides[i].waits = len(p.Folds.Only) == 0 || !p.Folds.Wants(p.sides[i].key)
	}
}

// measuringSide returns the address where scripts ask for a side that is not measured yet.
func (p *comparePage) measuringSide(i int) components.Measuring {
	return components.Measuring{URL: p.URL(p.State), Order: 1 + i, Together: true}
}

package web

import (
	"context"
	"maps"
	"slices"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// resolveHeads replaces heads that no model on the page has, and of single cards those that
// their models have not.
func (p *page) resolveHeads() {
	has := func(n int) messages.Message { return messages.New("count.head", "count", n) }
	if p.state.Head > p.heads {
		p.complain("error.page.head", "number", p.state.Head, "has", has(p.heads))
		p.state.Head = exhibit.Auto
	}
	for _, id := range slices.Sorted(maps.Keys(p.state.Heads)) {
		head := p.state.Heads[id]
		if res := p.sel.Result(id); res != nil && res.Err == nil && head > res.Heads {
			p.complain("error.no-head", "name", messages.Text(p.name(id)), "has", has(res.Heads), "number", head)
			p.state = p.state.WithHead(id, p.state.Head)
		}
	}
}

// headChoices are the heads that the control offers for all cards. Where what is shown has no
// heads, there is nothing to choose, and the choice is kept for what has.
func (p *page) headChoices(heads int, chosen string, add func(value, label, hint string)) {
	switch {
	case !p.state.Show.Apart():
		add(chosen, p.t("control.head.together"), "")
	case heads > 0:
		add(exhibit.HeadName(exhibit.Auto), p.t("control.head.auto"), p.t("control.head.auto-help"))
		add(exhibit.HeadName(exhibit.Mean), p.t("control.head.mean"), "")
		numbered(heads, add)
	}
}

// ownHeads are the heads of single cards, which no control has, as fields of the form.
func ownHeads(st address.State) []components.Field {
	var fields []components.Field
	for _, id := range slices.Sorted(maps.Keys(st.Heads)) {
		fields = append(fields, components.Field{Name: address.OwnHead(id), Value: exhibit.HeadName(st.Heads[id])})
	}
	return fields
}

// headsOf says whose map a card shows, with small maps of all heads to choose from; on the
// mechanism's own page these stand beside, for every layer.
func (p *page) headsOf(card *exhibit.Card) components.Heads {
	x, id := card.Main, card.Main.Result.ID
	h := components.Heads{Says: capital(p.say(x.Head))}
	if !x.Apart() {
		return h
	}
	sharpest := x.Layer.Sharpest
	if x.Number > 0 && x.Number == sharpest {
		h.Why = p.t("heads.why")
	}
	if _, own := p.state.Heads[id]; own {
		h.Back = components.Link{Label: p.t("heads.back"), URL: p.url(p.state.WithHead(id, p.state.Head))}
	}
	h.Label = p.t("heads.label", "name", p.name(id))
	for head := range p.sel.Tiles(x.Result) {
		if p.at != nil {
			break
		}
		tile := components.HeadTile{
			ID: "head-" + id + "-" + exhibit.HeadName(head), Label: exhibit.HeadName(head), Hint: p.t("heads.tile", "number", head),
			Name: p.t("heads.name", "number", head, "name", p.name(id)),
			URL:  p.url(p.state.WithHead(id, head)), Current: head == x.Number, Sharpest: head > 0 && head == sharpest,
		}
		switch {
		case head == exhibit.Mean:
			tile.Label, tile.Hint, tile.Name = p.t("control.head.mean"), p.t("heads.mean"), p.t("heads.name-mean", "name", p.name(id))
		case tile.Sharpest:
			tile.Hint = p.t("heads.sharpest", "number", head, "why", messages.New("heads.why"))
		}
		h.Tiles = append(h.Tiles, tile)
	}
	if len(h.Tiles) > 0 {
		h.Sheet = p.headSheet(id, len(h.Tiles))
	}
	return h
}

// tileWidth is how many CSS pixels a small map is wide.
const tileWidth = 32

// headSheet is the picture of the small maps. It does not depend on which head is shown.
func (p *page) headSheet(id string, tiles int) components.Image {
	x, err := p.sel.Exhibit(id, exhibit.HeadSheet, 0)
	if err != nil || p.folds.scripted {
		return components.Image{}
	}
	st := p.state
	st.Head, st.Heads = exhibit.Auto, nil
	img := p.picture(st, x, tileWidth*tiles)
	img.Width, img.Height = tileWidth*tiles, tileWidth
	return img
}

// lasting is a state of a training in which heads are numbers: those that the finished models
// show, so that all steps show the same heads.
func (s *Server) lasting(ctx context.Context, st address.State) address.State {
	finished := st
	finished.After = ""
	sel, err := s.inspect(ctx, finished)
	if err != nil {
		return st
	}
	for _, id := range st.Mechanisms {
		if sel.Result(id).Generated != nil {
			continue // a recording knows the heads of its parts
		}
		if x, err := sel.Exhibit(id, "", 0); err == nil && st.HeadFor(id) == exhibit.Auto {
			st = st.WithHead(id, x.Number)
		}
	}
	return st
}

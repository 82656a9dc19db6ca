package wall

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// resolveHeads replaces heads that no model on the page has, and heads of single cards that their models do not have.
func (p *View) resolveHeads() {
	has := func(n int) messages.Message { return messages.New("count.head", "count", n) }
	if p.State.Head > p.Heads {
		p.Complain("error.page.head", "number", p.State.Head, "has", has(p.Heads))
		p.State.Head = exhibit.Auto
	}
	for _, id := range slices.Sorted(maps.Keys(p.State.Heads)) {
		head := p.State.Heads[id]
		if res := p.Sel.Result(id); res != nil && res.Err == nil && head > res.Heads {
			p.Complain("error.no-head", "name", messages.Text(p.Name(id)), "has", has(res.Heads), "number", head)
			p.State = p.State.WithHead(id, p.State.Head)
		}
	}
}

// HeadChoices returns the heads that the control for all cards offers. If nothing on the page has heads, it offers no
// choice and keeps the chosen head for pages that do.
func (p *View) HeadChoices(heads int, chosen string, add func(value, label, hint string)) {
	switch {
	case !p.State.Show.PerHead():
		add(chosen, p.T("control.head.together"), "")
	case heads > 0:
		add(exhibit.HeadName(exhibit.Auto), p.T("control.head.auto"), p.T("control.head.auto-help"))
		add(exhibit.HeadName(exhibit.Mean), p.T("control.head.mean"), "")
		Numbered(heads, add)
	}
}

// ownHeads returns the heads of single cards, which have no control, as fields of the form.
func ownHeads(st address.State) []components.Field {
	var fields []components.Field
	for _, id := range slices.Sorted(maps.Keys(st.Heads)) {
		fields = append(fields, components.Field{Name: address.OwnHead(id), Value: exhibit.HeadName(st.Heads[id])})
	}
	return fields
}

// headsOf describes the head whose map a card shows, with small maps of all heads to choose from. The mechanism's own
// page shows these maps for every layer instead.
func (p *View) headsOf(card *exhibit.Card) components.Heads {
	x, id := card.Main, card.Main.Result.ID
	h := components.Heads{Says: site.Capital(p.Say(x.Head))}
	if !x.PerHead() {
		return h
	}
	distinctive, why := x.Layer.Distinctive, p.Say(whyDistinctive(x.Layer))
	if x.Number > 0 && x.Number == distinctive {
		h.Why = why
	}
	if _, own := p.State.Heads[id]; own {
		h.Back = components.Link{Label: p.T("heads.back"), Hint: p.T("heads.back-hint"),
			URL: p.URL(p.State.WithHead(id, p.State.Head))}
	}
	h.Label = p.T("heads.label", "name", p.Name(id))
	for head := range p.Sel.Tiles(x.Result) {
		if p.At != nil {
			break
		}
		tile := components.HeadTile{
			ID: "head-" + id + "-" + exhibit.HeadName(head), Label: exhibit.HeadName(head),
			Hint: p.T("heads.tile", "number", head),
			Name: p.T("heads.name", "number", head, "name", p.Name(id)),
			URL:  p.URL(p.State.WithHead(id, head)), Current: head == x.Number, Distinctive: head > 0 && head == distinctive,
		}
		switch {
		case head == exhibit.Mean:
			tile.Label, tile.Hint, tile.Name = p.T("control.head.mean"), p.T("heads.mean"), p.T("heads.name-mean", "name",
				p.Name(id))
		case tile.Distinctive:
			tile.Hint = strings.TrimSpace(p.T("heads.distinctive", "number", head) + " " + why)
		}
		h.Tiles = append(h.Tiles, tile)
	}
	if len(h.Tiles) > 0 {
		h.Sheet = p.headSheet(id, len(h.Tiles))
	}
	return h
}

// whyDistinctive says why a head is the most distinctive one of its layer. It returns nothing if that was not
// measured.
func whyDistinctive(l engine.Layer) messages.Message {
	switch d := l.Dependence; {
	case len(d) == 0 || l.Distinctive == 0:
		return messages.Message{}
	case !l.Depends():
		return messages.New("heads.why.positions")
	case len(d) == 1:
		return messages.New("heads.why.alone", "share", messages.Percent(d[0]))
	default:
		others := slices.Delete(slices.Clone(d), l.Distinctive-1, l.Distinctive)
		return messages.New("heads.why.words", "share", messages.Percent(d[l.Distinctive-1]), "most", messages.Percent(slices.Max(others)))
	}
}

// tileWidth is the width of a small map in CSS pixels.
const tileWidth = 32

// headSheet returns the picture of the small maps. It does not depend on the head that is shown.
func (p *View) headSheet(id string, tiles int) components.Image {
	_, cols, ok := p.Sel.SheetSize(p.Sel.Result(id))
	if !ok || p.Folds.scripted {
		return components.Image{}
	}
	st := p.State
	st.Head, st.Heads = exhibit.Auto, nil
	v := url.Values{address.Map: {exhibit.HeadSheet}}
	img := cells([2]int{1, cols}, tileWidth*tiles, st.Theme, v, func(theme string, v url.Values) string {
		st.Theme = theme
		return address.Export(st, id, "png", v)
	})
	img.Width, img.Height = tileWidth*tiles, tileWidth
	return img
}

// Lasting returns a state of a training whose heads are numbers. They are the heads that the finished models show, so
// that all steps show the same heads.
func (s *Views) Lasting(ctx context.Context, st address.State) address.State {
	finished := st
	finished.After = ""
	sel, err := s.Inspect(ctx, finished)
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

package compare

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// view returns the data of the page's component.
func (p *comparePage) view() pageView {
	c := pageView{Wall: components.Wall{
		Page: p.Site.Head(p.Language, "compare", p.T("compare.title"), p.T("compare.about"), p.asWall()).With(files...),
		Text: site.Clean(p.Typed), Problem: p.Problem(), Controls: p.Controls(), Second: p.SecondLine(),
		Verb: p.Say(p.State.Show.Verb()),
	}}
	c.Controls.Action, c.Controls.Mechanisms = "/compare", components.Menu{}
	c.Controls.Selects = slices.DeleteFunc(c.Controls.Selects,
		func(s components.Select) bool { return s.Name == address.Layer || s.Name == address.Head })
	c.Sides = []CompareSide{p.choose(0, address.SideA), p.choose(1, address.SideB)}
	swapped := *p.Pair
	swapped.State = p.State
	c.Swap = components.Link{Label: p.T("compare.swap"), Hint: p.T("compare.swap-help"),
		URL: address.Compare(swapped.Swapped())}
	if p.Sel == nil {
		return c
	}
	c.Cuts = p.Cuts()
	c.Permalink, c.Tokens = p.URL(p.State), wall.Tokens(p.Sel.Report.Tokens)
	if p.Layers > 0 {
		c.Tokens, c.Hint = p.Strip(), p.Hint()
	}
	for i := range p.sides {
		c.Cards = append(c.Cards, p.sideCard(i))
	}
	p.tellWaiting(&c)
	if p.said != nil {
		c.DataURL = address.CompareDrawing(*p.Pair)
		p.tell(&c)
	}
	c.Pin = p.pin()
	p.OnCards(&c.Wall)
	return c
}

// choose returns the controls of a side: its mechanism, layer and head.
func (p *comparePage) choose(i int, key string) CompareSide {
	side := p.side(key)
	of := func(name, label string) components.Select {
		return components.Select{Name: name, Label: p.T(label + ".label"), Help: p.T(label + ".help")}
	}
	mechanism, layer, head := of(key, "compare.mechanism"), of(address.LayerOf(key),
		"control.layer"), of(address.HeadOf(key), "control.head")
	for _, known := range p.Site.Listed([]string{side.ID}) {
		e := p.Site.Described(&known)
		if known.ID == side.ID || p.Site.Trained(known.ID) {
			mechanism.Options = append(mechanism.Options,
				components.SelectOption{Value: e.ID, Label: p.Say(e.Name), Hint: p.Say(e.Summary), Selected: known.ID == side.ID})
		}
	}
	layers, heads := p.Depth()
	if res := p.result(i); res != nil && res.Err == nil {
		layers, heads = len(res.Layers), res.Heads
	}
	wall.Numbered(layers, func(value, label, hint string) {
		layer.Options = append(layer.Options, components.SelectOption{Value: value, Label: label, Hint: hint,
			Selected: value == strconv.Itoa(max(side.Layer, 1))})
	})
	chosen := exhibit.HeadName(side.Head)
	p.HeadChoices(heads, chosen, func(value, label, hint string) {
		head.Options = append(head.Options, components.SelectOption{Value: value, Label: label, Hint: hint,
			Selected: value == chosen})
	})
	return CompareSide{Name: strings.ToUpper(key), Selects: []components.Select{mechanism, layer, head}}
}

// sideCard returns the card of a side.
func (p *comparePage) sideCard(i int) components.Card {
	side := p.sides[i]
	id := p.side(side.key).ID
	card := components.Card{ID: side.key, Name: strings.ToUpper(side.key) + " · " + p.Name(id)}
	if side.waits {
		card.Measuring = p.measuringSide(i)
		return card
	}
	if side.err != nil {
		card.Error = site.Clean(site.FullStop(p.Say(site.MessageOf(side.err))))
		return card
	}
	card.Summary = p.Say(side.x.Where(" · "))
	card.Map = p.comparedMap(side.key, side.x)
	if share, rests := side.x.Resting(); rests {
		card.Note = p.T("compare.rests", "share", messages.Percent(share))
	}
	return card
}

// tellWaiting says which maps the page does not wait for. If only one side has a map, it says where that map is
// drawn.
func (p *comparePage) tellWaiting(c *pageView) {
	c.Measured = len(p.sides)
	for i, side := range p.sides {
		if side.waits {
			c.Waiting++
		} else if side.err == nil && p.sides[1-i].err != nil {
			c.DataURL = address.CompareDrawingOf(*p.Pair, side.key)
		}
	}
	if c.Waiting > 0 {
		c.Cards = append(c.Cards, components.Card{ID: exhibit.DifferenceMap, Name: "A − B", Error: p.T("compare.when-both")})
		c.Rest = p.Rest()
	}
}

// comparedMap returns one of the three maps.
func (p *comparePage) comparedMap(which string, x *exhibit.Exhibit) components.Map {
	if p.said == nil { // there is only one map
		m := p.MapView(x, p.Pair.Of(which))
		m.Mechanism, m.Planes = which, nil
		return m
	}
	m := p.MapView(x, p.State)
	m.Mechanism, m.Image, m.Planes = which, p.Compared(*p.Pair, which, x, 2*wall.CardWidth), nil
	return m
}

// tell says, on a card and below, how the maps differ.
func (p *comparePage) tell(c *pageView) {
	a, b := p.said.Names()
	card := components.Card{ID: exhibit.DifferenceMap, Name: "A − B", Summary: p.T("compare.minus", "a", a, "b", b)}
	if p.said.Difference != nil {
		card.Map = p.comparedMap(exhibit.DifferenceMap, p.said.Difference)
	} else {
		card.Error = p.Say(p.said.NoDifference)
	}
	c.Cards = append(c.Cards, card)
	p.numbers(c)
	for _, k := range p.said.Contrasts(p.State.Show) {
		st := p.State
		st.Pin = address.Pin{Row: k.Row + 1, Col: k.Col + 1}
		c.Contrasts = append(c.Contrasts, Contrast{Text: p.Say(k.Text), URL: p.URL(st), Current: st.Pin == p.State.Pin})
	}
	p.rows(c)
	c.Exports = []components.Link{
		{Label: p.T("compare.png"), Hint: p.T("export.figure"), URL: address.CompareFigure(*p.Pair, "png", nil),
			Download: p.said.FileName("png")},
		{Label: "JSON", Hint: p.T("compare.json-hint"), URL: address.CompareData(*p.Pair)},
	}
	if p.State.Show == exhibit.Maps && p.said.Difference == nil {
		st := p.State
		st.Show = exhibit.Influence
		c.Offers = append(c.Offers, components.Link{Label: p.T("compare.influence"), Hint: p.T("show.influence.help"),
			URL: p.URL(st)})
	}
}

// numbers adds the measures of both maps, or says why there are none.
func (p *comparePage) numbers(c *pageView) {
	said := p.said
	for _, n := range []struct {
		id    string
		value float64
		why   messages.Message
	}{{"divergence", said.Divergence(), said.NoRows}, {"rank", said.Rank, said.NoRank},
		{"changed", said.Changed, said.NoDifference}} {
		label := p.T("compare.number." + n.id + ".label")
		switch {
		case !math.IsNaN(n.value) && n.id == "changed" && said.Same:
			c.Facts = append(c.Facts, components.Fact{Label: label, Value: p.T("change.same"),
				Help: p.T("compare.number.changed.help")})
		case !math.IsNaN(n.value):
			c.Facts = append(c.Facts, components.Fact{Label: label,
				Value: p.T("compare.number."+n.id+".value", "value", messages.Number(n.value)),
				Help:  p.T("compare.number." + n.id + ".help")})
		case !n.why.IsZero():
			c.Why = append(c.Why, Why{What: label, Reason: p.Say(n.why)})
		}
	}
}

// mostRows is the largest number of rows that are listed. A longer list keeps the rows that differ most.
const mostRows = 64

// rows lists the divergences of the rows.
func (p *comparePage) rows(c *pageView) {
	order := make([]int, 0, len(p.said.Rows))
	for i, d := range p.said.Rows {
		if !math.IsNaN(d) {
			order = append(order, i)
		}
	}
	if len(order) > mostRows {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p.said.Rows[j], p.said.Rows[i]) })
		c.MoreRows = p.T("compare.more-rows", "shown", mostRows, "all", len(order))
		order = order[:mostRows]
	}
	for _, i := range order {
		d := p.said.Rows[i]
		c.Rows = append(c.Rows, Divergence{Label: p.Sel.Report.Tokens[i].Label(), Value: messages.Number(d), Bits: d})
	}
}

// pin reads the pinned cell in the three maps.
func (p *comparePage) pin() *components.Pin {
	at := p.State.Pin
	if p.said == nil || at == (address.Pin{}) {
		return nil
	}
	tokens := p.Sel.Report.Tokens
	pin := &components.Pin{Row: at.Row - 1, Col: at.Col - 1, RowText: tokens[at.Row-1].Label()}
	if at.Col > 0 {
		pin.ColText = tokens[at.Col-1].Label()
	} else {
		pin.Verb = p.T("reading.most." + p.State.Show.String())
	}
	for _, one := range []struct {
		id, name string
		x        *exhibit.Exhibit
	}{{address.SideA, "A", p.said.A}, {address.SideB, "B", p.said.B},
		{exhibit.DifferenceMap, "A − B", p.said.Difference}} {
		r := components.Reading{Mechanism: one.id, Name: one.name, Value: "–"}
		if one.x != nil && at.Col > 0 {
			said := one.x.Reading(at.Row-1, at.Col-1)
			r.Value, r.Exact = p.Say(said.Text), said.Exact
		}
		pin.Readings = append(pin.Readings, r)
	}
	return pin
}

// asWall returns the state of a wall with the two mechanisms.
func (p *comparePage) asWall() address.State {
	st := p.State
	if st.Norm == address.DefaultNorm {
		st.Norm = address.Default().Norm
	}
	return st
}

package wall

import (
	"net/url"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// comparable adds to every card the link to a comparison with the next card that has a map. The last card is compared
// with the first, and a single card with the default one.
func (p *View) comparable(cards []components.Card) {
	var with []*components.Card
	for i := range cards {
		if cards[i].Side != "" {
			with = append(with, &cards[i])
		}
	}
	for i, c := range with {
		v := url.Values{address.SideA: {c.Side}}
		if next := with[(i+1)%len(with)]; next != c {
			v.Set(address.SideB, next.Side)
		}
		pair, _ := address.DecodeComparison(v, p.Site.Vocab)
		st := p.State
		if st.Norm == address.Default().Norm {
			st.Norm = address.DefaultNorm
		}
		pair.State = st.Plain()
		c.Compare = components.Link{Label: p.T("compare.with"), Hint: p.T("compare.with-help"), URL: address.Compare(pair)}
	}
}

// explainLink returns a card's link to the trace of its pinned number. Scripts update it with the pin.
func (p *View) explainLink(c *components.Card, card *exhibit.Card) {
	x := card.Main
	if _, ok := p.Site.Engine.(site.Explainer); !ok || x.View.Apart || x.Layer.Number == 0 || x.Part != "" ||
		p.State.Show != exhibit.Maps || p.State.After != "" {
		return
	}
	st := p.State
	st.Layer = x.Layer.Number
	c.Explain = components.Link{Label: p.T("explain.link"), Hint: p.T("explain.link-help"),
		URL: address.One(address.ExplainPath, st, x.Result.ID, url.Values{address.Map: {x.Name}})}
	c.Explained = p.State.Pin.Row > 0 && p.State.Pin.Col > 0
}

// TakeLink returns the link to the export page of a figure.
func (p *View) TakeLink(st address.State, id string) components.Link {
	return components.Link{Label: p.T("take.link"), Hint: p.T("take.lead"),
		URL: strings.Replace(address.Export(st, id, "png", nil), "/export/"+url.PathEscape(id)+".png", "/take/"+
			url.PathEscape(id), 1)}
}

// stepsLink returns a card's link to the steps of its forward pass.
func (p *View) stepsLink(c *components.Card, card *exhibit.Card) {
	x := card.Main
	if _, ok := p.Site.Engine.(site.Stepper); !ok || p.State.After != "" || x.Part != "" &&
		x.Part != engine.EncoderPart {
		return
	}
	st := p.State
	if st.Layer = x.Layer.Number; st.Layer == 0 {
		st.Layer = p.State.Layer
	}
	c.Steps = components.Link{Label: p.T("steps.link"), Hint: p.T("steps.link-help"),
		URL: address.One(address.StepsPath, st.Word(), x.Result.ID, nil)}
}

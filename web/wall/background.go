package wall

import (
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/web/site"
)

// Background returns the facts about a mechanism for texts of n tokens: for the sizes of its model, or, if there is
// none, for the sizes that a model of it would have.
func (p *View) Background(e *site.Mechanism, n int) components.Background {
	b := components.Background{Cost: e.Cost, Paper: Paper(e.Paper), Limits: p.limits(e.Masks)}
	like := p.Site.SizedLike(*e)
	if like == nil {
		return b
	}
	c := engine.MixerOf(like)
	params, flops := e.ParamsFormula, e.FLOPsFormula
	if len(c.Options) > 0 {
		params, flops = "", "" // they hold for the default options only
	}
	counts := []components.Count{
		{Label: p.T("count.parameters"), Formula: params, Value: messages.Grouped(e.Params(c)),
			Help: p.T("count.parameters-help")},
		{Label: p.T("count.operations", "tokens", messages.New("count.token", "count", n)), Formula: flops,
			Value: messages.Grouped(e.FLOPs(c, n)), Help: p.T("count.operations-help")},
	}
	if engine.FindGuest(e.ID) == nil { // its mixer is not the entry's in every detail
		b.Counts = counts
	}
	if model := p.Site.Model(e.ID); model != nil {
		b.Counts = append(b.Counts, components.Count{Label: p.T("count.model"), Value: messages.Grouped(model.Params),
			Help: p.wholeHelp(e, model)})
	}
	if e.Sizes != nil {
		for _, size := range e.Sizes(c, n) {
			b.Sizes = append(b.Sizes, components.Fact{Label: size.Symbol, Value: messages.Grouped(size.Value),
				Help: p.Say(size.Meaning)})
		}
	}
	return b
}

// limits lists the masks that a mechanism is not defined for.
func (p *View) limits(m attention.Masks) []string {
	var all []string
	for _, reason := range []messages.Message{m.NoPadding, m.NoCausal, m.NoPairs} {
		if !reason.IsZero() {
			all = append(all, p.Say(reason))
		}
	}
	return all
}

// Paper returns a paper as pages show it.
func Paper(p citation.Paper) components.Citation {
	v := components.Citation{
		Authors: p.Names(), Title: p.Title, Venue: strings.TrimSpace(p.Venue + " " + strconv.Itoa(p.Year)),
		Equations: p.Equations, BibTeX: p.BibTeX(),
	}
	if p.ArXiv != "" {
		v.URL, v.URLLabel = "https://arxiv.org/abs/"+p.ArXiv, "arXiv:"+p.ArXiv
	}
	return v
}

package web

import (
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
)

// background is what is known of a mechanism for texts of n tokens: for its
// model's sizes, or for those that a model of it would have when there is none.
func (p *page) background(e *mechanism, n int) components.Background {
	b := components.Background{Cost: e.Cost, Paper: paper(e.Paper), Limits: p.limits(e.Masks)}
	like := p.s.like(*e)
	if like == nil {
		return b
	}
	c := engine.MixerOf(like)
	params, flops := e.ParamsFormula, e.FLOPsFormula
	if len(c.Options) > 0 {
		params, flops = "", "" // they are those of the default options
	}
	b.Counts = []components.Count{
		{Label: p.t("count.parameters"), Formula: params, Value: messages.Grouped(e.Params(c)), Help: p.t("count.parameters-help")},
		{Label: p.t("count.operations", "tokens", messages.New("count.token", "count", n)), Formula: flops, Value: messages.Grouped(e.FLOPs(c, n)), Help: p.t("count.operations-help")},
	}
	if model := p.s.model(e.ID); model != nil {
		b.Counts = append(b.Counts, components.Count{Label: p.t("count.model"), Value: messages.Grouped(model.Params), Help: p.wholeHelp(e, model)})
	}
	if e.Sizes != nil {
		for _, size := range e.Sizes(c, n) {
			b.Sizes = append(b.Sizes, components.Fact{Label: size.Symbol, Value: messages.Grouped(size.Value), Help: p.say(size.Meaning)})
		}
	}
	return b
}

// setting says for which sizes the numbers of a background are.
func (p *page) setting(e *mechanism, n int) string {
	model := p.s.like(*e)
	if model == nil {
		return "."
	}
	whose := "setting." + p.s.whose()
	switch {
	case p.s.model(e.ID) != nil:
	case e.Stack != nil:
		whose = "setting.default"
	default:
		whose = "setting.like-" + p.s.whose()
	}
	sizes := messages.New("setting.sizes", "width", model.Width, "heads", model.Heads, "positions", model.Length, "tokens", n)
	if e.Stack != nil {
		sizes = messages.New("setting.stack", "layers", e.facts(model).Runs, "width", model.Width, "heads", model.Heads, "positions", model.Length, "tokens", n)
	}
	return p.t("setting.all", "whose", messages.New(whose), "sizes", sizes)
}

// limits say which masks a mechanism is not defined for.
func (p *page) limits(m attention.Masks) []string {
	var all []string
	for _, reason := range []messages.Message{m.NoPadding, m.NoCausal, m.NoPairs} {
		if !reason.IsZero() {
			all = append(all, p.say(reason))
		}
	}
	return all
}

func paper(p attention.Paper) components.Paper {
	v := components.Paper{
		Authors: p.Names(), Title: p.Title, Venue: strings.TrimSpace(p.Venue + " " + strconv.Itoa(p.Year)),
		Equations: p.Equations, BibTeX: p.BibTeX(),
	}
	if p.ArXiv != "" {
		v.URL, v.URLLabel = "https://arxiv.org/abs/"+p.ArXiv, "arXiv:"+p.ArXiv
	}
	return v
}

// story is what a student should know of a mechanism, and of which model it is said.
func (p *page) story(e *mechanism) []string {
	story := append(p.ownStory(e), p.l.Paragraphs(e.Story)...)
	switch {
	case e.Stack == nil:
	case e.Stack.ID == encoder.Encoder.ID: // the mechanisms' own models are its shipped ones
	case e.ID != e.Stack.ID:
		story = append(story, p.t("story.pairing", "name", e.Stack.Name))
	case !p.s.trained(e.ID):
		story = append(story, p.t("story.untrained", "id", e.ID))
	}
	return story
}

package wall

import (
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/web/site"
)

// Learned describes how well the model of a mechanism predicts, and its training data.
func (p *View) Learned(e *site.Mechanism) components.Learned {
	m, info := p.Site.ResultsOf(e), p.Site.Model(e.ID)
	if m == nil || info == nil {
		return components.Learned{}
	}
	to := site.StateLinks(p.Carried())
	l := components.Learned{Brief: p.Say(p.Site.Results.Brief(*m)), Texts: p.learnedFrom(info), Results: to("/results"),
		Sources: to("/about") + "#data"}
	for _, f := range p.Site.Results.Figures(*m) {
		l.Figures = append(l.Figures, components.MeasureFigure{Label: p.Say(f.Label), Value: f.Value, Nothing: f.Nothing})
	}
	for _, sentence := range p.Site.Results.Meaning(*m) {
		l.Meaning = append(l.Meaning, p.Say(sentence))
	}
	fact := func(id, value string) {
		l.Facts = append(l.Facts, components.Fact{Label: p.T("learned.fact." + id), Value: value})
	}
	var seeds, commits []string
	for _, run := range m.Runs {
		seeds = append(seeds, strconv.FormatUint(run.Seed, 10))
		if c := run.Commit[:min(len(run.Commit), 10)]; c != "" && !slices.Contains(commits, c) {
			commits = append(commits, c)
		}
	}
	fact("steps", messages.Grouped(m.Steps))
	fact("pieces", messages.Grouped(m.Tokens))
	fact("length", p.T("learned.fact.length-value", "pieces", m.Length))
	fact("parameters", messages.Grouped(m.Params))
	fact("size", p.T("learned.fact.size-value", "layers", info.Layers, "heads", info.Heads, "width", info.Width))
	fact("seeds", strings.Join(seeds, ", "))
	if commits != nil {
		fact("commit", strings.Join(commits, ", "))
	}
	return l
}

// learnedFrom names the texts that a model was trained on, without their licences.
func (p *View) learnedFrom(info *engine.ModelInfo) string {
	var names messages.List
	for _, text := range info.Data {
		name, _, _ := strings.Cut(text, " (")
		names = append(names, name)
	}
	if names == nil {
		return ""
	}
	return p.T("learned.texts", "texts", names)
}

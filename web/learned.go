package web

import (
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/results"
)

// resultsOf are those of the model that a mechanism or stack shows, or nil.
func (s *Server) resultsOf(e *mechanism) *results.Model {
	if m := s.model(e.ID); m != nil && s.borrowed(*e) {
		return s.results.Find(m.Mechanism)
	}
	return s.results.Find(e.ID)
}

// learned tells how well the model of a mechanism guesses, and from what it learned.
func (p *page) learned(e *mechanism) components.Learned {
	m, info := p.s.resultsOf(e), p.s.model(e.ID)
	if m == nil || info == nil {
		return components.Learned{}
	}
	to := along(p.carried())
	l := components.Learned{Brief: p.say(p.s.results.Brief(*m)), Texts: p.learnedFrom(info), Results: to("/results"), Sources: to("/about") + "#data"}
	for _, f := range p.s.results.Figures(*m) {
		l.Figures = append(l.Figures, components.Figure{Label: p.say(f.Label), Value: f.Value, Nothing: f.Nothing})
	}
	for _, sentence := range p.s.results.Meaning(*m) {
		l.Meaning = append(l.Meaning, p.say(sentence))
	}
	fact := func(id, value string) {
		l.Facts = append(l.Facts, components.Fact{Label: p.t("learned.fact." + id), Value: value})
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
	fact("length", p.t("learned.fact.length-value", "pieces", m.Length))
	fact("parameters", messages.Grouped(m.Params))
	fact("size", p.t("learned.fact.size-value", "layers", info.Layers, "heads", info.Heads, "width", info.Width))
	fact("seeds", strings.Join(seeds, ", "))
	if commits != nil {
		fact("commit", strings.Join(commits, ", "))
	}
	return l
}

// learnedFrom names the texts that a model learned from, without their licences.
func (p *page) learnedFrom(info *engine.ModelInfo) string {
	var names messages.List
	for _, text := range info.Data {
		name, _, _ := strings.Cut(text, " (")
		names = append(names, name)
	}
	if names == nil {
		return ""
	}
	return p.t("learned.texts", "texts", names)
}

package results

import (
	"net/http"
	"slices"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/engine/results"
	"attnatlas/web/address"
	"attnatlas/web/scene"
	"attnatlas/web/wall"
)

// reason is what the page says about the rank of a bundled mechanism.
type reason struct {
	mechanism string
	beside    []string // the other models whose figures its text quotes
	paper     bool     // whether its text quotes the model with the options of the paper
	example   string   // id of an example of the gallery that shows the mechanism
}

// reasons lists the mechanisms by family, as the catalogue does.
var reasons = []reason{
	{mechanism: "dot-product", beside: []string{"random", "longformer"}, example: "one-word-changed"},
	{mechanism: "random", beside: []string{"dot-product"}, example: "same-words-other-order"},
	{mechanism: "fixed-random", example: "same-words-other-order"},
	{mechanism: "factorized-random", beside: []string{"random"}, example: "the-word-before"},
	{mechanism: "dense", beside: []string{"random", "dot-product"}, example: "one-word-changed"},
	{mechanism: "factorized-dense", beside: []string{"dense"}, example: "one-word-changed"},
	{mechanism: "mixture-rv", beside: []string{"random", "dot-product"}, example: "red-and-blue"},
	{mechanism: "mixture-rd", beside: []string{"random", "dense"}, example: "red-and-blue"},
	{mechanism: "mixture-dv", beside: []string{"dense", "dot-product"}, example: "red-and-blue"},
	{mechanism: "mixture-rdv", beside: []string{"mixture-rv", "mixture-rd", "mixture-dv"}, example: "red-and-blue"},
	{mechanism: "fastformer", beside: []string{"fixed-random", "dot-product"}, example: "no-pairs-at-all"},
	{mechanism: "linformer", paper: true, example: "slots"},
	{mechanism: "linear", beside: []string{"dot-product"}, example: "no-matrix"},
	{mechanism: "longformer", beside: []string{"dot-product"}, example: "a-window"},
	{mechanism: "bigbird", beside: []string{"longformer", "dot-product"}, example: "blocks"},
	{mechanism: "poolingformer", paper: true, beside: []string{"longformer"}, example: "two-windows"},
	{mechanism: "reformer", paper: true, beside: []string{"dot-product"}, example: "buckets"},
	{mechanism: "shuffle-exchange", beside: []string{"dot-product"}, example: "butterfly"},
	{mechanism: "residual-shuffle-exchange", beside: []string{"shuffle-exchange"}, example: "butterfly"},
}

// reasons explains, with figures, where each mechanism ends, in the order of their losses. The reasons apply to the
// bundled models.
func (s *pages) reasons(r *http.Request, l *messages.Language) (all []Reason) {
	if s.Own {
		return nil
	}
	page := wall.View{Site: s.Views, Request: r, Language: l, State: s.StateOf(r)}
	for _, m := range s.Results.Sorted() {
		at := slices.IndexFunc(reasons, func(why reason) bool { return why.mechanism == m.ID })
		if at < 0 {
			continue
		}
		figures, ok := s.quoted(reasons[at])
		number, examples, found := scene.Example(reasons[at].example)
		if !ok || !found {
			continue
		}
		title := l.T("example." + examples[number].ID + ".title")
		all = append(all, Reason{Name: l.Say(results.Name(m.ID)), Text: l.T("results.reasons."+m.ID, figures...),
			Example: l.T("results.reasons.example", "title", title),
			URL:     address.Wall(page.ExampleState(examples[number]))})
	}
	return all
}

// quoted returns the figures for the text of a reason: loss, long, topic and ten of its mechanism, random, random_long,
// random_topic and random_ten of another one, such as learned random, and paper and so on of the mechanism with the
// options of its paper. ok is false if one of them was not measured.
func (s *pages) quoted(why reason) (figures []any, ok bool) {
	quote := func(name, prefix string, m *results.ModelResults) bool {
		if m == nil {
			return false
		}
		long, hasLong := m.Long["256"]
		topic, hasTopic := m.Score["topic"]
		gaps, hasGaps := m.Gaps["english"]
		figures = append(figures, name, m.Loss.Nats(), prefix+"long", long.Nats(), prefix+"topic", topic.Percent(),
			prefix+"ten", messages.Percent(gaps.Ten))
		return hasLong && hasTopic && hasGaps
	}
	ok = quote("loss", "", s.Results.Find(why.mechanism))
	for _, id := range why.beside {
		name := strings.ReplaceAll(id, "-", "_")
		ok = quote(name, name+"_", s.Results.Find(id)) && ok
	}
	if why.paper {
		m := s.Results.Comparable(why.mechanism)
		ok = quote("paper", "paper_", m) && m.Paper && ok
	}
	return figures, ok
}

// small lists mechanisms whose models have far smaller options than in their papers: windows, blocks and slots for
// one sentence.
var small = []string{"linformer", "longformer", "bigbird", "poolingformer", "reformer", "reversible"}

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
	example   string   // id of an example of the gallery that shows the mechanism
}

// reasons lists the mechanisms by family, as the catalogue does.
var reasons = []reason{
	{"dot-product", []string{"random"}, "one-word-changed"},
	{"random", []string{"dot-product"}, "same-words-other-order"},
	{"fixed-random", nil, "same-words-other-order"},
	{"factorized-random", []string{"random"}, "the-word-before"},
	{"dense", []string{"random", "dot-product"}, "one-word-changed"},
	{"factorized-dense", []string{"dense"}, "one-word-changed"},
	{"mixture-rv", []string{"random", "dot-product"}, "red-and-blue"},
	{"mixture-rd", []string{"random", "dense"}, "red-and-blue"},
	{"mixture-dv", []string{"dense", "dot-product"}, "red-and-blue"},
	{"mixture-rdv", []string{"mixture-rv", "mixture-rd", "mixture-dv"}, "red-and-blue"},
	{"fastformer", []string{"fixed-random", "dot-product"}, "no-pairs-at-all"},
	{"linformer", nil, "slots"},
	{"linear", []string{"dot-product"}, "no-matrix"},
	{"longformer", []string{"dot-product"}, "a-window"},
	{"bigbird", []string{"longformer", "dot-product"}, "blocks"},
	{"poolingformer", []string{"longformer"}, "two-windows"},
	{"reformer", nil, "buckets"},
	{"shuffle-exchange", []string{"dot-product"}, "butterfly"},
	{"residual-shuffle-exchange", []string{"shuffle-exchange"}, "butterfly"},
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

// quoted returns the figures for the text of a reason: loss, long, topic and ten of its mechanism, and random,
// random_long, random_topic and random_ten of another one, such as learned random. ok is false if one of them was not
// measured.
func (s *pages) quoted(why reason) (figures []any, ok bool) {
	for i, id := range append([]string{why.mechanism}, why.beside...) {
		m := s.Results.Find(id)
		if m == nil {
			return nil, false
		}
		long, hasLong := m.Long["256"]
		topic, hasTopic := m.Score["topic"]
		gaps, hasGaps := m.Gaps["english"]
		if !hasLong || !hasTopic || !hasGaps {
			return nil, false
		}
		loss := strings.ReplaceAll(id, "-", "_")
		prefix := loss + "_"
		if i == 0 {
			loss, prefix = "loss", ""
		}
		figures = append(figures, loss, m.Loss.Nats(), prefix+"long", long.Nats(), prefix+"topic", topic.Percent(),
			prefix+"ten", messages.Percent(gaps.Ten))
	}
	return figures, true
}

// small lists mechanisms whose models have far smaller options than in their papers: windows, blocks and slots for
// one sentence.
var small = []string{"linformer", "longformer", "bigbird", "poolingformer", "reformer", "reversible"}

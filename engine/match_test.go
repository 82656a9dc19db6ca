package engine_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/similarity"
)

// TestMatch: the cells of a map sum to the cosine, and the passages are ranked by it.
func TestMatch(t *testing.T) {
	e := engine.New()
	r := similarity.Question{Mechanism: "dot-product", Query: "The cat sat on the mat.",
		Passages: []string{"I like bread.", "The cat sat on the mat.", "A dog lay on the rug."}}
	for chosen := range 4 {
		r.Chosen = chosen
		m, err := e.Match(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		want := chosen - 1
		if chosen == 0 {
			want = 1
		}
		p := m.Passages[m.Chosen]
		if m.Chosen != want || len(m.Pairs.Cells) != len(m.Query.Tokens) || len(m.Pairs.Cells[0]) != len(p.Tokens) ||
			math.Abs(m.Pairs.Sum()-p.Score) > 1e-12 {
			t.Errorf("passage %d of %d: the cells sum to %v, not %v", m.Chosen, chosen, m.Pairs.Sum(), p.Score)
		}
		if same := m.Passages[1].Score; math.Abs(same-1) > 1e-12 || m.Ranking[0] != 1 ||
			!slices.IsSortedFunc(m.Ranking, func(i, j int) int {
				return int(math.Copysign(1, m.Passages[j].Score-m.Passages[i].Score))
			}) {
			t.Errorf("%v: %v", m.Ranking, m.Passages)
		}
	}
}

// TestMatchRefused: what cannot be matched is refused with a reason.
func TestMatchRefused(t *testing.T) {
	for says, r := range map[string]similarity.Question{
		"Enter two texts": {Mechanism: "dot-product", Query: " ", Passages: []string{"a"}},
		"limit 100":       {Mechanism: "dot-product", Query: "a", Passages: make([]string, 101)},
		"passage=3":       {Mechanism: "dot-product", Query: "a", Passages: []string{"a", "b"}, Chosen: 3},
		"bytes":           {Mechanism: "dot-product", Query: strings.Repeat("a ", 40000), Passages: []string{"a"}},
		"writes":          {Mechanism: "encoder-decoder", Query: "a", Passages: []string{"a"}},
		"no-such-model2":  {Mechanism: "no-such-model2", Query: "a", Passages: []string{"a"}},
	} {
		if _, err := engine.New().Match(context.Background(), r); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

package figure_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// watch runs an untrained layer with a mixer, and returns its maps.
func watch(t *testing.T, id string, tokens int) *trace.Run {
	t.Helper()
	m, err := encoder.New(encoder.Config{Mechanism: id, Layers: 1, Width: 16, Heads: 4, Inner: 16, Length: 32,
		Vocab: 1024, Norm: encoder.PreNorm}, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := nn.NewPass(ad.NewFrozen())
	p.Run = &trace.Run{}
	m.Encode(p, []int{5, 6, 7, 8, 9, 10, 11, 12}[:tokens], 1)
	return p.Run.Parts[0]
}

// TestEveryViewHasAMap: for texts of one and of eight tokens, each view of the catalogue names a map whose axes can
// be drawn, and so can all of its planes.
func TestEveryViewHasAMap(t *testing.T) {
	for _, entry := range attention.Catalog {
		for _, n := range []int{1, 8} {
			run := watch(t, entry.ID, n)
			for _, v := range entry.Views {
				shown, ok := run.Find(v.Map)
				if !ok {
					t.Errorf("%s, %d tokens: no map %q", entry.ID, n, v.Map)
					continue
				}
				if err := drawn(shown.HeadMean()); err != nil {
					t.Errorf("%s, %d tokens: %v", entry.ID, n, err)
				}
			}
		}
	}
}

// unseen are maps that mechanisms record for references and formulas, and that no page offers, each with the reason.
// Some belong to one mechanism only.
var unseen = map[string]string{
	"masked":                    "the scores, with −10⁹ where the mask forbids",
	"products":                  "the scores before they are divided, a step of /steps",
	"alphas":                    "the numbers whose softmax is alpha",
	"random scores":             "of a part: its weights are shown, and the scores of all parts",
	"dense scores":              "as those of random",
	"dot-product scores":        "as those of random",
	"mixture-rd/logits":         "of a part",
	"mixture-dv/logits":         "of a part",
	"mixture-rdv/logits":        "of a part",
	"longformer/scores":         "holds −10⁹ where the mask forbids; the global words' are apart",
	"bigbird/scores":            "holds −10⁹ and −10⁴ where the mask forbids",
	"poolingformer/scores":      "of the window, a step of /steps",
	"poolingformer/slot scores": "of the slots, likewise",
	"global scores":             "of the few global words; their weights are rows of the weights",
	"global weights":            "rows of the weights",
	"denominator":               "the weights are divided by it",
	"round logits":              "in the order of the hashes; the round weights follow from it",
	"window weights":            "the weights by round, in the order of the hashes",
}

// TestEveryMapHasAView: every map that a mechanism records and a figure can draw has a view, unless it is listed
// above, or is one feature vector for each token, slot or position: those are intermediate results.
func TestEveryMapHasAView(t *testing.T) {
	used := map[string]bool{}
	for _, entry := range attention.Catalog {
		for _, m := range watch(t, entry.ID, 8).Steps {
			_, err := figure.LayoutOf(m.HeadMean())
			seen := slices.ContainsFunc(entry.Views, func(v attention.View) bool { return v.Map == m.Name })
			if err != nil || seen || vectors(m) {
				continue
			}
			name := m.Name
			if unseen[name] == "" {
				name = entry.ID + "/" + name
			}
			if used[name] = true; unseen[name] == "" {
				t.Errorf("%s shows %s %v, which has neither a view nor a reason", entry.ID, m.Name, m.Roles())
			}
		}
	}
	for name := range unseen {
		if !used[name] {
			t.Errorf("%s is listed as unseen, but nothing shows it or it has a view", name)
		}
	}
}

// vectors reports whether a map is one feature vector for each token, slot or position.
func vectors(m trace.Map) bool {
	roles := m.Roles()
	n := len(roles)
	return n >= 2 && (roles[n-1] == trace.Channel || roles[n-1] == trace.HeadChannel) &&
		(roles[n-2] == trace.Token || roles[n-2] == trace.Slot)
}

// drawn draws all planes of a map, and returns the error.
func drawn(m trace.Map) error {
	layout, err := figure.LayoutOf(m)
	if err != nil {
		return err
	}
	planes := []trace.Map{m}
	if layout.Planes > 0 {
		planes = nil
	}
	for i := range layout.Planes {
		planes = append(planes, m.Plane(i))
	}
	for _, one := range planes {
		var b bytes.Buffer
		f, err := figure.New(figure.Spec{Map: one})
		if err == nil {
			err = f.PNG(&b)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return nil
}

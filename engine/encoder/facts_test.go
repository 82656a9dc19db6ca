package encoder_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// TestMapsHaveNamesOfTheirOwn: no map of a stack has the name of a map of its mixers, which it
// would replace on pages and in responses.
func TestMapsHaveNamesOfTheirOwn(t *testing.T) {
	for _, e := range encoder.Stacks {
		for _, mixer := range attention.Catalog {
			seen := map[string]bool{}
			for _, v := range slices.Concat(e.Views, mixer.Views) {
				if seen[v.Map] {
					t.Errorf("%s.%s has two maps %s", e.ID, mixer.ID, v.Map)
				}
				seen[v.Map] = true
			}
		}
	}
}

// TestStackFactsAreComplete: the texts and formulas for pages exist, and the formulas can be
// typeset.
func TestStackFactsAreComplete(t *testing.T) {
	for _, e := range encoder.Stacks {
		story, differences := messages.English.Paragraphs(e.Story), messages.English.Lines(e.Differences)
		if len(story) < 2 || len(story) > 4 {
			t.Errorf("%s: a story of %d paragraphs", e.ID, len(story))
		}
		if len(differences) == 0 {
			t.Errorf("%s: no differences from the paper", e.ID)
		}
		for _, s := range append(story, differences...) {
			if r := []rune(s); !strings.HasSuffix(s, ".") || !unicode.IsUpper(r[0]) || len(r) > 700 {
				t.Errorf("%s: not a sentence, or too long (%d): %q", e.ID, len(r), s)
			}
		}
		formulas := []string{e.Formula, e.Cost}
		for _, v := range e.Views {
			formulas = append(formulas, v.Symbol)
		}
		for _, f := range formulas {
			if read, err := formula.Parse(f); err != nil || read.Text() == "" {
				t.Errorf("%s: %q: %v", e.ID, f, err)
			}
		}
		for _, k := range e.Options {
			if help := k.Help.String(); k.Allowed().String() == "" || !strings.HasSuffix(help, ".") {
				t.Errorf("%s: option %s takes %q: %q", e.ID, k.Name, k.Allowed().String(), help)
			}
		}
		if e.Paper.Equations == "" {
			t.Errorf("%s: nothing says where in its paper it is", e.ID)
		}
	}
}

// TestFormulasOfStackMaps: every map of a stack has a formula that can be typeset, and a name for
// each of its classes.
func TestFormulasOfStackMaps(t *testing.T) {
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue
		}
		m := newModel(t, stackConfig(t, e.ID, "dot-product"))
		p := nn.NewPass(ad.NewFrozen())
		p.Run = &trace.Run{}
		m.Encode(p, []int{1, 4, 7, 2, 9}, 1)
		for _, shown := range p.Run.Steps {
			if read, err := formula.Parse(shown.Tex); err != nil || read.Text() == "" {
				t.Errorf("%s, map %s: %v", e.ID, shown.Name, err)
			}
			for _, v := range shown.Value.Data {
				if shown.Kind == trace.Category && (int(v) >= len(shown.Classes) || shown.Classes[int(v)] == "") {
					t.Fatalf("%s, map %s: the class %v has no name", e.ID, shown.Name, v)
				}
			}
		}
	}
}

// TestSharedWeights: the facts about shared layers match the parameters.
func TestSharedWeights(t *testing.T) {
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue
		}
		size := func(layers int) int {
			c := stackConfig(t, e.ID, "dot-product")
			c.Layers = layers
			n := 0
			for _, p := range newModel(t, c).Params {
				n += p.Value.Len()
			}
			return n
		}
		shares := e.Describe(encoder.Config{Layers: 2}).Shared
		if same := size(2) == size(4); same != shares {
			t.Errorf("%s: shares %v, but 2 and 4 layers have %d and %d parameters", e.ID, shares, size(2), size(4))
		}
	}
	two := encoder.Config{Layers: 4, Options: map[string]string{"groups": "2", "inner": "3"}}
	if f := encoder.ALBERT.Describe(two); f.Shared || f.Runs != 12 || f.Own != 6 {
		t.Errorf("two groups of three layers: %+v", f)
	}
}

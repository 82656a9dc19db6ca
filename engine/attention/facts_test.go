package attention_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"attnatlas/engine/attention"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// TestFactsAreComplete: the texts and formulas for pages exist, and the formulas can be typeset.
func TestFactsAreComplete(t *testing.T) {
	for _, e := range attention.Catalog {
		story, differences := messages.English.Paragraphs(e.Story), messages.English.Lines(e.Differences)
		if len(story) < 2 || len(story) > 4 {
			t.Errorf("%s: a story of %d paragraphs", e.ID, len(story))
		}
		if len(differences) == 0 {
			t.Errorf("%s: no differences from the paper; \"None.\" would be one", e.ID)
		}
		for _, s := range append(story, differences...) {
			if r := []rune(s); !strings.HasSuffix(s, ".") || !unicode.IsUpper(r[0]) && !strings.HasPrefix(s, "10⁻⁶") ||
				len(r) > 700 {
				t.Errorf("%s: not a sentence, or too long: %q", e.ID, s)
			}
		}
		formulas := []string{e.Formula, e.Cost, e.ParamsFormula, e.FLOPsFormula}
		for _, v := range e.Views {
			formulas = append(formulas, v.Symbol)
		}
		for _, f := range e.Forms {
			formulas = append(formulas, f.Formula)
			name, value, _ := strings.Cut(f.Option, " = ")
			refusedOrNot(t, e, name, value)
		}
		for _, f := range []string{e.ParamsFormula, e.FLOPsFormula} {
			if words := regexp.MustCompile(`[a-z]{2,}`).FindString(strings.ReplaceAll(f, "min(", "(")); words != "" {
				t.Errorf("%s: %q in %q would be set as a word; write a product with ·", e.ID, words, f)
			}
		}
		for _, f := range formulas {
			if read, err := formula.Parse(f); err != nil || read.Text() == "" {
				t.Errorf("%s: %q: %v", e.ID, f, err)
			}
		}
	}
}

func refusedOrNot(t *testing.T, e attention.Entry, name, value string) {
	t.Helper()
	c := small
	c.Options = map[string]string{name: value}
	if _, err := e.New(nn.NewScope(1), c); err != nil {
		t.Errorf("%s: a form with %s = %s: %v", e.ID, name, value, err)
	}
}

// TestFormulasOfMaps: every map of every mechanism has a formula that can be typeset.
func TestFormulasOfMaps(t *testing.T) {
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		s := newSubject(t, e, c, 1, 5)
		_, run := s.run(nn.Mask{}, s.x, true)
		for _, m := range run.Steps {
			if read, err := formula.Parse(m.Tex); err != nil || read.Text() == "" {
				t.Errorf("map %s: %v", m.Name, err)
			}
		}
	})
}

// TestCountsAsFormulas compares the formulas that pages show with the counts.
func TestCountsAsFormulas(t *testing.T) {
	for _, c := range []attention.Config{{Width: 12, Heads: 3, Length: 64}, {Width: 64, Heads: 4, Length: 512},
		{Width: 10, Heads: 1, Length: 6}, {Width: 128, Heads: 4, Length: 64}} {
		for _, e := range attention.Catalog {
			for _, n := range []int{1, 2, 5, 6, 8, 9, 31, 64, 300} {
				if n > c.Length {
					continue
				}
				symbols := e.Symbols(c, n)
				sizesHaveNames(t, e, c, n)
				if got, want := evaluate(t, e.ParamsFormula, symbols), e.Params(c); got != float64(want) {
					t.Errorf("%s, %+v: %s gives %v parameters, there are %d", e.ID, c, e.ParamsFormula, got, want)
				}
				if got, want := evaluate(t, e.FLOPsFormula, symbols), e.FLOPs(c, n); got != float64(want) {
					t.Errorf("%s, %+v, %d tokens: %s gives %v operations, counted are %d", e.ID, c, n, e.FLOPsFormula, got, want)
				}
			}
		}
	}
}

// sizesHaveNames checks that each of a mechanism's own numbers has a meaning and a unique symbol.
func sizesHaveNames(t *testing.T, e attention.Entry, c attention.Config, n int) {
	t.Helper()
	if e.Sizes == nil {
		return
	}
	taken := map[string]bool{"N": true, "d": true, "H": true, "L": true, "d_h": true}
	for _, s := range e.Sizes(c, n) {
		if taken[s.Symbol] || s.Meaning.IsZero() {
			t.Errorf("%s: the size %+v has no meaning, or a symbol that means something else", e.ID, s)
		}
		taken[s.Symbol] = true
	}
}

// evaluate returns the value of a formula.
func evaluate(t *testing.T, s string, symbols map[string]float64) float64 {
	t.Helper()
	v, err := formula.Value(s, symbols)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

package attention_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"attnatlas/engine/attention"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// TestFactsAreComplete: what pages say of a mechanism is there, and can be set.
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
			if r := []rune(s); !strings.HasSuffix(s, ".") || !unicode.IsUpper(r[0]) && !strings.HasPrefix(s, "10⁻⁶") || len(r) > 700 {
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

// TestFormulasOfMaps: every map of every mechanism has a formula that can be set.
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

// TestCountsAsFormulas holds the formulas that pages show against the counts.
func TestCountsAsFormulas(t *testing.T) {
	for _, c := range []attention.Config{{Width: 12, Heads: 3, Length: 64}, {Width: 64, Heads: 4, Length: 512}, {Width: 10, Heads: 1, Length: 6}, {Width: 128, Heads: 4, Length: 64}} {
		for _, e := range attention.Catalog {
			for _, n := range []int{1, 2, 5, 6, 8, 9, 31, 64, 300} {
				if n > c.Length {
					continue
				}
				symbols := map[string]float64{"N": float64(n), "d": float64(c.Width), "H": float64(c.Heads), "L": float64(c.Length), "d_h": float64(c.HeadWidth())}
				if e.Sizes != nil {
					for _, s := range e.Sizes(c, n) {
						if _, taken := symbols[s.Symbol]; taken || s.Meaning.IsZero() {
							t.Errorf("%s: the size %+v has no meaning, or a symbol that means something else", e.ID, s)
						}
						symbols[s.Symbol] = float64(s.Value)
					}
				}
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

func TestEvaluate(t *testing.T) {
	symbols := map[string]float64{"N": 5, "d": 3, "H": 2, "d_h": 7, "w₁": 4, "m": 3}
	for s, want := range map[string]float64{
		"4d² + 4d": 48, "2(d − 1)H + 1": 9, "⌈N/d⌉": 2, "min(N, d)": 3, "Ndd_h": 105, "2ᵐd": 24, "w₁ + N": 9, "16(2mH + 1)2ᵐd²": 16 * 13 * 8 * 9,
	} {
		if got := evaluate(t, s, symbols); got != want {
			t.Errorf("%s = %v, want %v", s, got, want)
		}
	}
}

// evaluate works out a formula of sums and products: "H(2d² + ⌈N/b⌉)".
func evaluate(t *testing.T, s string, symbols map[string]float64) float64 {
	t.Helper()
	v := evaluator{rest: []rune(strings.ReplaceAll(s, " ", "")), symbols: symbols}
	defer func() {
		if cause := recover(); cause != nil {
			t.Fatalf("%s: %v", s, cause)
		}
	}()
	sum := v.sum()
	if len(v.rest) > 0 {
		t.Fatalf("%s: nobody understands %q", s, string(v.rest))
	}
	return sum
}

type evaluator struct {
	rest    []rune
	symbols map[string]float64
}

// take takes a prefix, if it is there.
func (v *evaluator) take(prefix string) bool {
	rest, ok := strings.CutPrefix(string(v.rest), prefix)
	if ok {
		v.rest = []rune(rest)
	}
	return ok
}

func (v *evaluator) must(prefix string) {
	if !v.take(prefix) {
		panic(fmt.Sprintf("%s is missing before %q", prefix, string(v.rest)))
	}
}

func (v *evaluator) sum() float64 {
	total := v.product()
	for {
		switch {
		case v.take("+"):
			total += v.product()
		case v.take("−"):
			total -= v.product()
		default:
			return total
		}
	}
}

func (v *evaluator) product() float64 {
	total := v.factor()
	for len(v.rest) > 0 && !strings.ContainsRune("+−)⌉,", v.rest[0]) {
		if v.take("/") {
			total /= v.factor()
			continue
		}
		v.take("·")
		total *= v.factor()
	}
	return total
}

func (v *evaluator) factor() float64 {
	base := v.base()
	switch {
	case v.take("²"):
		return base * base
	case v.take("ᵐ"):
		return math.Pow(base, v.symbols["m"])
	}
	return base
}

func (v *evaluator) base() float64 {
	switch {
	case v.take("("):
		x := v.sum()
		v.must(")")
		return x
	case v.take("⌈"):
		x := v.sum()
		v.must("⌉")
		return math.Ceil(x)
	case v.take("min("):
		x := v.sum()
		v.must(",")
		y := v.sum()
		v.must(")")
		return min(x, y)
	case '0' <= v.rest[0] && v.rest[0] <= '9':
		x := 0.0
		for len(v.rest) > 0 && '0' <= v.rest[0] && v.rest[0] <= '9' {
			x = 10*x + float64(v.rest[0]-'0')
			v.rest = v.rest[1:]
		}
		return x
	}
	best := "" // the longest symbol: d_h rather than d
	for s := range v.symbols {
		if len(s) > len(best) && strings.HasPrefix(string(v.rest), s) {
			best = s
		}
	}
	if best == "" {
		panic(fmt.Sprintf("no symbol begins %q", string(v.rest)))
	}
	v.must(best)
	return v.symbols[best]
}

package attention_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Identities between synthesizers and other mechanisms, and comparisons with known numbers.

// chosen returns a configuration with options such as "mix=outputs" or "hidden=query".
func chosen(c attention.Config, choices ...string) attention.Config {
	c.Options = map[string]string{}
	for _, choice := range choices {
		name, value, _ := strings.Cut(choice, "=")
		c.Options[name] = value
	}
	return c
}

// TestCountsAreFixed: changes of formulas must not change the counts at one size.
func TestCountsAreFixed(t *testing.T) {
	sizes := attention.Config{Width: 64, Heads: 4, Length: 512}
	for _, test := range []struct {
		entry attention.Entry
		c     attention.Config
		want  int
	}{
		{attention.DotProduct, sizes, 16640},
		{attention.Random, sizes, 1056896},
		{attention.FixedRandom, sizes, 8320},
		{attention.Dense, sizes, 158080},
		{attention.FactorizedRandom, sizes, 41088},
		{attention.FactorizedDense, sizes, 54080},
		{attention.MixtureRV, chosen(sizes, "mix=outputs"), 1073538},
		{attention.MixtureRD, chosen(sizes, "mix=outputs"), 1214978},
		{attention.MixtureDV, chosen(sizes, "mix=outputs"), 174722},
		{attention.MixtureRDV, chosen(sizes, "mix=outputs"), 1231619},
		{attention.Fastformer, sizes, 13000},
	} {
		if got := test.entry.Params(test.c); got != test.want {
			t.Errorf("%s: %d parameters, wanted %d", test.entry.ID, got, test.want)
		}
	}
}

// TestOperations compares with counts worked out by hand for 10 tokens, d = 64 and 4 heads.
func TestOperations(t *testing.T) {
	const n, projection = 10, 2 * 10 * 64 * 64 // one linear layer [d,d]
	const pairs = 2 * 10 * 10 * 64             // one product with N² results, for all heads together
	c := attention.Config{Width: 64, Heads: 4, Length: 512}
	for _, test := range []struct {
		entry attention.Entry
		c     attention.Config
		want  int64
	}{
		{attention.DotProduct, c, 4*projection + 2*pairs},
		{attention.Random, c, 2*projection + pairs},
		{attention.FixedRandom, c, 2*projection + pairs},
		{attention.FactorizedRandom, c, 2*projection + pairs + 4*2*100*8},
		{attention.Dense, c, 2*projection + pairs + 4*(projection+pairs)},
		{attention.Dense, chosen(c, "hidden=query"), 3*projection + 2*pairs},
		{attention.FactorizedDense, c, 2*projection + pairs + 4*(2*projection+2*10*64*(1+10)+100)},
		{attention.FactorizedDense, chosen(c, "hidden=shared", "a=128"),
			2*projection + pairs + 4*(projection+2*10*64*(3+4)+100)},
		{attention.MixtureRV, c, 4*projection + 2*pairs + 2*2*4*100},
		{attention.MixtureRV, chosen(c, "mix=outputs"), 6*projection + 3*pairs + 2*2*10*64},
		{attention.MixtureRDV, c, 4*projection + 2*pairs + 4*(projection+pairs) + 2*3*4*100},
		{attention.MixtureDV, chosen(c, "mix=sum", "hidden=query"), 4*projection + 3*pairs + 2*2*4*100},
		{attention.Fastformer, c, 3*projection + 2*(2*10*64*4+2*10*64)},
	} {
		if got := test.entry.FLOPs(test.c, n); got != test.want {
			t.Errorf("%s %v: %d operations, wanted %d", test.entry.ID, test.c.Options, got, test.want)
		}
	}
}

// param is the subject's parameter of this name.
func (s subject) param(t *testing.T, name string) *nn.Param {
	t.Helper()
	i := slices.IndexFunc(s.params, func(p *nn.Param) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("%s has no parameter %q", s.entry.ID, name)
	}
	return s.params[i]
}

// sameOutput checks that two subjects give the same output for the first one's input.
func sameOutput(t *testing.T, a, b subject) {
	t.Helper()
	for name, mask := range a.masks() {
		ya, _ := a.run(mask, a.x, false)
		yb, _ := b.run(mask, a.x, false)
		if d := maxDiff(ya.Data, yb.Data); d > tightTolerance {
			t.Errorf("mask %s: %s and %s differ by %g", name, a.entry.ID, b.entry.ID, d)
		}
	}
}

func TestFactorizedRandomIsRandomWithTheProduct(t *testing.T) {
	f, r := newSubject(t, attention.FactorizedRandom, small, 1, 5), newSubject(t, attention.Random, small, 1, 5)
	for _, p := range r.params {
		if p.Name != "R" {
			copy(p.Value.Data, f.param(t, p.Name).Value.Data)
			continue
		}
		product(p.Value, f.param(t, "R1").Value, f.param(t, "R2").Value)
	}
	sameOutput(t, f, r)
}

// product writes R1·R2ᵀ for every head: [H,L,k] twice → [H,L,L].
func product(dst, r1, r2 *tensor.T) {
	l, k := r1.Dim(1), r1.Dim(2)
	for a := range r1.Dim(0) {
		tensor.Gemm(tensor.NewMatrix(dst.Sub(a).Data, l, l), tensor.NewMatrix(r1.Sub(a).Data, l, k),
			tensor.NewMatrix(r2.Sub(a).Data, l, k).T(), 1, tensor.Overwrite)
	}
}

// TestSingularValues checks the properties that determine singular values. Their squares add up to ‖R1·R2ᵀ‖²,
// their fourth powers to ‖(R1·R2ᵀ)(R1·R2ᵀ)ᵀ‖², and values beyond the rank are 0.
func TestSingularValues(t *testing.T) {
	for _, n := range []int{1, 2, 5, 8} { // k is 3
		s := newSubject(t, attention.FactorizedRandom, chosen(small, "k=3"), 1, n)
		_, run := s.run(nn.Mask{}, s.x, true)
		shown, _ := run.Find("singular values")
		scores, _ := run.Find("scores")
		for a := range small.Heads {
			values, m := shown.Value.Sub(a), tensor.NewMatrix(scores.Value.Sub(a).Data, n, n)
			gram := tensor.New(n, n)
			tensor.Gemm(tensor.NewMatrix(gram.Data, n, n), m, m.T(), 1, tensor.Overwrite)
			for power, of := range map[float64]*tensor.T{2: scores.Value.Sub(a), 4: gram} {
				sum := 0.0
				for i, v := range values.Data {
					sum += math.Pow(float64(v), power)
					if i > 0 && v > values.Data[i-1] || i >= n && v > 1e-6 {
						t.Errorf("n = %d, head %d: singular values %v", n, a, values.Data)
					}
				}
				if want := float64(tensor.Dot(of.Data, of.Data)); math.Abs(sum-want) > 1e-4*want {
					t.Errorf("n = %d, head %d: Σσ^%g = %v, wanted %v", n, a, power, sum, want)
				}
			}
		}
	}
}

// TestFactorizedDenseNeedsOneColumnOfAForShortTexts: with b = 4, the second column of A has no
// effect on a text of 4 tokens, and Note says so.
func TestFactorizedDenseNeedsOneColumnOfAForShortTexts(t *testing.T) {
	for n := 3; n <= 6; n++ {
		s := newSubject(t, attention.FactorizedDense, chosen(small, "a=2"), 1, n)
		p := nn.NewPass(ad.NewTape())
		y := s.mixer.Mix(p, p.Tape.Leaf(s.x))
		p.Tape.Backward(ad.Dot(y, noise(rand.New(rand.NewPCG(3, 4)), s.x.Shape...)), tensor.From([]tensor.Elem{1}))
		grad, acts := p.Grad(s.param(t, "W_A2")), false // [H,a,d]
		for a := range small.Heads {
			second := grad.Sub(a).Sub(1).Data
			acts = acts || slices.ContainsFunc(second, func(v tensor.Elem) bool { return v != 0 })
		}
		if note := s.entry.Note(chosen(small, "a=2"), n); acts != (n > 4) || (note.IsZero()) != acts {
			t.Errorf("%d tokens: the second column of A acts: %v; the note is %q", n, acts, note.String())
		}
	}
	if _, err := attention.FactorizedDense.New(nn.NewScope(1), chosen(small, "a=3")); err == nil {
		t.Error("3 rows for 8 positions are accepted")
	}
}

// mixtureParts lists the components of a mixture in the order of their alphas.
var mixtureParts = map[string][]attention.Entry{
	"mixture-rv":  {attention.Random, attention.DotProduct},
	"mixture-rd":  {attention.Random, attention.Dense},
	"mixture-dv":  {attention.Dense, attention.DotProduct},
	"mixture-rdv": {attention.Random, attention.Dense, attention.DotProduct},
}

// TestMixtureOfOneIsItsPart: if one component has all the weight, the mixture equals this
// component.
func TestMixtureOfOneIsItsPart(t *testing.T) {
	for id, parts := range mixtureParts {
		e, _ := attention.Find(id)
		for _, mix := range []string{"logits", "outputs"} {
			for i, part := range parts {
				t.Run(fmt.Sprint(id, "/", mix, "/", part.ID), func(t *testing.T) {
					mixed, alone := newSubject(t, *e, chosen(small, "mix="+mix), 2, 5), newSubject(t, part, small, 2, 5)
					alphas := mixed.param(t, "alphas").Value.Data
					clear(alphas)
					alphas[i] = 200
					for _, p := range alone.params {
						name := p.Name
						if mix == "outputs" {
							name = part.ID + "/" + name
						}
						copy(p.Value.Data, mixed.param(t, name).Value.Data)
					}
					sameOutput(t, mixed, alone)
				})
			}
		}
	}
}

// TestMixtureOfEqualScoresIsAnyPart: whatever the weights, the mean of equal scores is that score.
// Dense scores that ignore the text have equal rows, and so does dot product with a query that
// ignores it. R can have any rows.
func TestMixtureOfEqualScoresIsAnyPart(t *testing.T) {
	for id, parts := range mixtureParts {
		e, _ := attention.Find(id)
		mixed := newSubject(t, *e, small, 1, 5)
		var dense, dot bool
		for _, part := range parts {
			dense, dot = dense || part.ID == "dense", dot || part.ID == "dot-product"
		}
		if dense {
			clear(mixed.param(t, "W_2").Value.Data)
		}
		if dot {
			clear(mixed.param(t, "W_Q").Value.Data)
		}
		_, run := mixed.run(nn.Mask{}, mixed.x, true)
		scores, _ := run.Find(parts[len(parts)-1].ID + " scores") // [H,N,N]
		for a := range small.Heads {
			row := scores.Value.Sub(a).Sub(0).Data
			if dense {
				copy(mixed.param(t, "b_2").Value.Sub(a).Data, row) // [H,L]
			}
			if parts[0].ID == "random" {
				for i := range small.Length {
					copy(mixed.param(t, "R").Value.Sub(a).Sub(i).Data, row) // [H,L,L]
				}
			}
		}
		for _, part := range parts {
			sameOutput(t, mixed, mixed.like(t, part, small))
		}
	}
}

// TestGateOfEqualSharesIsHalfTheSum: σ(0) = ½, so a gate at 0 with scores twice as large equals the
// plain sum.
func TestGateOfEqualSharesIsHalfTheSum(t *testing.T) {
	for _, e := range []attention.Entry{attention.MixtureRV, attention.MixtureDV} {
		gate, sum := newSubject(t, e, chosen(small, "mix=gate"), 1, 5), newSubject(t, e, chosen(small, "mix=sum"), 1, 5)
		clear(gate.param(t, "alpha").Value.Data)
		for _, p := range sum.params {
			g := gate.param(t, p.Name).Value.Data
			copy(p.Value.Data, g)
			if slices.Contains([]string{"R", "W_2", "b_2", "W_K", "b_K"}, p.Name) {
				tensor.Scale(g, 2, g)
			}
		}
		sameOutput(t, gate, sum)
	}
}

// stochastic lists the mechanisms whose rows are weights of the values.
func stochastic() []attention.Entry {
	var es []attention.Entry
	for _, e := range attention.Catalog {
		if e.ID == "dot-product" || e.Paper.ArXiv == attention.Dense.Paper.ArXiv {
			es = append(es, e)
		}
	}
	return es
}

// TestEqualValuesGiveEqualOutputs: a weighted mean of equal values is that value.
func TestEqualValuesGiveEqualOutputs(t *testing.T) {
	for _, e := range stochastic() {
		for name, c := range variants(e, small) {
			s := newSubject(t, e, c, 1, 6)
			for _, p := range s.params {
				if strings.HasSuffix(p.Name, "W_V") {
					clear(p.Value.Data) // V is then its bias
				}
			}
			for maskName, mask := range s.masks() {
				y, _ := s.run(mask, s.x, false)
				d := s.x.Dim(-1)
				for i := range s.x.Dim(-2) {
					if diff := maxDiff(y.Data[:d], y.Data[i*d:][:d]); diff > tightTolerance {
						t.Errorf("%s, mask %s: rows 0 and %d differ by %g", name, maskName, i, diff)
					}
				}
			}
		}
	}
}

// TestWhoFollowsAPermutation: reversing the text reverses the output if only words count, but not
// if positions count.
func TestWhoFollowsAPermutation(t *testing.T) {
	follows := map[string]bool{"dot-product": true, "fastformer": true}
	for _, id := range []string{"dot-product", "fastformer", "random", "fixed-random", "factorized-random", "dense",
		"factorized-dense", "mixture-rv", "mixture-rd", "mixture-dv", "mixture-rdv", "linformer"} {
		e, _ := attention.Find(id)
		s := newSubject(t, *e, small, 1, 5)
		y, _ := s.run(nn.Mask{}, s.x, false)
		turned, _ := s.run(nn.Mask{}, reversed(s.x), false)
		if d := maxDiff(reversed(y).Data, turned.Data); d < tightTolerance != follows[id] {
			t.Errorf("%s: turning the text round changes the turned output by %g", id, d)
		}
	}
}

// reversed returns x [1,N,d] with its positions in reverse order.
func reversed(x *tensor.T) *tensor.T {
	y, n, d := x.Clone(), x.Dim(1), x.Dim(2)
	for i := range n {
		copy(y.Data[i*d:][:d], x.Data[(n-1-i)*d:][:d])
	}
	return y
}

// TestRowWithNothingVisible: a row without visible positions attends to all positions equally.
func TestRowWithNothingVisible(t *testing.T) {
	const n = 5
	pairs := make([]bool, n*n)
	for i := range pairs {
		pairs[i] = i/n != 2 && i%n != 3 // row 2 can attend to nothing, and no row to 3
	}
	for _, e := range stochastic() {
		for name, c := range variants(e, small) {
			s := newSubject(t, e, c, 1, n)
			_, run := s.run(nn.Mask{Pairs: pairs, N: n}, s.x, true)
			m, _ := run.Find("weights")
			for i, v := range m.Value.Data {
				q, k := i/n%n, i%n
				if q == 2 && math.Abs(float64(v)-1.0/n) > 1e-6 || q != 2 && k == 3 && v != 0 {
					t.Fatalf("%s: weight of %d for %d is %v", name, k, q, v)
				}
			}
		}
	}
}

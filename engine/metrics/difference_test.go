package metrics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/metrics"
	"attnatlas/engine/tensor"
)

// shares returns distributions for tests: random ones, ones with a single position, and ones with
// zeros.
func shares(random *rand.Rand, n int) []float64 {
	p, sum := make([]float64, n), 0.0
	for i := range p {
		if random.IntN(3) > 0 {
			p[i] = random.ExpFloat64()
		}
		sum += p[i]
	}
	if sum == 0 {
		p[0], sum = 1, 1
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// TestJensenShannonByHand: p = (½,½,0) and q = (0,½,½) have the mean (¼,½,¼), whose entropy is
// 1.5 bits; each of them has 1 bit.
func TestJensenShannonByHand(t *testing.T) {
	near(t, metrics.JensenShannon([]float64{0.5, 0.5, 0}, []float64{0, 0.5, 0.5}), 0.5)
	near(t, metrics.JensenShannon([]float64{1, 0}, []float64{0, 1}), 1)
	// p = (1,0), q = (½,½): H(¾,¼) − ½ = 2 − ¾·log₂3 − ½
	near(t, metrics.JensenShannon([]float64{1, 0}, []float64{0.5, 0.5}), 1.5-0.75*math.Log2(3))
}

// TestJensenShannon: equal distributions have 0, the measure is symmetric, and all values are
// between 0 and 1.
func TestJensenShannon(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + random.IntN(12)
		p, q := shares(random, n), shares(random, n)
		d := metrics.JensenShannon(p, q)
		if d < 0 || d > 1 || math.IsNaN(d) {
			t.Fatalf("%v and %v: %v", p, q, d)
		}
		near(t, metrics.JensenShannon(q, p), d)
		if same := metrics.JensenShannon(p, p); same != 0 {
			t.Errorf("%v and itself: %v", p, same)
		}
	}
	for _, none := range [][]float64{{0.5, 0.6}, {0, 0}, {-0.5, 1.5}, {math.NaN(), 1}, {1}} {
		if d := metrics.JensenShannon(none, []float64{0.5, 0.5}); !math.IsNaN(d) {
			t.Errorf("%v is no distribution over two places, and diverges by %v", none, d)
		}
	}
}

// TestSpearmanByHand: the ranks are 1, 2.5, 2.5, 4 and 2, 1, 3.5, 3.5. The products of their
// distances from 2.5 sum to 2.25, and the squares to 4.5 each.
func TestSpearmanByHand(t *testing.T) {
	near(t, metrics.Spearman([]float64{0.1, 0.2, 0.2, 0.9}, []float64{5, 3, 7, 7}), 2.25/4.5)
	near(t, metrics.Spearman([]float64{1, 2, 3}, []float64{10, 100, 1000}), 1)
	near(t, metrics.Spearman([]float64{1, 2, 3}, []float64{3, 2, 1}), -1)
}

// TestSpearman: a list has correlation 1 with itself, the measure is symmetric, all values are
// within −1…1, and only the order counts.
func TestSpearman(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 2 + random.IntN(20)
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = float64(random.IntN(6)), random.NormFloat64() // a has equal values
		}
		a[0], a[1] = 0, 5
		r := metrics.Spearman(a, b)
		if r < -1 || r > 1 || math.IsNaN(r) {
			t.Fatalf("%v and %v: %v", a, b, r)
		}
		near(t, metrics.Spearman(b, a), r)
		near(t, metrics.Spearman(a, a), 1)
		bent := slices.Clone(a)
		for i := range bent {
			bent[i] = math.Exp(bent[i])
		}
		near(t, metrics.Spearman(bent, b), r)
	}
	for _, none := range [][]float64{{1, 1, 1}, {1, 2}, {1, math.NaN(), 2}, {}} {
		if r := metrics.Spearman(none, []float64{1, 2, 3}); !math.IsNaN(r) {
			t.Errorf("%v has the correlation %v", none, r)
		}
	}
}

// TestChanged: rows (1,0),(½,½) and (0,1),(½,½) differ by 2 of 4. Equal maps give 0.
func TestChanged(t *testing.T) {
	a, b := tensor.From([]tensor.Elem{1, 0, 0.5, 0.5}, 2, 2), tensor.From([]tensor.Elem{0, 1, 0.5, 0.5}, 2, 2)
	near(t, metrics.Changed(a, b), 0.5)
	near(t, metrics.Changed(b, a), 0.5)
	near(t, metrics.Changed(a, a), 0)
	near(t, metrics.Changed(tensor.New(2, 2), tensor.New(2, 2)), 0)
	near(t, metrics.Changed(tensor.New(2, 2), a), 1)
	// lengths: |3−1| of 3+1
	near(t, metrics.Changed(tensor.From([]tensor.Elem{3}, 1, 1), tensor.From([]tensor.Elem{1}, 1, 1)), 0.5)
}

// TestSameBits: the smallest change counts as a difference, and so do the two zeros.
func TestSameBits(t *testing.T) {
	one := tensor.Elem(0.1)
	a := tensor.From([]tensor.Elem{one, 0}, 1, 2)
	if !metrics.SameBits(a, a.Clone()) {
		t.Error("a copy differs")
	}
	next, zero := a.Clone(), a.Clone()
	next.Data[0] += next.Data[0] / (1 << 22)
	zero.Data[1] = tensor.Elem(math.Copysign(0, -1))
	for _, other := range []*tensor.T{next, zero, tensor.From(slices.Clone(a.Data), 2, 1)} {
		if metrics.SameBits(a, other) {
			t.Errorf("%v is the same as %v", other, a)
		}
	}
}

func near(t *testing.T, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12 || math.IsNaN(got) {
		t.Errorf("%v, want %v", got, want)
	}
}

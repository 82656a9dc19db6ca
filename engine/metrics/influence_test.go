package metrics_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// mixer returns an entry's mixer at a small size with large weights, so that no influence is too
// small to compare.
func mixer(t *testing.T, e attention.Entry, n int) (attention.Mixer, *tensor.T) {
	t.Helper()
	s := nn.NewScope(3)
	m, err := e.New(s, attention.Config{Width: 8, Heads: 2, Length: 64})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, p := range s.Params() {
		nn.Normal(0.5)(r, p.Value)
	}
	x := tensor.New(1, n, 8)
	nn.Normal(1)(r, x)
	return m, x
}

// masksOf returns the masks for which an entry is defined.
func masksOf(e attention.Entry, n int) map[string]nn.Mask {
	all := map[string]nn.Mask{"none": {}}
	if e.Masks.NoCausal.IsZero() {
		all["causal"] = nn.Mask{Kind: nn.Causal}
	}
	if e.Masks.NoPadding.IsZero() {
		keys := make([]bool, n)
		for i := range n - 2 {
			keys[i] = true
		}
		all["padding"] = nn.Mask{Keys: keys, N: n}
	}
	return all
}

// slow computes influence by definition: one forward and one backward pass for each element of y.
func slow(m attention.Mixer, x *tensor.T, mask nn.Mask) *tensor.T {
	n, d := x.Dim(1), x.Dim(2)
	out, squares := tensor.New(n, n), make([]float64, n*n)
	for at := range n * d {
		p := nn.NewPass(ad.NewTape())
		p.Mask = mask
		in, seed := p.Tape.Leaf(x), tensor.New(1, n, d)
		seed.Data[at] = 1
		p.Tape.Backward(m.Mix(p, in), seed)
		if in.Grad() == nil {
			continue
		}
		for k, g := range in.Grad().Data {
			squares[at/d*n+k/d] += float64(g) * float64(g)
		}
	}
	for i, s := range squares {
		out.Data[i] = tensor.Elem(math.Sqrt(s))
	}
	return out
}

func compare(t *testing.T, got, want *tensor.T, tolerance float64) {
	t.Helper()
	top := 0.0
	for _, v := range want.Data {
		top = max(top, float64(v))
	}
	for i, v := range got.Data {
		if d := math.Abs(float64(v - want.Data[i])); !(d <= tolerance*top) {
			t.Fatalf("influence of %d on %d is %v, want %v (largest %v)", i%want.Dim(1), i/want.Dim(1), v, want.Data[i], top)
		}
	}
	if top == 0 {
		t.Error("nothing has influence")
	}
}

// TestInfluenceIsItsDefinition: the fast and the slow computation agree for every mechanism and
// mask. With 13 positions of 8 features, the last step is incomplete. 40 positions are enough for
// windows, blocks and buckets.
func TestInfluenceIsItsDefinition(t *testing.T) {
	for _, e := range attention.Catalog {
		for _, n := range []int{1, 13, 40} {
			for name, mask := range masksOf(e, max(n, 3)) {
				if n == 1 && mask.Keys != nil {
					continue
				}
				t.Run(e.ID+"/"+name, func(t *testing.T) {
					m, x := mixer(t, e, n)
					compare(t, metrics.Influence(m, x, mask), slow(m, x, mask), 1e-5)
				})
			}
		}
	}
}

// measurement returns a Measurement whose Turn never fails.
func measurement(m attention.Mixer, x *tensor.T, mask nn.Mask) metrics.Measurement {
	return metrics.Measurement{Mixer: m, X: x, Mask: mask, Turn: func() error { return nil }}
}

// unknown hides the Jacobian of a mixer.
type unknown struct{ attention.Mixer }

// TestRowsOfInfluence: measuring some rows gives the same numbers as measuring all.
func TestRowsOfInfluence(t *testing.T) {
	m, x := mixer(t, attention.DotProduct, 13)
	all := metrics.Influence(m, x, nn.Mask{})
	for _, rows := range []ad.Span{{From: 0, To: 4}, {From: 5, To: 13}, {From: 12, To: 13}, {From: 7, To: 7}} {
		squares, err := measurement(unknown{m}, x, nn.Mask{}).Run(rows)
		part := squares.Lengths()
		if err != nil || part.Dim(0) != rows.To-rows.From {
			t.Fatalf("%v: shape %v, %v", rows, part.Shape, err)
		}
		for i, v := range part.Data {
			if math.Abs(float64(v-all.Data[rows.From*13+i])) > 1e-5 {
				t.Errorf("%v: element %d is %v, of the whole %v", rows, i, v, all.Data[rows.From*13+i])
			}
		}
	}
}

// TestInfluenceStops: the measurement ends if Turn returns an error, whether or not the mixer knows
// its Jacobian.
func TestInfluenceStops(t *testing.T) {
	known, x := mixer(t, attention.DotProduct, 33)
	stop := errors.New("stop")
	for _, m := range []attention.Mixer{known, unknown{known}} {
		for last := 1; last < 6; last++ {
			turns := 0
			run := measurement(m, x, nn.Mask{})
			run.Turn = func() error {
				if turns++; turns == last {
					return stop
				}
				return nil
			}
			if _, err := run.Run(ad.Span{To: 33}); !errors.Is(err, stop) || turns != last {
				t.Errorf("%T refused its turn %d it went on to %d and returned %v", m, last, turns, err)
			}
		}
	}
}

// TestEstimatedInfluence: with some directions, the estimated length has the reported error, which
// decreases with the number of directions. All directions give the length itself.
func TestEstimatedInfluence(t *testing.T) {
	e, _ := attention.Find("shuffle-exchange")
	s := nn.NewScope(3)
	m, err := e.New(s, attention.Config{Width: 32, Heads: 2, Length: 16})
	if err != nil {
		t.Fatal(err)
	}
	x := tensor.New(1, 16, 32)
	nn.Normal(1)(rand.New(rand.NewPCG(5, 6)), x)
	exact := metrics.Influence(m, x, nn.Mask{})
	last := 1.0
	for _, count := range []int{4, 8, 16, 32} {
		run := measurement(m, x, nn.Mask{})
		run.Directions = count
		squares, err := run.Run(ad.Span{To: 16})
		if err != nil {
			t.Fatal(err)
		}
		bias, z := 0.0, 0.0 // means over all pairs
		for i, v := range squares.Lengths().Data {
			bias += (float64(v) - float64(exact.Data[i])) / float64(exact.Data[i]) / 256
			if squares.Variances != nil {
				z += math.Pow(squares.Values[i]-math.Pow(float64(exact.Data[i]), 2), 2) / squares.Variances[i] / 256
			}
		}
		t.Logf("%d directions: error %.3f, bias %.3f, z² %.2f", count, squares.Error(), bias, z)
		if count == 32 && (squares.Error() != 0 || math.Abs(bias) > 1e-6) {
			t.Errorf("all directions have an error of %v and a bias of %v", squares.Error(), bias)
		}
		if count < 32 && (squares.Error() >= last || squares.Error() == 0 || math.Abs(bias) > 0.04 || z > 4) {
			t.Errorf("%d directions have an error of %v after %v, a bias of %v and errors of %v times what they say", count,
				squares.Error(), last, bias, math.Sqrt(z))
		}
		last = squares.Error()
	}
}

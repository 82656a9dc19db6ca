package attention_test

import (
	"fmt"
	"math"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// TestBigBirdIsMaskedDotProduct: with given random blocks that are equal in all heads, the pattern
// equals a mask. Short texts have no pattern.
func TestBigBirdIsMaskedDotProduct(t *testing.T) {
	const b, count = 3, 8
	options := map[string]string{"block": fmt.Sprint(b), "random": "1",
		"random-blocks": "4,5,6,1,2,3;4,5,6,1,2,3;4,5,6,1,2,3"}
	random := []int{0, 4, 5, 6, 1, 2, 3, 0}
	for _, n := range []int{1, 5, 21, 22, 23, 24} {
		c := attention.Config{Width: 12, Heads: 3, Length: 24, Options: options}
		s := newSubject(t, attention.BigBird, c, 2, n)
		c.Options = nil
		mask := nn.Mask{}
		if n > 21 {
			mask = pairs(n, func(q, k int) bool {
				i, j := q/b, k/b
				return i == 0 || j == 0 || i == count-1 || j == count-1 || max(i-j, j-i) <= 1 || random[i] == j
			})
		}
		mustAgree(t, s, nn.Mask{}, s.like(t, attention.DotProduct, c), mask)
	}
}

// TestBigBirdOfPadding: if a text is too short for a pattern and is all padding, every row is
// uniform. Penalties are added to its scores, so the gradient is the gradient of the sum.
func TestBigBirdOfPadding(t *testing.T) {
	c := attention.Config{Width: 12, Heads: 3, Length: 8}
	s := newSubject(t, attention.BigBird, c, 1, 5)
	other := s.like(t, attention.DotProduct, c)
	gradient := func(s subject, mask nn.Mask) *tensor.T {
		p := nn.NewPass(ad.NewTape())
		p.Mask = mask
		y := s.mixer.Mix(p, p.Tape.Const(s.x))
		p.Tape.Backward(y, s.x)
		return p.Grad(s.param(t, "W_Q"))
	}
	empty := nn.Mask{Keys: make([]bool, 5), N: 5}
	mustAgree(t, s, empty, other, empty)
	got := gradient(s, empty)
	empty.Added = true
	want := gradient(other, empty)
	if d := maxDiff(got.Data, want.Data); d > tightTolerance ||
		maxDiff(want.Data, make([]tensor.Elem, want.Len())) < 1e-3 {
		t.Errorf("the gradient of W_Q differs by %g; it is %v", d, want.Data)
	}
}

// TestLongBigBirdWithNothingToRead: the output of a padded word is 0. A word with only hidden pairs
// attends to its blocks uniformly.
func TestLongBigBirdWithNothingToRead(t *testing.T) {
	const n, q = 40, 13
	s := newSubject(t, attention.BigBird, attention.Config{Width: 12, Heads: 3, Length: n}, 1, n)
	_, run := s.run(nn.Mask{Keys: make([]bool, n), N: n}, s.x, true)
	if mixed, _ := run.Find("mixed"); maxDiff(mixed.Value.Data, make([]tensor.Elem, n*12)) != 0 {
		t.Error("padded words mix to something")
	}
	_, run = s.run(pairs(n, func(i, _ int) bool { return i != q }), s.x, true)
	weights, _ := run.Find("weights")
	pattern, _ := run.Find("pattern")
	for h := range 3 {
		row, classes := weights.Value.Sub(h).Sub(q).Data, pattern.Value.Sub(h).Sub(q).Data
		read := 0
		for _, class := range classes {
			if class != 0 {
				read++
			}
		}
		for k, class := range classes {
			want := 0.0
			if class != 0 {
				want = 1 / float64(read)
			}
			if math.Abs(float64(row[k])-want) > 1e-6 || read == n {
				t.Errorf("head %d: reads %d with %v, not %v", h, k, row[k], want)
			}
		}
	}
}

func TestBigBirdDrawsRandomBlocks(t *testing.T) {
	const n, count = 60, 15
	c := attention.Config{Width: 12, Heads: 3, Length: n, Options: map[string]string{"random": "2"}}
	draw := func(seed string, scope string) *tensor.T {
		c.Options["seed"] = seed
		m, err := attention.BigBird.New(nn.NewScope(3).In(scope), c)
		if err != nil {
			t.Fatal(err)
		}
		_, run := subject{mixer: m}.run(nn.Mask{}, tensor.New(1, n, 12), true)
		pattern, _ := run.Find("pattern")
		return pattern.Value
	}
	first := draw("0", "layer 1")
	for h := range 3 {
		for i := range count {
			random := 0
			for j := range count {
				if first.At(h, i*4, j*4) == 3 {
					random++
				}
			}
			if want := 2; i > 0 && i < count-1 && random != want {
				t.Errorf("head %d, block %d reads %d random blocks", h, i, random)
			}
		}
	}
	if maxDiff(first.Data, draw("0", "layer 1").Data) != 0 {
		t.Error("the same number draws other blocks")
	}
	if maxDiff(first.Data, draw("1", "layer 1").Data) == 0 || maxDiff(first.Data, draw("0", "layer 2").Data) == 0 ||
		maxDiff(first.Sub(0).Data, first.Sub(1).Data) == 0 {
		t.Error("numbers, layers or heads draw the same blocks")
	}
}

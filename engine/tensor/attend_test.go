package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// attentionCase is an attention with its result.
type attentionCase struct {
	q, k, v, y Matrix
	scale      Elem
}

func randomAttention(r *rand.Rand, n, m, d, e int) attentionCase {
	return attentionCase{
		q: randomMatrix(r, n, d, false), k: randomMatrix(r, m, d, false), v: randomMatrix(r, m, e, false),
		y: randomMatrix(r, n, e, false), scale: Elem(1 / math.Sqrt(float64(max(d, 1)))),
	}
}

func (c attentionCase) String() string {
	return fmt.Sprintf("q %v, K %v, V %v, scale %v", c.q, c.k, c.v, c.scale)
}

// run computes y, and reports whether powers were relative to the largest of a row.
func (c attentionCase) run(s isa) bool {
	var a Attention
	a.set(s, c.k, c.v, c.scale)
	a.rows(s, c.y, c.q)
	return a.exact
}

// definition returns row i of the result, and the largest differences that rounding can cause.
func (c attentionCase) definition(i int) (y, slack []float64) {
	scores, most := make([]float64, c.k.Rows), 0.0
	for j := range scores {
		var size float64
		for f := range c.k.Cols {
			x := float64(c.q.at(i, f)) * float64(c.k.at(j, f)) * float64(c.scale)
			scores[j] += x
			size += math.Abs(x)
		}
		most = max(most, size)
	}
	p := make([]float64, len(scores))
	softmaxDefinition([][]float64{p, scores})
	y, slack = make([]float64, c.v.Cols), make([]float64, c.v.Cols)
	relative := 2*gemmSlack*float64(c.k.Cols+4)*epsilon*most + gemmSlack*float64(len(p)+10)*epsilon
	for f := range y {
		for j, x := range p {
			y[f] += x * float64(c.v.at(j, f))
			slack[f] += relative * math.Abs(x*float64(c.v.at(j, f)))
		}
	}
	return y, slack
}

func (c attentionCase) check(t *testing.T) {
	t.Helper()
	for i := range c.y.Rows {
		want, slack := c.definition(i)
		for f, w := range want {
			if got := float64(c.y.at(i, f)); !(math.Abs(got-w) <= slack[f]) {
				t.Fatalf("%v: y[%d,%d] is %v, want %v ± %v", c, i, f, got, w, slack[f])
			}
		}
	}
}

// TestAttention compares with the definition over many shapes, and detects writes outside the
// result.
func TestAttention(t *testing.T) {
	for name, s := range levels() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 60 {
				c := randomAttention(r, randomDim(r), 1+randomDim(r), 1+r.IntN(40), 1+r.IntN(40))
				before := slices.Clone(c.y.Data[:cap(c.y.Data)])
				c.run(s)
				c.check(t)
				for i, x := range c.y.Data[:cap(c.y.Data)] {
					inside := i/c.y.Stride < c.y.Rows && i%c.y.Stride < c.y.Cols
					if !inside && !same(x, before[i]) {
						t.Fatalf("%v: wrote %v at %d", c, x, i)
					}
				}
			}
			for _, c := range []attentionCase{randomAttention(r, 101, 1100, 32, 32), randomAttention(r, 5, 9, 260, 7),
				randomAttention(r, 3, 4, 0, 2)} {
				c.run(s)
				c.check(t)
			}
		})
	}
}

// TestAttentionOfLargeScores: the result is equally accurate for all sizes of scores. If the powers
// exceed the limits, it equals softmax of the scores.
func TestAttentionOfLargeScores(t *testing.T) {
	for name, s := range levels() {
		r := rand.New(rand.NewPCG(3, 4))
		for _, size := range []Elem{0, 1e-20, 1, 3, 10, 30, 100, 1e4} {
			c := randomAttention(r, 30, 40, 16, 8)
			c.scale *= size
			exact := c.run(s)
			c.check(t)
			if want := size >= 30; s != noISA && exact != want {
				t.Errorf("%s: with scores around %v, powers relative to the largest: %v", name, size, exact)
			}
			if exact {
				c.mustBeSoftmax(t, s)
			}
		}
		for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			c := randomAttention(r, 3, 5, 4, 6)
			c.q.Data[c.q.Stride] = Elem(odd)
			c.run(s)
			c.mustBeSoftmax(t, s)
		}
	}
}

// mustBeSoftmax compares y with a softmax of the scores, bit by bit.
func (c attentionCase) mustBeSoftmax(t *testing.T, s isa) {
	t.Helper()
	scores := NewMatrix(make([]Elem, c.q.Rows*c.k.Rows), c.q.Rows, c.k.Rows)
	s.gemm(scores, c.q, c.k.T(), c.scale, Overwrite)
	s.softmaxRows(scores.Data, scores.Data, scores.Cols)
	want := NewMatrix(make([]Elem, c.y.Rows*c.y.Cols), c.y.Rows, c.y.Cols)
	s.gemm(want, scores, c.v, 1, Overwrite)
	for i := range want.Rows {
		for f := range want.Cols {
			if got := c.y.at(i, f); !same(got, want.at(i, f)) {
				t.Fatalf("%v: y[%d,%d] is %v, softmax gives %v", c, i, f, got, want.at(i, f))
			}
		}
	}
}

// TestAttentionAgain: reusing memory of another head does not affect the result.
func TestAttentionAgain(t *testing.T) {
	for name, s := range levels() {
		r := rand.New(rand.NewPCG(5, 6))
		var a Attention
		for _, size := range []Elem{1, 1e4, 1} {
			c := randomAttention(r, 50, 60-int(min(size, 20)), 8, 8)
			c.scale *= size
			a.set(s, c.k, c.v, c.scale)
			a.rows(s, c.y, c.q)
			again := c
			again.y = NewMatrix(make([]Elem, c.y.Rows*c.y.Cols), c.y.Rows, c.y.Cols)
			again.run(s)
			for i := range c.y.Rows {
				for f := range c.y.Cols {
					if got := c.y.at(i, f); got != again.y.at(i, f) {
						t.Fatalf("%s: y[%d,%d] is %v, with memory of its own %v", name, i, f, got, again.y.at(i, f))
					}
				}
			}
		}
	}
}

func TestAttentionShapes(t *testing.T) {
	dense := func(rows, cols int) Matrix { return NewMatrix(make([]Elem, rows*cols), rows, cols) }
	var a Attention
	mustPanic(t, "keys without values", func() { a.Set(dense(3, 2), dense(4, 2), 1) })
	a.Set(dense(3, 2), dense(3, 5), 1)
	mustPanic(t, "width of queries", func() { a.Rows(dense(4, 5), dense(4, 3)) })
	mustPanic(t, "rows", func() { a.Rows(dense(4, 5), dense(3, 2)) })
	mustPanic(t, "width of values", func() { a.Rows(dense(4, 4), dense(4, 2)) })
	mustPanic(t, "memory", func() { a.Rows(Matrix{make([]Elem, 19), 4, 5, 5, false}, dense(4, 2)) })
}

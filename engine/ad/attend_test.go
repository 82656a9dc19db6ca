package ad

import (
	"math"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/tensor"
)

// TestAttend: every scorer gives the result of its operation with all rows at once.
func TestAttend(t *testing.T) {
	const batch, heads, n, d = 2, 2, 310, 12 // several blocks of rows
	r := rand.New(rand.NewPCG(3, 4))
	tape := NewFrozen()
	draw := func(shape ...int) *Var {
		a := tensor.New(shape...)
		for i := range a.Data {
			a.Data[i] = Elem(r.NormFloat64())
		}
		return tape.Const(a)
	}
	q, k, v := draw(batch, n, d), draw(batch, n, d), draw(batch, n, d)
	table, wide := draw(heads, n, n), draw(heads, n+7, n+7)
	left, right := draw(heads, n, 3), draw(heads, n, 3)
	w, b := draw(heads, n, d/heads), draw(heads, n)
	first, second := draw(batch, heads, n, 16), draw(batch, heads, n, 20)
	shares := draw(2)
	all := func(x *Var) *Var { return Reshape(Tile(x, batch), batch, heads, n, n) }
	for name, c := range map[string]struct {
		scores Scorer
		want   *Var
	}{
		"heads":    {HeadScorer(q, k, heads, 0.5), HeadScores(q, k, heads, 0.5)},
		"table":    {TableScorer(table), table},
		"part":     {TableScorer(wide), SubMatrix(wide, 0, n, n)},
		"factors":  {FactorScorer(left, right), Reshape(HeadScores(left, right, 1, 1), heads, n, n)},
		"linear":   {LinearScorer(q, w, b), HeadLinear(q, w, b)},
		"products": {ProductScorer(first, second), RowProducts(first, second, n)},
		"mix": {MixScorer(shares, []Scorer{TableScorer(table), HeadScorer(q, k, heads, 1)}, n, n),
			Combine(shares, []*Var{all(table), HeadScores(q, k, heads, 1)})},
		"mix of a part": {MixScorer(shares, []Scorer{TableScorer(wide), TableScorer(table)}, n, n),
			Combine(shares, []*Var{all(SubMatrix(wide, 0, n, n)), all(table)})},
	} {
		t.Run(name, func(t *testing.T) {
			want := HeadMix(Softmax(c.want), v).Value.Data
			for i, x := range Attend(c.scores, v, heads, n).Value.Data {
				if math.Abs(float64(x-want[i])) > 1e-6 {
					t.Fatalf("element %d is %v, want %v", i, x, want[i])
				}
			}
		})
	}
}

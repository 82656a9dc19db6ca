package metrics

import (
	"math"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Influence is ‖∂y_i/∂x_j‖_F for every pair of positions: how much the output
// at i moves when the input at j moves, along every path. x [1,N,d] → [N,N].
// It is exact up to rounding, and defined alike for every mechanism.
func Influence(m attention.Mixer, x *tensor.T, mask nn.Mask) *tensor.T {
	all, _ := InfluenceRows(m, x, mask, ad.Span{To: x.Dim(1)}, func() error { return nil })
	return all
}

// InfluenceRows is the rows From ≤ i < To of Influence, [To−From,N]. Before each of
// its steps, which take some milliseconds, it calls turn, whose error ends it.
//
// The forward pass runs once, on copies of x side by side as a batch; then each
// step pulls as many rows of the Jacobian back through it as there are copies.
func InfluenceRows(m attention.Mixer, x *tensor.T, mask nn.Mask, rows ad.Span, turn func() error) (*tensor.T, error) {
	n, d := x.Dim(1), x.Dim(2)
	copies := max(1, min((rows.To-rows.From)*d, batchRows/n))
	if err := turn(); err != nil {
		return nil, err
	}
	p := nn.NewPass(ad.NewTape())
	p.Fixed, p.Mask = true, mask
	if mask.Keys != nil {
		p.Mask.Keys = slices.Repeat(mask.Keys, copies)
	}
	in := p.Tape.Leaf(tensor.From(slices.Repeat(x.Data, copies), copies, n, d))
	y := m.Mix(p, in)
	wide := y.Dim(2)                      // d, but for cores, which have no output projection
	count := (rows.To - rows.From) * wide // rows of the Jacobian that are wanted
	seed := tensor.New(copies, n, wide)
	squares := make([]float64, n*n)
	for at := 0; at < count; at += copies {
		if err := turn(); err != nil {
			return nil, err
		}
		clear(seed.Data)
		for c := range min(copies, count-at) {
			seed.Data[c*n*wide+rows.From*wide+at+c] = 1
		}
		p.Tape.Backward(y, seed)
		if in.Grad() == nil {
			break // y does not depend on x at all
		}
		for c := range min(copies, count-at) {
			addSquares(squares[(at+c)/wide*n:][:n], in.Grad().Sub(c).Data)
		}
	}
	out := tensor.New(rows.To-rows.From, n)
	for i := range out.Data {
		out.Data[i] = tensor.Elem(math.Sqrt(squares[i]))
	}
	return out, nil
}

// batchRows is about how many positions a batch of copies has: enough to keep
// the products of matrices busy, few enough for the memory of a deep mixer.
const batchRows = 128

// addSquares adds the sum of squares of each row of g [N,d] to sums [N], in
// float64: squares of small float32 numbers are no float32 numbers.
func addSquares(sums []float64, g []tensor.Elem) {
	d := len(g) / len(sums)
	for j := range sums {
		var s [4]float64 // four sums at a time do not wait for each other
		row := g[j*d:][:d]
		for ; len(row) >= 4; row = row[4:] {
			a, b, c, e := float64(row[0]), float64(row[1]), float64(row[2]), float64(row[3])
			s[0], s[1], s[2], s[3] = s[0]+a*a, s[1]+b*b, s[2]+c*c, s[3]+e*e
		}
		for _, v := range row {
			s[0] += float64(v) * float64(v)
		}
		sums[j] += s[0] + s[1] + s[2] + s[3]
	}
}

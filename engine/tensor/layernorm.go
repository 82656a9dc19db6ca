package tensor

import "fmt"

// LayerNorm holds the parameters of a layer normalisation, and the statistics of each row.
type LayerNorm struct {
	Gamma, Beta []Elem // [C]
	Mean, RStd  []Elem // [R]
}

// LayerNormRows normalises each row of x, which has len(Gamma) elements (Ba, Kiros and Hinton
// 2016): dst = Gamma·(x − Mean)·RStd + Beta with RStd = 1/√(variance + eps). It writes the Mean and
// RStd of each row, which the backward pass needs. dst can be x. Shapes: dst, x [R,C]; it panics
// for any other.
func LayerNormRows(dst, x []Elem, n LayerNorm, eps Elem) {
	n.must("LayerNormRows", x, dst, n.Beta)
	if len(x) > 0 {
		machine.layerNormRows(dst, x, n, eps)
	}
}

// LayerNormRowsBackward computes the gradient of LayerNormRows, which does not depend on Beta. It
// writes dx and adds to the parameters of grad, whose Mean and RStd are not used. dx can be x or
// dy. Shapes: dx, x, dy [R,C]; it panics for any other.
func LayerNormRowsBackward(dx, x, dy []Elem, n, grad LayerNorm) {
	n.must("LayerNormRowsBackward", x, dx, grad.Gamma)
	mustMatch("LayerNormRowsBackward", x, dy)
	mustMatch("LayerNormRowsBackward", n.Gamma, grad.Beta)
	if len(x) > 0 {
		machine.layerNormRowsBackward(dx, x, dy, n, grad)
	}
}

func (n LayerNorm) must(op string, x, like, beta []Elem) {
	mustMatch(op, x, like)
	mustMatch(op, n.Gamma, beta)
	mustMatch(op, n.Mean, n.RStd)
	if len(x) != len(n.Gamma)*len(n.Mean) {
		panic(ShapeError{op, "[R,C] with gamma [C] and mean [R]",
			fmt.Sprintf("%d elements, gamma [%d], mean [%d]", len(x), len(n.Gamma), len(n.Mean))})
	}
}

func layerNormRowsPortable(dst, x []Elem, n LayerNorm, eps Elem) {
	gamma, beta, cols := n.Gamma, n.Beta, len(n.Gamma)
	for i := range n.Mean {
		row, out := x[i*cols:(i+1)*cols], dst[i*cols:(i+1)*cols]
		m := sumPortable(row) / Elem(cols)
		var squares Elem
		for _, v := range row {
			squares += (v - m) * (v - m)
		}
		r := 1 / sqrt(squares/Elem(cols)+eps)
		n.Mean[i], n.RStd[i] = m, r
		for j, v := range row {
			out[j] = (v-m)*r*gamma[j] + beta[j]
		}
	}
}

func layerNormRowsBackwardPortable(dx, x, dy []Elem, n, grad LayerNorm) {
	gamma, cols := n.Gamma, len(n.Gamma)
	dgamma, dbeta := grad.Gamma, grad.Beta
	for i, m := range n.Mean {
		at, end := i*cols, (i+1)*cols
		row, grad, out, r := x[at:end], dy[at:end], dx[at:end], n.RStd[i]
		var sum, along Elem
		for j, v := range row {
			hat, g := (v-m)*r, grad[j]
			dgamma[j] += g * hat
			dbeta[j] += g
			g *= gamma[j]
			sum += g
			along += g * hat
		}
		sum /= Elem(cols)
		along /= Elem(cols)
		for j, v := range row {
			out[j] = r * (grad[j]*gamma[j] - sum - (v-m)*r*along)
		}
	}
}

package tensor

import "fmt"

// LayerNormRows normalises each row of x, len(gamma) long, as Ba, Kiros and
// Hinton (2016) do: dst = gamma·(x − mean)·rstd + beta with rstd =
// 1/√(variance + eps). It writes the mean and rstd of each row, which the
// backward pass needs. dst may be x. Shapes: dst, x [R,C]; gamma, beta [C];
// mean, rstd [R]; any other panics.
func LayerNormRows(dst, x, gamma, beta, mean, rstd []Elem, eps Elem) {
	mustBeNorm("LayerNormRows", x, dst, gamma, beta, mean, rstd)
	if len(x) > 0 {
		machine.layerNormRows(dst, x, gamma, beta, mean, rstd, eps)
	}
}

// LayerNormRowsBackward is the gradient of LayerNormRows. It writes dx and
// adds to dgamma and dbeta. dx may be x or dy. Shapes: dx, x, dy [R,C];
// dgamma, dbeta, gamma [C]; mean, rstd [R]; any other panics.
func LayerNormRowsBackward(dx, dgamma, dbeta, x, gamma, mean, rstd, dy []Elem) {
	mustBeNorm("LayerNormRowsBackward", x, dx, gamma, dgamma, mean, rstd)
	mustMatch("LayerNormRowsBackward", x, dy)
	mustMatch("LayerNormRowsBackward", gamma, dbeta)
	if len(x) > 0 {
		machine.layerNormRowsBackward(dx, dgamma, dbeta, x, gamma, mean, rstd, dy)
	}
}

func mustBeNorm(op string, x, like, gamma, beta, mean, rstd []Elem) {
	mustMatch(op, x, like)
	mustMatch(op, gamma, beta)
	mustMatch(op, mean, rstd)
	if len(x) != len(gamma)*len(mean) {
		panic(ShapeError{op, "[R,C] with gamma [C] and mean [R]",
			fmt.Sprintf("%d elements, gamma [%d], mean [%d]", len(x), len(gamma), len(mean))})
	}
}

func layerNormRowsPortable(dst, x, gamma, beta, mean, rstd []Elem, eps Elem) {
	cols := len(gamma)
	for i := range mean {
		row, out := x[i*cols:(i+1)*cols], dst[i*cols:(i+1)*cols]
		m := sumPortable(row) / Elem(cols)
		var squares Elem
		for _, v := range row {
			squares += (v - m) * (v - m)
		}
		r := 1 / sqrt(squares/Elem(cols)+eps)
		mean[i], rstd[i] = m, r
		for j, v := range row {
			out[j] = (v-m)*r*gamma[j] + beta[j]
		}
	}
}

func layerNormRowsBackwardPortable(dx, dgamma, dbeta, x, gamma, mean, rstd, dy []Elem) {
	cols := len(gamma)
	for i, m := range mean {
		at, end := i*cols, (i+1)*cols
		row, grad, out, r := x[at:end], dy[at:end], dx[at:end], rstd[i]
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

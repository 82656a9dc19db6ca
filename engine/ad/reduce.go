package ad

import (
	"fmt"
	"math"

	"attnatlas/engine/tensor"
)

// CrossEntropy is the mean over rows of −log softmax(logits)[target]: logits
// [N,C], one target class per row → a scalar, in nats.
func CrossEntropy(logits *Var, targets []int) *Var {
	classes := logits.Dim(-1)
	rows := logits.Value.Len() / max(classes, 1)
	if rows != len(targets) || rows == 0 {
		panic(tensor.ShapeError{Op: "ad.CrossEntropy", Want: "one target per row, at least one", Got: fmt.Sprintf("%v and %d targets", logits.Shape(), len(targets))})
	}
	t := logits.tape
	loss := t.result([]*Var{logits})
	p := t.array(logits.Shape()...)
	tensor.SoftmaxRows(p.Data, logits.Value.Data, classes)
	sum := 0.0
	for i, target := range targets {
		sum -= logSoftmaxAt(logits.Value.Data[i*classes:][:classes], p.Data[i*classes:][:classes], target)
	}
	loss.Value.Data[0] = Elem(sum / float64(rows))
	t.record(loss, func(dl []Elem) {
		scale := dl[0] / Elem(rows)
		dx := logits.sum()
		tensor.Axpy(dx, scale, p.Data)
		for i, target := range targets {
			dx[i*classes+target] -= scale
		}
	})
	return loss
}

// logSoftmaxAt is log softmax(x)[target]. Where p has underflowed to 0 it is
// computed from the scores.
func logSoftmaxAt(x, p []Elem, target int) float64 {
	if p[target] > 1e-30 {
		return math.Log(float64(p[target]))
	}
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(float64(v - top))
	}
	return float64(x[target]-top) - math.Log(sum)
}

// Dot is Σ x∘w for a fixed array w, a scalar: the loss of gradient checks.
func Dot(x *Var, w *tensor.T) *Var {
	if !x.Value.SameShape(w) {
		panic(shapeError("Dot", x.Value, w))
	}
	t := x.tape
	y := t.result([]*Var{x})
	y.Value.Data[0] = tensor.Dot(x.Value.Data, w.Data)
	t.record(y, func(dy []Elem) { tensor.Axpy(x.sum(), dy[0], w.Data) })
	return y
}

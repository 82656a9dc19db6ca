package ad

import (
	"fmt"
	"math"

	"attnatlas/engine/tensor"
)

// CrossEntropy returns the mean over rows of −log softmax(logits)[target], in nats: logits [N,C],
// one target class per row → a scalar.
func CrossEntropy(logits *Var, targets []int) *Var {
	classes := logits.Dim(-1)
	rows := logits.Value.Len() / max(classes, 1)
	mustHaveTargets("CrossEntropy", logits, rows, targets)
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

func mustHaveTargets(op string, x *Var, rows int, targets []int) {
	if rows != len(targets) || rows == 0 {
		panic(tensor.ShapeError{Op: "ad." + op, Want: "one target per row, at least one",
			Got: fmt.Sprintf("%v and %d targets", x.Shape(), len(targets))})
	}
}

// LinearCrossEntropy returns CrossEntropy(Linear(x, w, b), targets) for x [N,in], many classes w
// [C,in] and b [C] or nil. It never holds the scores of all rows. It computes them for a block of
// rows at a time, and adds the block's gradients before the next block. Cost: 6·N·in·C FLOPs, or
// 2·N·in·C without gradients.
func LinearCrossEntropy(x, w, b *Var, targets []int) *Var {
	in, classes := x.Dim(-1), w.Dim(0)
	rows := x.Value.Len() / max(in, 1)
	mustHaveTargets("LinearCrossEntropy", x, rows, targets)
	args := []*Var{x, w}
	if b != nil {
		args = append(args, b)
	}
	if w.Value.Rank() != 2 || w.Dim(1) != in || b != nil && b.Value.Len() != classes {
		panic(shapeError("LinearCrossEntropy", x.Value, w.Value))
	}
	t := x.tape
	loss := t.result(args)
	h := &scoreLoss{share: 1 / Elem(rows), x: tensor.NewMatrix(x.Value.Data, rows, in),
		w: tensor.NewMatrix(w.Value.Data, classes, in), b: b}
	grads := make([]*tensor.T, len(args))
	for i, v := range args {
		if v.active && t.records() {
			grads[i] = t.array(v.Shape()...)
		}
	}
	loss.Value.Data[0] = Elem(h.run(t, targets, grads) / float64(rows))
	t.record(loss, func(dl []Elem) {
		for i, v := range args {
			if v.active {
				v.addScaled(dl[0], grads[i].Data)
			}
		}
	})
	return loss
}

// scoreRows is the number of rows of scores in memory at once.
const scoreRows = 156

// scoreLoss computes a LinearCrossEntropy.
type scoreLoss struct {
	share Elem // weight of a row in the mean
	x, w  tensor.Matrix
	b     *Var
}

// run returns the sum of the losses. It writes the gradients of x, w and b into the arrays of grads that
// are not nil.
func (h *scoreLoss) run(t *Tape, targets []int, grads []*tensor.T) (sum float64) {
	mark := *t
	defer t.release(&mark)
	classes, size := h.w.Rows, min(scoreRows, h.x.Rows)
	stride := classes + 16 // rows a power of two apart would compete for the same places in the cache
	scores, row := t.numbers.take(size*stride), t.numbers.take(classes)
	weights := t.newPacked()
	weights.Set(h.w.T())
	for from := 0; from < h.x.Rows; from += size {
		span := Span{from, min(from+size, h.x.Rows)}
		x, s := rowsOf(h.x, span), tensor.Matrix{Data: scores, Rows: span.To - from, Cols: classes, Stride: stride}
		tensor.GemmPacked(s, x, weights, 1, tensor.Overwrite)
		for i, target := range targets[from:span.To] {
			sum -= h.pull(s.Data[i*stride:][:classes], row, target)
		}
		h.spread(s, span, grads)
	}
	if len(grads) > 2 && grads[2] != nil {
		tensor.Scale(grads[2].Data, h.share, grads[2].Data)
	}
	return sum
}

// pull turns the products of a row into the gradient of its scores, softmax(scores) minus 1 at the
// target. It returns log softmax(scores)[target]. row is memory for the scores.
func (h *scoreLoss) pull(products, row []Elem, target int) float64 {
	if h.b != nil {
		tensor.AddRow(row, products, h.b.Value.Data)
	} else {
		copy(row, products)
	}
	tensor.SoftmaxRows(products, row, len(row))
	l := logSoftmaxAt(row, products, target)
	products[target]--
	return l
}

// spread adds the contributions of the gradient ds of the scores of some rows to the gradients of
// x, w and b. The first rows overwrite these gradients.
func (h *scoreLoss) spread(ds tensor.Matrix, rows Span, grads []*tensor.T) {
	if g := grads[0]; g != nil {
		dx := rowsOf(tensor.NewMatrix(g.Data, h.x.Rows, h.x.Cols), rows)
		tensor.Gemm(dx, ds, h.w, h.share, tensor.Overwrite)
	}
	if g := grads[1]; g != nil {
		u := tensor.Accumulate
		if rows.From == 0 {
			u = tensor.Overwrite
		}
		tensor.Gemm(tensor.NewMatrix(g.Data, h.w.Rows, h.w.Cols), ds.T(), rowsOf(h.x, rows), h.share, u)
	}
	if len(grads) > 2 && grads[2] != nil {
		if rows.From == 0 {
			clear(grads[2].Data)
		}
		for i := range ds.Rows {
			tensor.Add(grads[2].Data, grads[2].Data, row(ds, i))
		}
	}
}

// logSoftmaxAt returns log softmax(x)[target]. If p has underflowed to 0, it is computed from the
// scores.
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

package ad

import (
	"attnatlas/engine/tensor"
)

// Linear returns y = x·Wᵀ + b for x [N,in], W [out,in] and b [out] or nil. The layout of the
// weights is that of torch.nn.Linear. Cost: 2·N·in·out FLOPs.
func Linear(x, w, b *Var) *Var {
	in, out := x.Dim(-1), w.Dim(0)
	if w.Value.Rank() != 2 || w.Dim(1) != in || b != nil && b.Value.Len() != out {
		panic(shapeError("Linear", x.Value, w.Value))
	}
	t, rows := x.tape, x.Value.Len()/max(in, 1)
	args := []*Var{x, w}
	if b != nil {
		args = append(args, b)
	}
	y := t.result(args, last(x.Shape(), out)...)
	y.explain(func(i int) Origin {
		row, o := i/out, i%out
		from := dot(Several(x, row*in, 1, in), Several(w, o*in, 1, in), 1)
		if b != nil {
			from.Plus = []Number{{b, o}}
		}
		return from
	})
	flat := func(a *tensor.T, cols int) tensor.Matrix { return tensor.NewMatrix(a.Data, rows, cols) }
	weights := tensor.NewMatrix(w.Value.Data, out, in)
	linear(flat(y.Value, out), flat(x.Value, in), w, b)
	t.record(y, func(dy []Elem) {
		d := tensor.NewMatrix(dy, rows, out)
		if x.active {
			x.addProduct(d, weights)
		}
		if w.active {
			dw, u := w.grow()
			tensor.Gemm(tensor.NewMatrix(dw.Data, out, in), d.T(), flat(x.Value, in), 1, u)
		}
		if b != nil && b.active {
			tensor.SumRows(b.sum(), dy, out)
		}
	})
	return y
}

// linear computes y = x·wᵀ + b.
func linear(y, x tensor.Matrix, w, b *Var) {
	weights := tensor.NewMatrix(w.Value.Data, y.Cols, x.Cols).T()
	switch {
	case w.packed != nil && b != nil:
		tensor.GemmPackedRow(y, x, w.packed, b.Value.Data)
	case w.packed != nil:
		tensor.GemmPacked(y, x, w.packed, 1, tensor.Overwrite)
	case b != nil:
		tensor.GemmRow(y, x, weights, b.Value.Data)
	default:
		tensor.Gemm(y, x, weights, 1, tensor.Overwrite)
	}
}

// HeadScores returns S_a = scale · q_a·k_aᵀ for every head a: q [N,d], k [M,d] → [H,N,M]. Head a
// has the features a·d_h … (a+1)·d_h−1. Cost: 2·N·M·d FLOPs.
func HeadScores(q, k *Var, count int, scale Elem) *Var {
	hq, hk := headsOf(q, count), headsOf(k, count)
	if hq.batch != hk.batch || hq.width != hk.width {
		panic(shapeError("HeadScores", q.Value, k.Value))
	}
	t := q.tape
	s := t.result([]*Var{q, k}, hq.batch, count, hq.n, hk.n)
	s.explain(func(i int) Origin {
		b, a, n, m := planesOf(s.Value).of(i)
		return dot(Several(q, hq.at(b, a, n), 1, hq.width), Several(k, hk.at(b, a, m), 1, hk.width), scale)
	})
	ps := planesOf(s.Value)
	each(hq.batch, count, func(b, a int) {
		tensor.Gemm(ps.view(s.Value.Data, b, a), hq.view(q.Value.Data, b, a), hk.view(k.Value.Data, b, a).T(), scale,
			tensor.Overwrite)
	})
	t.record(s, func(ds []Elem) {
		if q.active {
			dq, u := q.grow()
			each(hq.batch, count, func(b, a int) {
				rowsProduct(hq.view(dq.Data, b, a), ps.view(ds, b, a), hk.view(k.Value.Data, b, a), scale, u)
			})
		}
		if k.active {
			dk, u := k.grow()
			each(hq.batch, count, func(b, a int) {
				s := nonzeroSpan(ps.view(ds, b, a))
				sumProduct(hk.view(dk.Data, b, a), rowsOf(ps.view(ds, b, a), s), rowsOf(hq.view(q.Value.Data, b, a), s), scale, u)
			})
		}
	})
	return s
}

// HeadMix returns y_a = A_a·v_a for every head a, concatenated: A [H,N,M], v [M,d] → [N,d]. A
// without a batch axis serves every sequence of the batch. Cost: 2·N·M·d FLOPs.
func HeadMix(weights, v *Var) *Var {
	pa := planesOf(weights.Value)
	hv := headsOf(v, pa.heads)
	if pa.cols != hv.n || pa.batch != 1 && pa.batch != hv.batch {
		panic(shapeError("HeadMix", weights.Value, v.Value))
	}
	t, hy := v.tape, hv
	hy.n = pa.rows
	y := t.result([]*Var{weights, v}, hv.batch, pa.rows, v.Dim(2))
	y.explain(func(i int) Origin {
		b, a, n, f := hy.of(i)
		return dot(Several(weights, pa.at(b, a, n), 1, pa.cols), Several(v, hv.at(b, a, 0)+f, v.Dim(2), hv.n), 1)
	})
	each(hv.batch, hv.count, func(b, a int) {
		tensor.Gemm(hy.view(y.Value.Data, b, a), pa.view(weights.Value.Data, b, a), hv.view(v.Value.Data, b, a), 1,
			tensor.Overwrite)
	})
	t.record(y, func(dy []Elem) {
		if weights.active {
			mixWeightsPullback(weights, v, dy, hy)
		}
		if v.active {
			dv, u := v.grow()
			each(hv.batch, hv.count, func(b, a int) {
				s := nonzeroSpan(hy.view(dy, b, a))
				sumProduct(hv.view(dv.Data, b, a), rowsOf(pa.view(weights.Value.Data, b, a), s), rowsOf(hy.view(dy, b, a), s), 1, u)
			})
		}
	})
	return y
}

func mixWeightsPullback(weights, v *Var, dy []Elem, hy heads) {
	pa, hv := planesOf(weights.Value), headsOf(v, hy.count)
	dw, u := weights.grow()
	each(hv.batch, hv.count, func(b, a int) {
		mode := u
		if pa.batch == 1 && b > 0 { // all sequences share A: add their gradients
			mode = tensor.Accumulate
		}
		rowsProduct(pa.view(dw.Data, b, a), hy.view(dy, b, a), hv.view(v.Value.Data, b, a).T(), 1, mode)
	})
}

// HeadLinear returns y_a = x_a·W_aᵀ + b_a for every head a: x [N,H·m], W [H,M,m], b [H,M] →
// [H,N,M]. Cost: 2·N·M·H·m FLOPs.
func HeadLinear(x, w, bias *Var) *Var {
	pw := planesOf(w.Value)
	hx := headsOf(x, pw.heads)
	if hx.width != pw.cols || bias.Value.Len() != pw.heads*pw.rows {
		panic(shapeError("HeadLinear", x.Value, w.Value, bias.Value))
	}
	t := x.tape
	y := t.result([]*Var{x, w, bias}, hx.batch, hx.count, hx.n, pw.rows)
	y.explain(func(i int) Origin {
		b, a, n, m := planesOf(y.Value).of(i)
		return dot(Several(x, hx.at(b, a, n), 1, hx.width), Several(w, pw.at(0, a, m), 1, pw.cols), 1,
			Number{bias, a*pw.rows + m})
	})
	py := planesOf(y.Value)
	row := func(data []Elem, a int) []Elem { return data[a*pw.rows:][:pw.rows] }
	each(hx.batch, hx.count, func(b, a int) {
		tensor.GemmRow(py.view(y.Value.Data, b, a), hx.view(x.Value.Data, b, a), pw.view(w.Value.Data, 0, a).T(),
			row(bias.Value.Data, a))
	})
	t.record(y, func(dy []Elem) {
		if x.active {
			dx, u := x.grow()
			each(hx.batch, hx.count, func(b, a int) {
				tensor.Gemm(hx.view(dx.Data, b, a), py.view(dy, b, a), pw.view(w.Value.Data, 0, a), 1, u)
			})
		}
		if w.active {
			dw := w.sum()
			each(hx.batch, hx.count, func(b, a int) {
				tensor.Gemm(pw.view(dw, 0, a), py.view(dy, b, a).T(), hx.view(x.Value.Data, b, a), 1, tensor.Accumulate)
			})
		}
		if bias.active {
			db := bias.sum()
			each(hx.batch, hx.count, func(b, a int) {
				tensor.SumRows(row(db, a), py.view(dy, b, a).Data, pw.rows)
			})
		}
	})
	return y
}

// Compress returns y = eᵀ·x along the sequence: e [N,K], x [B,N,d] → [B,K,d]. Cost: 2·N·K·d FLOPs.
func Compress(e, x *Var) *Var {
	if e.Value.Rank() != 2 || x.Value.Rank() != 3 || e.Dim(0) != x.Dim(1) {
		panic(shapeError("Compress", e.Value, x.Value))
	}
	t, b, n, k, d := x.tape, x.Dim(0), x.Dim(1), e.Dim(1), x.Dim(2)
	y := t.result([]*Var{e, x}, b, k, d)
	y.explain(func(i int) Origin {
		s, c, f := i/(k*d), i/d%k, i%d
		return dot(Several(e, c, k, n), Several(x, s*n*d+f, d, n), 1)
	})
	long := func(data []Elem, i int) tensor.Matrix { return tensor.NewMatrix(data[i*n*d:], n, d) }
	short := func(data []Elem, i int) tensor.Matrix { return tensor.NewMatrix(data[i*k*d:], k, d) }
	table := tensor.NewMatrix(e.Value.Data, n, k)
	for i := range b {
		tensor.Gemm(short(y.Value.Data, i), table.T(), long(x.Value.Data, i), 1, tensor.Overwrite)
	}
	t.record(y, func(dy []Elem) {
		if e.active {
			de := tensor.NewMatrix(e.sum(), n, k)
			for i := range b {
				tensor.Gemm(de, long(x.Value.Data, i), short(dy, i).T(), 1, tensor.Accumulate)
			}
		}
		if x.active {
			dx, u := x.grow()
			for i := range b {
				tensor.Gemm(long(dx.Data, i), table, short(dy, i), 1, u)
			}
		}
	})
	return y
}

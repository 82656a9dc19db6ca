package ad

import (
	"attnatlas/engine/tensor"
)

// LinearMix returns y_i = Σ_j (q_i·k_j) v_j for every head, computed from the state Σ_j k_j v_jᵀ
// [m,w]: q [N,H·m], k [M,H·m], v [M,H·w] → [N,H·w]. Cost: 2(N+M)·m·w·H FLOPs. No N×M array is
// formed.
func LinearMix(q, k, v *Var, count int) *Var {
	hq, hk, hv := linearHeads(q, k, v, count)
	t, hy := q.tape, hv
	hy.n = hq.n
	y := t.result([]*Var{q, k, v}, hq.batch, hq.n, v.Dim(2))
	states := t.numbers.take(hq.batch * count * hq.width * hv.width)
	state := func(b, a int) tensor.Matrix {
		return tensor.NewMatrix(states[(b*count+a)*hq.width*hv.width:], hq.width, hv.width)
	}
	each(hq.batch, count, func(b, a int) {
		tensor.Gemm(state(b, a), hk.view(k.Value.Data, b, a).T(), hv.view(v.Value.Data, b, a), 1, tensor.Overwrite)
		tensor.Gemm(hy.view(y.Value.Data, b, a), hq.view(q.Value.Data, b, a), state(b, a), 1, tensor.Overwrite)
	})
	if t.explains {
		explainLinearMix(y, q, k, v, tensor.From(states, hq.batch, count, hq.width, hv.width))
	}
	t.record(y, func(dy []Elem) {
		dq, dk, dv := q.orScratch(), k.orScratch(), v.orScratch()
		ds := tensor.NewMatrix(t.numbers.take(hq.width*hv.width), hq.width, hv.width)
		each(hq.batch, count, func(b, a int) {
			dy := hy.view(dy, b, a)
			tensor.Gemm(hq.view(dq, b, a), dy, state(b, a).T(), 1, tensor.Accumulate)
			tensor.Gemm(ds, hq.view(q.Value.Data, b, a).T(), dy, 1, tensor.Overwrite)
			tensor.Gemm(hk.view(dk, b, a), hv.view(v.Value.Data, b, a), ds.T(), 1, tensor.Accumulate)
			tensor.Gemm(hv.view(dv, b, a), hk.view(k.Value.Data, b, a), ds, 1, tensor.Accumulate)
		})
	})
	return y
}

func linearHeads(q, k, v *Var, count int) (hq, hk, hv heads) {
	hq, hk, hv = headsOf(q, count), headsOf(k, count), headsOf(v, count)
	if hq.batch != hk.batch || hq.batch != hv.batch || hq.width != hk.width || hk.n != hv.n {
		panic(shapeError("LinearMix", q.Value, k.Value, v.Value))
	}
	return hq, hk, hv
}

// causalChunk is the number of positions that CausalLinearMix processes at once. Pairs within a
// chunk are formed; earlier positions are in the running sum.
const causalChunk = 64

// CausalLinearMix returns y_i = Σ_{j≤i} (q_i·k_j) v_j for every head, computed from running sums
// S_i = Σ_{j≤i} k_j v_jᵀ: q, k [N,H·m], v [N,H·w] → [N,H·w]. Cost: 4N·m·w·H FLOPs, and 2N·C(m+w)H
// for the pairs within chunks of C = 64. No N×N array is formed.
func CausalLinearMix(q, k, v *Var, count int) *Var {
	hq, hk, hv := linearHeads(q, k, v, count)
	if hq.n != hk.n {
		panic(shapeError("CausalLinearMix", q.Value, k.Value, v.Value))
	}
	t := q.tape
	y := t.result([]*Var{q, k, v}, hq.batch, hq.n, v.Dim(2))
	sum := tensor.NewMatrix(t.numbers.take(hq.width*hv.width), hq.width, hv.width)
	pairs := t.numbers.take(causalChunk * causalChunk)
	each(hq.batch, count, func(b, a int) {
		clear(sum.Data)
		for from := 0; from < hq.n; from += causalChunk {
			c := Span{from, min(from+causalChunk, hq.n)}
			qc, kc := rowsOf(hq.view(q.Value.Data, b, a), c), rowsOf(hk.view(k.Value.Data, b, a), c)
			vc, yc := rowsOf(hv.view(v.Value.Data, b, a), c), rowsOf(hv.view(y.Value.Data, b, a), c)
			tensor.Gemm(yc, qc, sum, 1, tensor.Overwrite)
			tensor.Gemm(yc, lower(pairs, qc, kc), vc, 1, tensor.Accumulate)
			tensor.Gemm(sum, kc.T(), vc, 1, tensor.Accumulate)
		}
	})
	if t.explains {
		explainCausalLinearMix(y, q, k, v, count)
	}
	t.record(y, func(dy []Elem) {
		dq, dk, dv := q.orScratch(), k.orScratch(), v.orScratch()
		each(hq.batch, count, func(b, a int) {
			Q, K, V := hq.view(q.Value.Data, b, a), hk.view(k.Value.Data, b, a), hv.view(v.Value.Data, b, a)
			dY, dQ, dK, dV := hv.view(dy, b, a), hq.view(dq, b, a), hk.view(dk, b, a), hv.view(dv, b, a)
			clear(sum.Data)
			for from := 0; from < hq.n; from += causalChunk { // forwards: sum = Σ k_j v_jᵀ over earlier positions
				c := Span{from, min(from+causalChunk, hq.n)}
				tensor.Gemm(rowsOf(dQ, c), rowsOf(dY, c), sum.T(), 1, tensor.Accumulate)
				tensor.Gemm(rowsOf(dQ, c), lower(pairs, rowsOf(dY, c), rowsOf(V, c)), rowsOf(K, c), 1, tensor.Accumulate)
				tensor.Gemm(sum, rowsOf(K, c).T(), rowsOf(V, c), 1, tensor.Accumulate)
			}
			clear(sum.Data)
			// Backwards: sum = Σ q_i dy_iᵀ over later positions.
			for from := (hq.n - 1) / causalChunk * causalChunk; from >= 0; from -= causalChunk {
				c := Span{from, min(from+causalChunk, hq.n)}
				tensor.Gemm(rowsOf(dK, c), rowsOf(V, c), sum.T(), 1, tensor.Accumulate)
				tensor.Gemm(rowsOf(dK, c), lower(pairs, rowsOf(dY, c), rowsOf(V, c)).T(), rowsOf(Q, c), 1, tensor.Accumulate)
				tensor.Gemm(rowsOf(dV, c), rowsOf(K, c), sum, 1, tensor.Accumulate)
				tensor.Gemm(rowsOf(dV, c), lower(pairs, rowsOf(Q, c), rowsOf(K, c)).T(), rowsOf(dY, c), 1, tensor.Accumulate)
				tensor.Gemm(sum, rowsOf(Q, c).T(), rowsOf(dY, c), 1, tensor.Accumulate)
			}
		})
	})
	return y
}

// explainLinearMix records the origins of y: it comes from q and the states [B,H,m,w], and these
// come from k and v.
func explainLinearMix(y, q, k, v *Var, states *tensor.T) {
	count := states.Dim(1)
	hq, hk, hv, hy := headsOf(q, count), headsOf(k, count), headsOf(v, count), headsOf(y, count)
	m, w := hq.width, hv.width
	state := y.tape.Derive(states.Clone(), func(i int) Origin {
		b, a, f, g := i/(count*m*w), i/(m*w)%count, i/w%m, i%w
		return Products(Several(k, hk.at(b, a, 0)+f, k.Dim(-1), hk.n), Several(v, hv.at(b, a, 0)+g, v.Dim(-1), hv.n))
	})
	y.explain(func(i int) Origin {
		b, a, row, g := hy.of(i)
		return Products(Several(q, hq.at(b, a, row), 1, m), Several(state, (b*count+a)*m*w+g, w, m))
	})
}

// explainCausalLinearMix records the origins of y: each is a sum over the values v up to its
// position, each multiplied by a product of q and k.
func explainCausalLinearMix(y, q, k, v *Var, count int) {
	hv, hy := headsOf(v, count), headsOf(y, count)
	pairs := HeadScores(q, k, count, 1) // [H,N,N]
	y.explain(func(i int) Origin {
		b, a, row, g := hy.of(i)
		return Products(Several(pairs, ((b*count+a)*hy.n+row)*hv.n, 1, row+1), Several(v, hv.at(b, a, 0)+g, v.Dim(-1), row+1))
	})
}

// lower computes x·yᵀ, with 0 above the diagonal, in the given memory.
func lower(memory []Elem, x, y tensor.Matrix) tensor.Matrix {
	p := tensor.NewMatrix(memory, x.Rows, y.Rows)
	tensor.Gemm(p, x, y.T(), 1, tensor.Overwrite)
	for i := range p.Rows {
		clear(p.Data[i*p.Stride+i+1 : (i+1)*p.Stride])
	}
	return p
}

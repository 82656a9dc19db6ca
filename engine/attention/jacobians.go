package attention

import (
	"math"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// The Jacobians of the mechanisms.

// productReading returns the reading for dot products of queries and keys with any pattern. Masked
// pairs have no weight. s is the scale of the products.
func productReading(m Mixer, w projections, x *tensor.T, mask nn.Mask, s tensor.Elem) *reading {
	if !plain(mask) {
		return nil
	}
	at := steps(m, x, mask, "q", "v", "weights", "mixed")
	return &reading{
		heads: at["weights"].Dim(0), out: mask.KeepColumns(w.o.W.Value), value: w.v.W.Value, key: w.k.W.Value,
		weights: at["weights"], still: true,
		turn: softmaxTurn(at["weights"], at["v"], at["mixed"], scaledQueries(at["q"], s)),
	}
}

// orNil returns the Jacobian of a reading, or nil if r is nil.
func (r *reading) orNil() *Jacobian {
	if r == nil {
		return nil
	}
	return r.jacobian()
}

// Jacobian returns the Jacobian at x under the mask. It returns nil if Turn, Bias or Window is set.
func (m *Product) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	if m.Turn != nil || m.Bias != nil || m.Window != nil {
		return nil
	}
	return productReading(m, projections{k: m.K, v: m.V, o: m.O}, x, mask, m.Scale).orNil()
}

// Jacobian returns the Jacobian of BigBird at x under the mask.
func (m *bigBird) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	return productReading(m, m.projections, x, mask, m.scale()).orNil()
}

// Jacobian returns the Jacobian of Longformer at x under the mask. It excludes the global words,
// which have separate projections.
func (m *longformer) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	r := productReading(m, m.projections, x, mask, m.scale())
	if r == nil {
		return nil
	}
	n, global := x.Dim(1), m.global[:m.globals(x.Dim(1))]
	for h := range m.Heads {
		for _, g := range global {
			clear(r.weights.Data[(h*n+g)*n:][:n])
		}
	}
	j := r.jacobian()
	j.Except = global
	return j
}

// ownScores returns the Jacobian of a mixer whose scores do not depend on the words attended to.
func ownScores(m Mixer, v, o nn.Linear, x *tensor.T, mask nn.Mask) *Jacobian {
	if !plain(mask) {
		return nil
	}
	weights := steps(m, x, mask, "weights")["weights"]
	r := &reading{heads: weights.Dim(0), out: mask.KeepColumns(o.W.Value), value: v.W.Value, weights: weights}
	return r.jacobian()
}

// Jacobian returns the Jacobian of learned random attention at x under the mask.
func (m *random) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	return ownScores(m, m.v, m.o, x, mask)
}

// Jacobian returns the Jacobian of factorized random attention at x under the mask.
func (m *factorizedRandom) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	return ownScores(m, m.v, m.o, x, mask)
}

// Jacobian returns the Jacobian of dense attention at x under the mask.
func (m *dense) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	return ownScores(m, m.v, m.o, x, mask)
}

// Jacobian returns the Jacobian of factorized dense attention at x under the mask.
func (m *factorizedDense) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	return ownScores(m, m.v, m.o, x, mask)
}

// Jacobian returns the Jacobian of a mixture of scores at x under the mask. Only the dot products
// among the components depend on the key; they count with their mixing weight.
func (m *scoreMixture) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	product := slices.Index(m.names(), DotProduct.ID)
	if product < 0 || !plain(mask) {
		return ownScores(m, m.v, m.o, x, mask)
	}
	share := steps(m, x, mask, "alpha")["alpha"].Data[product]
	return productReading(m, projections{k: m.k, v: m.v, o: m.o}, x, mask, share*m.scale()).orNil()
}

// Jacobian returns the Jacobian of the linear transformer at x under the mask. Its scores are
// φ(q_i)·φ(k_j), and a change of one score changes the result in proportion to (v_j − m_i)/(Z_i +
// 10⁻⁶).
func (m *linearTransformer) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	if !plain(mask) {
		return nil
	}
	at := steps(m, x, mask, "v", "phi q", "phi k", "weights", "denominator", "mixed")
	heads, size := m.c.Heads, m.c.Width
	w := size / heads
	turn := func(i, j int, u, a []tensor.Elem) {
		clear(u)
		clear(a)
		if !mask.Allows(0, i, j) || !mask.Permits(0, i, j) {
			return
		}
		for f := range size {
			z := at["denominator"].Data[i*heads+f/w] + linearEps
			u[f] = (at["v"].Data[j*size+f] - at["mixed"].Data[i*size+f]) / z
			a[f] = at["phi q"].Data[i*size+f] * min(at["phi k"].Data[j*size+f], 1) // the slope of elu + 1
		}
	}
	r := &reading{heads: heads, out: mask.KeepColumns(m.o.W.Value), value: m.v.W.Value, key: m.k.W.Value,
		weights: at["weights"], turn: turn}
	return r.jacobian()
}

// Jacobian returns the Jacobian of Linformer at x under the mask. x_j contributes to every slot s,
// with E_js to its key and F_js to its value. A change of its key therefore changes all scores of i
// at once, and the result by Σ_s P_is·E_js·(v'_s − m_i).
func (m *linformer) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	if !plain(mask) || m.compressFirst || m.keyWidth != m.Width || !m.ownValues {
		return nil
	}
	at := steps(m, x, mask, "q", "v slots", "weights", "mixed", "implied", "E")
	p, e, v, mixed := at["weights"], at["E"], at["v slots"], at["mixed"]
	slots, size := p.Dim(2), m.Width
	w, query := size/m.Heads, scaledQueries(at["q"], m.scale())
	turn := func(i, j int, u, a []tensor.Elem) {
		clear(u)
		query(i, j, a)
		if !mask.Permits(0, i, j) {
			return
		}
		for h := range m.Heads {
			to, total := u[h*w:][:w], tensor.Elem(0)
			for s := range slots {
				by := p.At(h, i, s) * e.At(j, s)
				tensor.Axpy(to, by, v.Data[s*size+h*w:][:w])
				total += by
			}
			tensor.Axpy(to, -total, mixed.Data[i*size+h*w:][:w])
		}
	}
	r := &reading{heads: m.Heads, out: mask.KeepColumns(m.o.W.Value), value: m.v.W.Value, key: m.k.W.Value,
		weights: at["implied"], still: true, turn: turn}
	return r.jacobian()
}

// Jacobian returns the Jacobian of Reformer at x under the mask, with the buckets of this text held
// fixed. Keys are queries normalised to a root mean square of 1, so a is the component of q_i
// orthogonal to k̂_j. With strict buckets, words can attend to hidden ones, whose scores are
// constants; the result is then nil.
func (m *reformer) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	core, ok := m.core.(*lsh)
	if !ok || core.strict || !plain(mask) {
		return nil
	}
	at := steps(m, x, mask, "qk", "v", "weights", "mixed")
	q, size, w := at["qk"], core.Width, core.HeadWidth()
	across := func(i, j int, to []tensor.Elem) {
		for f := 0; f < size; f += w {
			reads, key := q.Data[i*size+f:][:w], q.Data[j*size+f:][:w]
			square := float64(tensor.Dot(key, key))/float64(w) + reformerEps
			along := float64(tensor.Dot(reads, key)) / square / float64(w)
			scale := core.scale() / tensor.Elem(math.Sqrt(square))
			tensor.Scale(to[f:][:w], scale, reads)
			tensor.Axpy(to[f:][:w], -scale*tensor.Elem(along), key)
		}
	}
	r := &reading{
		heads: core.Heads, out: mask.KeepColumns(m.o.Value), value: core.v.W.Value, key: core.qk.W.Value,
		weights: at["weights"],
		turn:    softmaxTurn(at["weights"], at["v"], at["mixed"], across),
	}
	return r.jacobian()
}

// Jacobian returns the Jacobian of Fastformer at x under the mask. A word depends on the others
// only through the global key h, so ∂y_i/∂x_j = W_T·diag(v_i)·∂h/∂x_j for i ≠ j.
func (m *fastformer) Jacobian(x *tensor.T, mask nn.Mask) *Jacobian {
	if !plain(mask) {
		return nil
	}
	n, d := x.Dim(1), m.Width
	v := steps(m, x, mask, "q", "v")
	values := v["q"]
	if m.ownValue {
		values = v["v"]
	}
	slopes, w := m.globalSlopes(x, mask), m.transform.W.Value
	outs := gram(matrix(w).T(), matrix(w)) // W_TᵀW_T
	square, each, part := tensor.New(d, d), tensor.New(n, d), tensor.New(d, d)
	total := make([]tensor.Elem, d)
	column := func(j int, squares []float64, sum tensor.Matrix) {
		slope := matrix(slopes.Sub(j)) // ∂h/∂x_j
		tensor.Gemm(matrix(square), slope, slope.T(), 1, tensor.Overwrite)
		tensor.Mul(square.Data, square.Data, outs.Data)
		tensor.Gemm(matrix(each), matrix(values), matrix(square), 1, tensor.Overwrite)
		clear(total)
		for i := range n {
			row := values.Data[i*d:][:d]
			if squares[i] = 0; i != j {
				squares[i] = max(inner(each.Data[i*d:][:d], row), 0)
				tensor.Add(total, total, row)
			}
		}
		for f, t := range total {
			tensor.Scale(part.Data[f*d:][:d], t, slope.Data[f*d:][:d])
		}
		tensor.Gemm(sum, matrix(w), matrix(part), 1, tensor.Overwrite)
	}
	return &Jacobian{Column: column}
}

// globalSlopes returns ∂h/∂x_j for every position: [N,d,d].
func (m *fastformer) globalSlopes(x *tensor.T, mask nn.Mask) *tensor.T {
	n, d := x.Dim(1), m.Width
	p := nn.NewPass(ad.NewTape())
	p.Fixed, p.Mask = true, mask
	in := p.Tape.Leaf(x)
	_, _, _, h := m.summary(p, in)
	slopes, seed := tensor.New(n, d, d), tensor.New(h.Shape()...)
	for f := range d {
		clear(seed.Data)
		seed.Data[f] = 1
		p.Tape.Backward(h, seed)
		for j := range n {
			copy(slopes.Data[(j*d+f)*d:][:d], in.Grad().Data[j*d:][:d])
		}
	}
	return slopes
}

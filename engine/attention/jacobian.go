package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Jacobian describes how the outputs y_i of a mixer change with the inputs x_j of other positions.
// It is computed in closed form from the values of one pass. Blocks ∂y_i/∂x_j are [d,d].
type Jacobian struct {
	// Column writes ‖∂y_i/∂x_j‖_F² to squares [N] for every i ≠ j that is not in Except, and the
	// sum Σ_i ∂y_i/∂x_j over these i to sum [d,d]. It overwrites both, and reuses memory between
	// calls.
	Column func(j int, squares []float64, sum tensor.Matrix)
	// Except are the positions i for which the Jacobian is unknown.
	Except []int
}

// Differentiable is a mixer that can compute its Jacobian. The result is nil if it cannot under the
// given mask or its options.
type Differentiable interface {
	Mixer
	Jacobian(x *tensor.T, mask nn.Mask) *Jacobian // x [1,N,d]
}

// plain reports whether a mask hides neither a position nor a single pair.
func plain(m nn.Mask) bool { return m.Keys == nil && m.Pairs == nil }

// steps runs a mixer and returns the recorded values with the given names.
func steps(m Mixer, x *tensor.T, mask nn.Mask, names ...string) map[string]*tensor.T {
	p := nn.NewPass(ad.NewFrozen())
	p.Mask, p.Run = mask, &trace.Run{Only: names}
	m.Mix(p, p.Tape.Const(x))
	values := map[string]*tensor.T{}
	for _, shown := range p.Run.Steps {
		values[shown.Name] = shown.Value
	}
	return values
}

// reading is the Jacobian of a mixer whose positions add up values with weights, separately for
// each head:
//
//	∂y_i/∂x_j = Σ_h W_O,h·(c_hij·W_V,h + u_hij·a_hijᵀ·W_K,h)   for i ≠ j
//
// The first term is the path through the value of j, and the second is the path through its key. A
// change of the key changes one score of i by its product with a_hij, and this changes the result
// of i along u_hij. If the scores of a mixer do not depend on x_j, there is no second term.
type reading struct {
	heads           int
	out, value, key *tensor.T // W_O [d,D], W_V [D,d], W_K [D,d], D = H·w; key is nil without the second term
	weights         *tensor.T // c [H,N,N]
	// turn writes u and a [D] of all heads for query position i and key position j.
	turn func(i, j int, u, a []tensor.Elem)
	// still means that a does not depend on j.
	still bool
}

// jacobian prepares the values that all columns share.
func (r *reading) jacobian() *Jacobian {
	c := &jacobianColumns{reading: r, n: r.weights.Dim(1), d: r.out.Dim(0), size: r.out.Dim(1)}
	c.width = c.size / r.heads
	c.valueGrams()
	c.head = tensor.New(c.size, c.d)
	if r.key != nil {
		c.outs = gram(matrix(r.out).T(), matrix(r.out))
		c.keyValues, c.keys = gram(matrix(r.key), matrix(r.value).T()), gram(matrix(r.key), matrix(r.key).T())
		c.u, c.a = tensor.New(c.n, c.size), tensor.New(c.n, c.size)
		c.uOut, c.aValue, c.aKey = tensor.New(r.heads, c.n, c.size), tensor.New(r.heads, c.n, c.size), tensor.New(r.heads,
			c.n, c.size)
		c.turned = tensor.New(c.width, c.width)
	}
	return &Jacobian{Column: c.column}
}

// jacobianColumns computes the columns of a reading's Jacobian. Lengths are computed from products
// of small matrices, which all positions share: ‖ΣX_h‖² = Σ_hh'⟨X_h,X_h'⟩.
type jacobianColumns struct {
	*reading
	n, d, size, width int
	values            []float64 // ⟨W_O,hW_V,h, W_O,h'W_V,h'⟩ [H,H]
	outs              *tensor.T // W_OᵀW_O [D,D]
	keyValues, keys   *tensor.T // W_KW_Vᵀ, W_KW_Kᵀ [D,D]
	u, a              *tensor.T // [N,D]
	// uOut, aValue and aKey are u_hᵀW_O,hᵀW_O, a_hᵀW_K,hW_Vᵀ and a_hᵀW_K,hW_Kᵀ: [H,N,D].
	uOut, aValue, aKey *tensor.T
	turned             *tensor.T // Σ_i u_hi·a_hiᵀ [w,w]
	head               *tensor.T // right factor of W_O [D,d]
	begun              bool
}

func matrix(t *tensor.T) tensor.Matrix { return tensor.NewMatrix(t.Data, t.Dim(0), t.Dim(1)) }

// rowsAt returns count rows of a matrix, starting with row first.
func rowsAt(m tensor.Matrix, first, count int) tensor.Matrix {
	return tensor.Matrix{Data: m.Data[first*m.Stride:], Rows: count, Cols: m.Cols, Stride: m.Stride}
}

// colsAt returns count columns of a matrix, starting with column first.
func colsAt(m tensor.Matrix, first, count int) tensor.Matrix {
	return tensor.Matrix{Data: m.Data[first:], Rows: m.Rows, Cols: count, Stride: m.Stride}
}

// gram returns the product of two matrices.
func gram(a, b tensor.Matrix) *tensor.T {
	t := tensor.New(a.Rows, b.Cols)
	tensor.Gemm(matrix(t), a, b, 1, tensor.Overwrite)
	return t
}

// valueGrams computes the inner products of the matrices W_O,hW_V,h [d,d] with each other.
func (c *jacobianColumns) valueGrams() {
	ways := make([]*tensor.T, c.heads)
	for h := range ways {
		ways[h] = gram(colsAt(matrix(c.out), h*c.width, c.width), rowsAt(matrix(c.value), h*c.width, c.width))
	}
	c.values = make([]float64, c.heads*c.heads)
	for h, a := range ways {
		for g, b := range ways {
			c.values[h*c.heads+g] = inner(a.Data, b.Data)
		}
	}
}

// inner returns Σ a·b, computed in float64.
func inner(a, b []tensor.Elem) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(v) * float64(b[i])
	}
	return sum
}

func (c *jacobianColumns) column(j int, squares []float64, sum tensor.Matrix) {
	if c.key != nil {
		c.turnAll(j)
	}
	for i := range c.n {
		squares[i] = 0
		if i != j {
			squares[i] = max(c.square(i, j), 0) // rounding can give a negative number
		}
	}
	c.sum(j, sum)
}

// turnAll computes u and a of all positions for column j, and their products.
func (c *jacobianColumns) turnAll(j int) {
	for i := range c.n {
		u := c.u.Data[i*c.size:][:c.size]
		c.turn(i, j, u, c.a.Data[i*c.size:][:c.size])
		if i == j {
			clear(u)
		}
	}
	times := func(to, x, by *tensor.T) {
		for h := range c.heads {
			tensor.Gemm(matrix(to.Sub(h)), colsAt(matrix(x), h*c.width, c.width), rowsAt(matrix(by), h*c.width, c.width), 1,
				tensor.Overwrite)
		}
	}
	times(c.uOut, c.u, c.outs)
	if !c.still || !c.begun {
		times(c.aValue, c.a, c.keyValues)
		times(c.aKey, c.a, c.keys)
	}
	c.begun = true
}

// square returns ‖∂y_i/∂x_j‖².
func (c *jacobianColumns) square(i, j int) float64 {
	sum, w := 0.0, c.width
	for h := range c.heads {
		weight := float64(c.weights.At(h, i, j))
		for g := range c.heads {
			other := float64(c.weights.At(g, i, j))
			sum += weight * other * c.values[h*c.heads+g]
			if c.key == nil {
				continue
			}
			at, own := (h*c.n+i)*c.size+g*w, i*c.size+g*w
			by := c.uOut.Data[at:][:w]
			sum += 2 * other * float64(tensor.Dot(by, c.aValue.Data[at:][:w]))
			sum += float64(tensor.Dot(by, c.u.Data[own:][:w])) * float64(tensor.Dot(c.aKey.Data[at:][:w], c.a.Data[own:][:w]))
		}
	}
	return sum
}

// sum writes Σ_{i≠j} ∂y_i/∂x_j = Σ_h W_O,h·((Σ_i c_hij)·W_V,h + (Σ_i u_hij·a_hijᵀ)·W_K,h).
func (c *jacobianColumns) sum(j int, to tensor.Matrix) {
	w, head := c.width, matrix(c.head)
	for h := range c.heads {
		total := 0.0
		for i := range c.n {
			if i != j {
				total += float64(c.weights.At(h, i, j))
			}
		}
		part := rowsAt(head, h*w, w)
		tensor.Scale(part.Data[:w*c.d], tensor.Elem(total), c.value.Data[h*w*c.d:][:w*c.d])
		if c.key == nil {
			continue
		}
		tensor.Gemm(matrix(c.turned), colsAt(matrix(c.u), h*w, w).T(), colsAt(matrix(c.a), h*w, w), 1, tensor.Overwrite)
		tensor.Gemm(part, matrix(c.turned), rowsAt(matrix(c.key), h*w, w), 1, tensor.Accumulate)
	}
	tensor.Gemm(to, matrix(c.out), head, 1, tensor.Overwrite)
}

// softmaxTurn returns the function turn for weights that are the softmax of scores a·k_j. A small
// change of the score of j changes the result m_i [D] of i in proportion to c_ij(v_j − m_i).
func softmaxTurn(weights, v, m *tensor.T, a func(i, j int, to []tensor.Elem)) func(i, j int, u, a []tensor.Elem) {
	heads, size := weights.Dim(0), v.Dim(-1)
	w := size / heads
	return func(i, j int, u, to []tensor.Elem) {
		for h := range heads {
			c, at := weights.At(h, i, j), h*w
			for f := at; f < at+w; f++ {
				u[f] = c * (v.Data[j*size+f] - m.Data[i*size+f])
			}
		}
		a(i, j, to)
	}
}

// scaledQueries returns a for the scores s·q_i·k_j.
func scaledQueries(q *tensor.T, s tensor.Elem) func(i, j int, to []tensor.Elem) {
	size := q.Dim(-1)
	return func(i, _ int, to []tensor.Elem) { tensor.Scale(to, s, q.Data[i*size:][:size]) }
}

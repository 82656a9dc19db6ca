package ad

import (
	"math"

	"attnatlas/engine/tensor"
)

// ResidualSwitch is the switch of the Residual Shuffle-Exchange network (Draguns et al. 2020,
// arXiv:2004.04662, eq. 1–4) for the pairs z [2d] of places (2t, 2t+1):
//
//	a = u/√(mean u² + 10⁻¹⁰),  u = 2(zC_1 − mean(zC_1)) + o    means over the pairs of the text
//	y = σ(2ρ)∘z + h·(GELU(a)·C_2 + b_2)
//
// where GELU is QuickGELU.
type ResidualSwitch struct {
	C1, Offset *Var // [4d,2d], [4d]
	C2, B2     *Var // [2d,4d], [2d]
	Rho        *Var // [2d]
	H          Elem
}

const (
	residualSpread  = 2 // the factor 2 in u
	residualEpsilon = 1e-10
)

// residualStage is the state of a ResidualSwitch while it goes through the pairs.
type residualStage struct {
	ResidualSwitch
	pairing
	tape       *Tape
	x, y       *Var
	a, inverse []Elem // [pairs,4d], and 1/√(…) of every text [B,4d]
	keep, b2   []Elem // σ(2ρ), h·b_2
}

// Apply applies the switch to x [n,d] for even n. It returns y [n,d], whose row i is row from[i] of
// the switch's output, or row i without a list, and a [n/2,4d]. Cost: 16·N·d² FLOPs.
func (w ResidualSwitch) Apply(x *Var, from []int) (y, a *Var) {
	t, n, d := x.tape, x.Dim(-2), x.Dim(-1)
	if t.explains {
		return w.parts(x, from)
	}
	y = t.result([]*Var{x, w.C1, w.Offset, w.C2, w.B2, w.Rho}, x.Shape()...)
	pairs := x.Value.Len() / (2 * d)
	a = t.Const(t.array(2*pairs/n, n/2, 4*d))
	f := &residualStage{ResidualSwitch: w, pairing: newPairing(x, from), tape: t, x: x, y: y, a: a.Value.Data,
		inverse: t.numbers.take(2 * pairs / n * 4 * d), keep: t.numbers.take(2 * d), b2: t.numbers.take(2 * d)}
	tensor.Scale(f.keep, 2, w.Rho.Value.Data)
	tensor.Sigmoid(f.keep, f.keep)
	tensor.Scale(f.b2, w.H, w.B2.Value.Data)
	f.blocks(pairs, n/2, func(s Span) { t.within(func() { f.forward(s) }) })
	t.record(y, func(dy []Elem) {
		open(x, w.C1, w.Offset, w.C2, w.B2, w.Rho)
		f.blocks(pairs, n/2, func(s Span) { t.within(func() { f.pull(s, dy) }) })
	})
	return y, a
}

// parts is Apply composed of operations that each record the origins of their numbers.
func (w ResidualSwitch) parts(x *Var, from []int) (y, a *Var) {
	t, b, n, d := x.tape, x.Dim(0), x.Dim(1), x.Dim(2)
	pairs, wide := n/2, 4*d
	z := Reshape(x, b, pairs, 2*d)
	zc := Linear(z, w.C1, nil) // [B,P,4d]
	weights := t.Const(tensor.From([]Elem{residualSpread, -residualSpread / Elem(pairs)}, 2))
	u, normal := tensor.New(b, pairs, wide), tensor.New(b, pairs, wide)
	// column returns the numbers of all pairs of a text in the column of number i.
	column := func(of *Var, i int) []Number { return Several(of, i/(pairs*wide)*pairs*wide+i%wide, wide, pairs) }
	spread := t.Derive(u, func(i int) Origin {
		o := dot([]Number{{zc, i}}, []Number{{weights, 0}}, 1, Number{w.Offset, i % wide})
		for _, other := range column(zc, i) {
			o.X, o.Y = append(o.X, other), append(o.Y, Number{weights, 1})
		}
		return o
	})
	a = t.Derive(normal, func(i int) Origin {
		return Origin{Operation: RootMean, X: column(spread, i), Own: i / wide % pairs, Eps: residualEpsilon}
	})
	for _, v := range []*Var{spread, a} {
		for i := range v.Value.Data {
			value, _ := v.origin(i).Compute()
			v.Value.Data[i] = Elem(value)
		}
	}
	c := Scale(Linear(QuickGELU(a), w.C2, w.B2), w.H)
	y = Reshape(Add(ScaleColumns(z, Sigmoid(Scale(w.Rho, 2))), c), x.Shape()...)
	if from != nil {
		y = GatherRows(y, [][]int{from})
	}
	return y, a
}

// narrow returns the pairs of a block of an array [pairs,2d], and wide those of an array
// [pairs,4d].
func (f *residualStage) narrow(data []Elem, s Span) tensor.Matrix {
	return tensor.NewMatrix(data[s.From*2*f.d:s.To*2*f.d], s.To-s.From, 2*f.d)
}

func (f *residualStage) wide(data []Elem, s Span) tensor.Matrix {
	return tensor.NewMatrix(data[s.From*4*f.d:s.To*4*f.d], s.To-s.From, 4*f.d)
}

// texts calls do for every text of a block, with its rows of [P,4d] and its row of inverse.
func (f *residualStage) texts(block []Elem, s Span, do func(rows, inverse []Elem, first int)) {
	size := f.n / 2 * 4 * f.d
	for at := 0; at < len(block); at += size {
		text := s.From/(f.n/2) + at/size
		do(block[at:][:size], f.inverse[text*4*f.d:][:4*f.d], at)
	}
}

func (f *residualStage) forward(s Span) {
	z, a := f.narrow(f.x.Value.Data, s), f.wide(f.a, s)
	tensor.GemmPacked(a, z, f.C1.rightFactor(), residualSpread, tensor.Overwrite)
	f.texts(a.Data, s, func(u, inverse []Elem, _ int) { f.normalise(u, inverse) })
	hidden, out := f.tape.scratch.take(len(a.Data)), f.tape.scratch.take(len(z.Data))
	tensor.QuickGELU(hidden, a.Data)
	tensor.MulRows(out, z.Data, f.keep)
	tensor.AddRow(out, out, f.b2)
	tensor.GemmPacked(tensor.NewMatrix(out, z.Rows, z.Cols), tensor.NewMatrix(hidden, a.Rows, a.Cols), f.C2.rightFactor(),
		f.H, tensor.Accumulate)
	f.put(f.y.Value.Data, out, s.From)
}

// normalise computes a from 2zC_1 of one text, in place.
func (f *residualStage) normalise(u, inverse []Elem) {
	width, offset := 4*f.d, f.Offset.Value.Data
	shift, n := f.tape.scratch.take(width), Elem(f.n/2)
	clear(shift)
	tensor.SumRows(shift, u, width)
	tensor.Scale(shift, -1/n, shift)
	tensor.Add(shift, shift, offset)
	tensor.AddRow(u, u, shift)
	clear(inverse)
	tensor.MulSumRows(inverse, u, u, width)
	for i, squares := range inverse {
		inverse[i] = Elem(1 / math.Sqrt(float64(squares)/float64(n)+residualEpsilon))
	}
	tensor.MulRows(u, u, inverse)
}

// pull is the pullback of a block.
func (f *residualStage) pull(s Span, dy []Elem) {
	t, z, a := f.tape, f.narrow(f.x.Value.Data, s), f.wide(f.a, s)
	slope := tensor.NewMatrix(t.scratch.take(len(z.Data)), z.Rows, z.Cols)
	f.get(slope.Data, dy, s.From)
	du := tensor.NewMatrix(t.scratch.take(len(a.Data)), a.Rows, a.Cols)
	hidden := tensor.NewMatrix(t.scratch.take(len(a.Data)), a.Rows, a.Cols)
	t.busyProduct(du, slope, f.C2.matrix(), f.H)
	tensor.QuickGELUBackward(du.Data, hidden.Data, a.Data, du.Data)
	f.C2.addWeight(slope, hidden, f.H)
	f.pullRows(slope.Data, z.Data)
	f.texts(du.Data, s, func(du, inverse []Elem, at int) { f.pullNorm(du, a.Data[at:][:len(du)], inverse) })
	f.C1.addWeight(du, z, residualSpread)
	if f.x.active {
		tensor.MulRows(slope.Data, slope.Data, f.keep)
		tensor.Gemm(slope, du, f.C1.matrix(), residualSpread, tensor.Accumulate)
		to := f.narrow(f.x.adjoint.Data, s).Data
		tensor.Add(to, to, slope.Data)
	}
}

// pullRows adds to the adjoints of b_2 and ρ.
func (f *residualStage) pullRows(dy, z []Elem) {
	sum := f.tape.scratch.take(2 * f.d)
	clear(sum)
	if f.B2.active {
		tensor.SumRows(sum, dy, len(sum))
		tensor.Axpy(f.B2.adjoint.Data, f.H, sum)
	}
	if f.Rho.active {
		clear(sum)
		tensor.MulSumRows(sum, dy, z, len(sum))
		for i, k := range f.keep {
			f.Rho.adjoint.Data[i] += 2 * sum[i] * (k - k*k)
		}
	}
}

// pullNorm is the pullback of normalise, in place: du becomes inverse∘(du − a∘mean(du∘a)), the
// adjoint of the offset, minus its mean.
func (f *residualStage) pullNorm(du, a, inverse []Elem) {
	width, n := 4*f.d, Elem(f.n/2)
	along, total, plain := f.tape.scratch.take(width), f.tape.scratch.take(width), f.tape.scratch.take(width)
	clear(along)
	clear(total)
	clear(plain)
	tensor.MulSumRows(along, du, a, width)
	tensor.SumRows(total, du, width)
	tensor.SumRows(plain, a, width)
	tensor.Mul(along, along, inverse)
	tensor.Scale(along, -1/n, along)
	tensor.Mul(total, total, inverse)
	tensor.Mul(plain, plain, along)
	tensor.Add(total, total, plain)
	if f.Offset.active {
		tensor.Add(f.Offset.adjoint.Data, f.Offset.adjoint.Data, total)
	}
	tensor.Scale(total, -1/n, total)
	tensor.CombineRows(du, tensor.Scaled{X: du, By: inverse}, tensor.Scaled{X: a, By: along}, total)
}

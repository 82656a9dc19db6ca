package ad

import (
	"attnatlas/engine/tensor"
)

// GatedSwitch is the switch of the Neural Shuffle-Exchange network (Freivalds et al. 2019, arXiv:1907.07897,
// eq. 1–5) for the pairs of places (2t, 2t+1):
//
//	s = x + e∘ρ       r_i = σ(W_ri s + b_ri + ½)
//	c = tanh([W_c1(r_1∘s) + b_c1 ; W_c2(r_2∘s) + b_c2])
//	g = σ(W_g s + b_g + ½)            y = g∘swap(x) + (1−g)∘c
type GatedSwitch struct {
	Reset1, Reset2, Gate Affine // [2d,2d]
	Cand1, Cand2         Affine // [d,2d]
	Rho                  *Var   // [d]
}

// Affine holds the weights of a Linear: W [out,in], B [out].
type Affine struct{ W, B *Var }

// gatedStage is the state of a GatedSwitch while it goes through the pairs. Its arrays are
// [pairs,2d].
type gatedStage struct {
	GatedSwitch
	pairing
	tape                       *Tape
	x, e, y                    *Var
	s, r1, r2, g, c            []Elem
	bias1, bias2, biasG, biasC []Elem // [2d]
	kept                       bool   // r1 and r2 are kept for Backward
}

// Apply applies the switch to x and e [n,d] for even n; e is nil for zeros. It returns y [n,d],
// whose row i is row from[i] of the switch's output, or row i without a list. It also returns the
// gates and candidates [n,d], which are not moved. Cost: 16·N·d² FLOPs.
func (w GatedSwitch) Apply(x, e *Var, from []int) (y, gates, candidates *Var) {
	t := x.tape
	if t.explains {
		return w.parts(x, e, from)
	}
	args := []*Var{x, w.Rho}
	for _, a := range w.affine() {
		args = append(args, a.W, a.B)
	}
	if e != nil {
		args = append(args, e)
	}
	y = t.result(args, x.Shape()...)
	f := &gatedStage{GatedSwitch: w, pairing: newPairing(x, from), tape: t, x: x, e: e, y: y, kept: y.active &&
		t.records()}
	gates, candidates = t.Const(t.array(x.Shape()...)), t.Const(t.array(x.Shape()...))
	f.prepare(gates.Value, candidates.Value)
	f.blocks(x.Value.Len()/(2*f.d), 1, func(s Span) { t.within(func() { f.forward(s) }) })
	t.record(y, f.backward)
	return y, gates, candidates
}

// parts is Apply composed of operations that each record the origins of their numbers.
func (w GatedSwitch) parts(x, e *Var, from []int) (y, gates, candidates *Var) {
	b, n, d := x.Dim(0), x.Dim(1), x.Dim(2)
	half := tensor.New(2 * d)
	for i := range half.Data {
		half.Data[i] = 0.5
	}
	s := x
	if e != nil {
		s = Add(x, ScaleColumns(e, w.Rho))
	}
	s = Reshape(s, b, n/2, 2*d)
	gate := func(a Affine) *Var { return Sigmoid(AddScalars(Linear(s, a.W, a.B), half)) }
	half1 := Linear(Mul(gate(w.Reset1), s), w.Cand1.W, w.Cand1.B)
	half2 := Linear(Mul(gate(w.Reset2), s), w.Cand2.W, w.Cand2.B)
	gates, candidates = Reshape(gate(w.Gate), b, n, d), Reshape(Tanh(Concat(half1, half2)), b, n, d)
	y = Add(candidates, Mul(gates, Add(SwapPairs(x, d/2), Scale(candidates, -1))))
	if from != nil {
		y = GatherRows(y, [][]int{from})
	}
	return y, gates, candidates
}

func (w GatedSwitch) affine() [5]Affine {
	return [...]Affine{w.Reset1, w.Reset2, w.Gate, w.Cand1, w.Cand2}
}

// prepare computes s and the biases, and allocates memory for the rest.
func (f *gatedStage) prepare(g, c *tensor.T) {
	t, d, size := f.tape, f.d, f.x.Value.Len()
	f.g, f.c, f.s = g.Data, c.Data, f.x.Value.Data
	if f.e != nil {
		f.s = t.numbers.take(size)
		tensor.MulRows(f.s, f.e.Value.Data, f.Rho.Value.Data)
		tensor.Add(f.s, f.s, f.x.Value.Data)
	}
	if f.kept {
		f.r1, f.r2 = t.numbers.take(size), t.numbers.take(size)
	}
	raised := func(b *Var) []Elem { // b + ½
		row := t.numbers.take(2 * d)
		for i, v := range b.Value.Data {
			row[i] = v + 0.5
		}
		return row
	}
	f.bias1, f.bias2, f.biasG = raised(f.Reset1.B), raised(f.Reset2.B), raised(f.Gate.B)
	f.biasC = t.numbers.take(2 * d)
	copy(f.biasC, f.Cand1.B.Value.Data)
	copy(f.biasC[d:], f.Cand2.B.Value.Data)
}

// of returns the pairs of a block.
func (f *gatedStage) of(data []Elem, s Span) []Elem { return data[s.From*2*f.d : s.To*2*f.d] }

// wide returns rows of width 2d, and half returns their first or second d columns.
func (f *gatedStage) wide(data []Elem) tensor.Matrix {
	return tensor.NewMatrix(data, len(data)/(2*f.d), 2*f.d)
}

func (f *gatedStage) half(data []Elem, second int) tensor.Matrix {
	m := f.wide(data)
	m.Data, m.Cols = m.Data[second*f.d:], f.d
	return m
}

func (f *gatedStage) forward(b Span) {
	s, g, c := f.of(f.s, b), f.of(f.g, b), f.of(f.c, b)
	q, out := f.tape.scratch.take(len(s)), f.tape.scratch.take(len(s))
	reset := func(kept []Elem, w Affine, bias []Elem) []Elem {
		r := q
		if f.kept {
			r = f.of(kept, b)
		}
		tensor.GemmPacked(f.wide(r), f.wide(s), w.W.rightFactor(), 1, tensor.Overwrite)
		tensor.SigmoidRows(r, r, bias)
		tensor.Mul(q, r, s)
		return q
	}
	tensor.GemmPacked(f.half(c, 0), f.wide(reset(f.r1, f.Reset1, f.bias1)), f.Cand1.W.rightFactor(), 1, tensor.Overwrite)
	tensor.GemmPacked(f.half(c, 1), f.wide(reset(f.r2, f.Reset2, f.bias2)), f.Cand2.W.rightFactor(), 1, tensor.Overwrite)
	tensor.TanhRows(c, c, f.biasC)
	tensor.GemmPacked(f.wide(g), f.wide(s), f.Gate.W.rightFactor(), 1, tensor.Overwrite)
	tensor.SigmoidRows(g, g, f.biasG)
	f.swapHalves(out, f.of(f.x.Value.Data, b))
	tensor.Gate(out, g, out, c)
	f.put(f.y.Value.Data, out, b.From)
}

func (f *gatedStage) backward(dy []Elem) {
	open(f.x, f.e, f.Rho)
	for _, a := range f.affine() {
		open(a.W, a.B)
	}
	f.blocks(len(dy)/(2*f.d), 1, func(b Span) { f.tape.within(func() { f.pull(b, dy) }) })
}

// gatedBlock holds the pairs of a block with a nonzero dy.
type gatedBlock struct {
	dy, x, s, r1, r2, g, c []Elem
	first                  int
	busy                   []int // numbers of these pairs in the block; nil: all
}

// pull is the pullback of a block.
func (f *gatedStage) pull(span Span, dy []Elem) {
	b := f.busyBlock(span, dy)
	if len(b.dy) == 0 {
		return
	}
	take := func() []Elem { return f.tape.scratch.take(len(b.dy)) }
	swapped, dg, dc, ds := take(), take(), take(), take()
	f.swapHalves(swapped, b.x)
	tensor.GateBackward(tensor.Gated{G: dg, A: b.dy, B: dc}, b.dy, tensor.Gated{G: b.g, A: swapped, B: b.c})
	if clear(ds); f.e == nil { // s is x
		f.swapHalves(ds, b.dy)
	}
	f.pullCandidate(b, f.Reset1, f.Cand1, b.r1, f.half(dc, 0), ds)
	f.pullCandidate(b, f.Reset2, f.Cand2, b.r2, f.half(dc, 1), ds)
	f.pullLinear(f.Gate, b.s, dg, ds)
	f.pullBiases(dc)
	if f.x.active {
		f.add(f.x.adjoint.Data, ds, b)
	}
	if f.e != nil {
		f.pullSum(b, ds, swapped)
	}
}

// pullSum adds the contributions of s = x + e∘ρ and of swap(x), if there is an e.
func (f *gatedStage) pullSum(b gatedBlock, ds, scratch []Elem) {
	if f.x.active {
		f.swapHalves(scratch, b.dy)
		f.add(f.x.adjoint.Data, scratch, b)
	}
	if f.Rho.active {
		tensor.MulSumRows(f.Rho.adjoint.Data, ds, f.pickPairs(f.e.Value.Data, b), f.d)
	}
	if f.e.active {
		tensor.MulRows(scratch, ds, f.Rho.Value.Data)
		f.add(f.e.adjoint.Data, scratch, b)
	}
}

// pullCandidate goes back from half of the candidates' adjoints to s, and adds to ds.
func (f *gatedStage) pullCandidate(b gatedBlock, reset, cand Affine, r []Elem, dc tensor.Matrix, ds []Elem) {
	q := f.tape.scratch.take(len(ds))
	if cand.W.active {
		tensor.Mul(q, r, b.s)
		cand.W.addWeight(dc, f.wide(q), 1)
	}
	tensor.Gemm(f.wide(q), dc, cand.W.matrix(), 1, tensor.Overwrite)
	tensor.ResetBackward(q, ds, q, r, b.s)
	f.pullLinear(reset, b.s, q, ds)
}

// pullLinear is the pullback of W·s + b. It adds to ds.
func (f *gatedStage) pullLinear(w Affine, s, dy, ds []Elem) {
	w.W.addWeight(f.wide(dy), f.wide(s), 1)
	w.B.addBias(dy)
	tensor.Gemm(f.wide(ds), f.wide(dy), w.W.matrix(), 1, tensor.Accumulate)
}

// pullBiases adds to the adjoints of the candidates' biases.
func (f *gatedStage) pullBiases(dc []Elem) {
	sum := f.tape.scratch.take(2 * f.d)
	clear(sum)
	tensor.SumRows(sum, dc, 2*f.d)
	f.Cand1.B.addBias(sum[:f.d])
	f.Cand2.B.addBias(sum[f.d:])
}

// busyBlock selects the pairs with nonzero adjoints, if they are few.
func (f *gatedStage) busyBlock(s Span, dy []Elem) gatedBlock {
	width := 2 * f.d
	b := gatedBlock{dy: f.tape.scratch.take((s.To - s.From) * width), first: s.From}
	f.get(b.dy, dy, s.From)
	busy := f.tape.ints.take(s.To - s.From)[:0]
	for i := range s.To - s.From {
		if slope := b.dy[i*width:][:width]; !allZero(slope) {
			copy(b.dy[len(busy)*width:], slope)
			busy = append(busy, i)
		}
	}
	if b.dy = b.dy[:len(busy)*width]; len(busy) < s.To-s.From {
		b.busy = busy
	}
	b.x, b.s = f.pickPairs(f.x.Value.Data, b), f.pickPairs(f.s, b)
	b.r1, b.r2 = f.pickPairs(f.r1, b), f.pickPairs(f.r2, b)
	b.g, b.c = f.pickPairs(f.g, b), f.pickPairs(f.c, b)
	return b
}

// pickPairs returns the pairs of a block, in place or as a copy.
func (f *gatedStage) pickPairs(data []Elem, b gatedBlock) []Elem {
	width := 2 * f.d
	if b.busy == nil {
		return data[b.first*width:][:len(b.dy)]
	}
	few := f.tape.scratch.take(len(b.dy))
	for i, at := range b.busy {
		copy(few[i*width:][:width], data[(b.first+at)*width:])
	}
	return few
}

// add adds the rows of a block to an adjoint.
func (f *gatedStage) add(dx, block []Elem, b gatedBlock) {
	width := 2 * f.d
	if b.busy == nil {
		to := dx[b.first*width:][:len(block)]
		tensor.Add(to, to, block)
		return
	}
	for i, at := range b.busy {
		to := dx[(b.first+at)*width:][:width]
		tensor.Add(to, to, block[i*width:][:width])
	}
}

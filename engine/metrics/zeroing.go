package metrics

import (
	"math"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Zeroing holds the result of value zeroing in one layer (Mohebbi et al. 2023, arXiv:2301.12971,
// sec. 3). The values of position j are replaced by 0 in all heads, while the weights and
// everything else stay as they are. The cosine distance
//
//	D_ij = 1 − cos(y_i, y_i^{¬j})    row i: an output, column j: the source without its value
//
// from 0 to 2, measures how far output i changes its direction. Each kind of output has a map
// [N,M]. Two zero vectors have distance 0; a zero vector has distance 1 from every other vector.
type Zeroing struct {
	Mixer    *tensor.T // of the mixer's result
	Residual *tensor.T // of the result plus the residual stream; nil if their widths differ
	Block    *tensor.T // of the layer's output, as in the paper; nil if the mixer is not in a layer
	Change   *tensor.T // ‖y_i − y_i^{¬j}‖ of the mixer's result
}

// Shares returns the maps of the paper: every row of the distances d divided by its sum.
func Shares(d *tensor.T) *tensor.T { return RowShares(trace.Map{Value: d}).Value }

// zeroedRows is the approximate number of positions that are computed at once.
const zeroedRows = 256

// ValueZeroing measures the layer of one call of a mixer. It returns nil if the mixer has no
// values. It calls turn before each of its steps, which take a few milliseconds, and stops if turn
// returns an error.
//
// If a mixer is a sum of values, the sum without one of them needs no other run of the mixer:
// y^{¬j} = y − t_j (see Terms). The distance is computed as ½‖y/‖y‖ − y'/‖y'‖‖², which is equal to
// 1 − cos but loses no digits when it is small.
func ValueZeroing(call nn.Mixing, turn func() error) (*Zeroing, error) {
	if err := turn(); err != nil {
		return nil, err
	}
	z := newZeroer(call)
	if z == nil {
		return nil, nil
	}
	for from := 0; from < z.sources; from += z.copies {
		if err := turn(); err != nil {
			return nil, err
		}
		z.step(from)
	}
	return &z.Zeroing, nil
}

// zeroer computes the columns of a Zeroing, for several copies of the text at once.
type zeroer struct {
	Zeroing
	call       nn.Mixing
	terms      *Terms // nil: the mixer must be run again
	pass       *nn.Pass
	n, sources int
	copies     int
	plain      []*tensor.T // each kind of output with all values, repeated for every copy
}

func newZeroer(call nn.Mixing) *zeroer {
	z := &zeroer{call: call, terms: TermsOf(call), n: call.X.Dim(1), sources: call.X.Dim(1),
		pass: nn.NewPass(ad.NewFrozen())}
	z.copies = min(max(zeroedRows/z.n, 1), z.sources)
	var y *tensor.T
	if z.terms != nil {
		y = repeated(z.terms.Output, z.copies)
	} else {
		seen := false
		y = z.mixAgain(func(v *ad.Var) *ad.Var { seen = true; return v })
		if !seen {
			return nil
		}
	}
	z.Change = tensor.New(z.n, z.sources)
	z.plain = z.outputs(y)
	for _, d := range []**tensor.T{&z.Mixer, &z.Residual, &z.Block}[:len(z.plain)] {
		*d = tensor.New(z.n, z.sources)
	}
	return z
}

// repeated returns the given number of copies of an array, one after the other.
func repeated(t *tensor.T, copies int) *tensor.T {
	if t.Rank() == 3 {
		t = t.Sub(0)
	}
	return tensor.From(slices.Repeat(t.Data, copies), append([]int{copies}, t.Shape...)...)
}

// reset resets the pass, prepares it for copies of the text, and returns it.
func (z *zeroer) reset() *nn.Pass {
	z.pass.Reset()
	z.pass.Fixed, z.pass.Mask = true, z.call.Mask
	if z.call.Mask.Keys != nil {
		z.pass.Mask.Keys = slices.Repeat(z.call.Mask.Keys, z.copies)
	}
	return z.pass
}

// mixAgain runs the mixer on copies of its input: [C,N,d].
func (z *zeroer) mixAgain(onValues func(v *ad.Var) *ad.Var) *tensor.T {
	p := z.reset()
	p.OnValues = onValues
	return z.call.Mixer.Mix(p, p.Tape.Const(repeated(z.call.X, z.copies))).Value.Clone()
}

// outputs returns three outputs for copies y [C,N,d] of the mixer's result. The first is y itself.
// The second is y plus the residual stream, if the widths agree. The third is the layer's output,
// if there is a layer.
func (z *zeroer) outputs(y *tensor.T) []*tensor.T {
	streams := []*tensor.T{z.call.X}
	if z.call.Around != nil {
		streams = z.call.Around.Inputs
	}
	p := z.reset()
	in := make([]*ad.Var, len(streams))
	for i, s := range streams {
		in[i] = p.Tape.Const(repeated(s, z.copies))
	}
	all := []*tensor.T{y}
	if y.SameShape(in[0].Value) {
		all = append(all, ad.Add(in[0], p.Tape.Const(y)).Value.Clone())
	}
	if z.call.Around != nil {
		all = append(all, z.call.Around.Rest(p, in, p.Tape.Const(y)).Value.Clone())
	}
	return all
}

// step measures the columns from … from+copies−1. The last step can measure some columns a second
// time.
func (z *zeroer) step(from int) {
	var y *tensor.T
	if z.terms != nil {
		y = z.withoutTerms(from)
	} else {
		y = z.mixAgain(func(v *ad.Var) *ad.Var {
			m := v.Dim(1)
			keep := slices.Repeat([]bool{true}, z.copies*m)
			for c := range z.copies {
				keep[c*m+min(from+c, m-1)] = false
			}
			return ad.KeepRows(v, keep)
		})
		z.changed(from, y)
	}
	distances := []*tensor.T{z.Mixer, z.Residual, z.Block}
	for kind, now := range z.outputs(y) {
		d := now.Dim(-1)
		for c := range min(z.copies, z.sources-from) {
			for i := range z.n {
				at := (c*z.n + i) * d
				distances[kind].Data[i*z.sources+from+c] = tensor.Elem(turned(z.plain[kind].Data[at:][:d], now.Data[at:][:d]))
			}
		}
	}
}

// withoutTerms returns y − t_j for each copy [C,N,d], and records the lengths of the terms.
func (z *zeroer) withoutTerms(from int) *tensor.T {
	d := z.terms.Output.Dim(1)
	y := tensor.New(z.copies, z.n, d)
	term := make([]tensor.Elem, d)
	for c := range min(z.copies, z.sources-from) {
		for i := range z.n {
			z.terms.At(i, from+c, term)
			z.Change.Data[i*z.sources+from+c] = tensor.Elem(length(term))
			z.terms.Without(i, from+c, term, y.Data[(c*z.n+i)*d:][:d])
		}
	}
	return y
}

// changed records how much the mixer's results y [C,N,d] differ from its results with all values.
func (z *zeroer) changed(from int, y *tensor.T) {
	d := y.Dim(-1)
	for c := range min(z.copies, z.sources-from) {
		for i := range z.n {
			at, sum := (c*z.n+i)*d, 0.0
			for k, v := range z.plain[0].Data[at:][:d] {
				e := float64(v - y.Data[at+k])
				sum += e * e
			}
			z.Change.Data[i*z.sources+from+c] = tensor.Elem(math.Sqrt(sum))
		}
	}
}

// length returns ‖v‖.
func length(v []tensor.Elem) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// turned returns 1 − cos of the angle between two vectors.
func turned(a, b []tensor.Elem) float64 {
	la, lb := length(a), length(b)
	switch {
	case la == 0 && lb == 0:
		return 0
	case la == 0 || lb == 0:
		return 1
	}
	sum := 0.0
	for i, v := range a {
		e := float64(v)/la - float64(b[i])/lb
		sum += e * e
	}
	return sum / 2
}

package metrics

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Terms holds the summands of a mixer's result. Let v_hj be the value of position j in head h, bias
// included, and W_O,h the rows of the output projection that belong to the head. Then
//
//	y_i = Σ_j t_ij + rest    t_ij = Σ_h A_hij·f_h(x_j)    f_h(x_j) = v_hj·W_O,h
//
// (Kobayashi et al. 2020, EMNLP, eq. 3–5; attention weights are held fixed). The rest, such as the
// bias of the output projection, does not belong to any source.
type Terms struct {
	Output  *tensor.T // y [N,d]
	Rest    *tensor.T // result with all values set to 0 [N,d]
	Sources int       // M: equal to N, except in cross-attention
	sums    []termSum
}

// termSum holds the terms of one sum of values.
type termSum struct {
	weights *tensor.T // A [H,N,M], multiplied by the mixing weight of the sum
	f       *tensor.T // f_h(x_j) [H,M,d]
}

// TermsOf returns the terms of a mixer's result for one sequence. It returns nil if the result is
// not a sum of values, or if the weights depend on the values.
func TermsOf(call nn.Mixing) *Terms {
	return termsOf(call.Mask, func(p *nn.Pass) *ad.Var { return call.Mixer.Mix(p, p.Tape.Const(call.X)) })
}

// termsOf returns the terms of any mixer function whose result has shape [1,N,d].
func termsOf(mask nn.Mask, mix func(p *nn.Pass) *ad.Var) *Terms {
	p, sums := inference(mask).CollectSums()
	y := mix(p).Value
	if len(*sums) == 0 {
		return nil
	}
	empty := inference(mask)
	empty.OnValues = func(v *ad.Var) *ad.Var { return ad.KeepRows(v, make([]bool, v.Dim(0)*v.Dim(1))) }
	t := &Terms{Output: y.Reshape(y.Shape[1:]...), Rest: mix(empty).Value.Reshape(y.Shape[1:]...),
		Sources: (*sums)[0].Values.Dim(1)}
	for _, s := range *sums {
		t.sums = append(t.sums, newTermSum(s, y.Dim(-1)))
	}
	return t
}

// inference returns a pass without gradients.
func inference(mask nn.Mask) *nn.Pass {
	p := nn.NewPass(ad.NewFrozen())
	p.Fixed, p.Mask = true, mask
	return p
}

func newTermSum(s nn.WeightedSum, d int) termSum {
	heads, m, wide := s.Weights.Dim(-3), s.Values.Dim(1), s.Values.Dim(2)
	w := wide / heads // width of a head
	if s.Out != nil {
		w = s.Out.Dim(1) / heads
	}
	t := termSum{s.Weights.Reshape(s.Weights.Shape[s.Weights.Rank()-3:]...), tensor.New(heads, m, d)}
	tensor.Scale(t.weights.Data, tensor.Elem(s.Share), t.weights.Data)
	for h := range heads {
		v := tensor.Matrix{Data: s.Values.Data[h*w%wide:], Rows: m, Cols: w, Stride: wide}
		f := t.f.Sub(h).Data
		if s.Out == nil {
			for j := range m {
				copy(f[j*d+h*w:], v.Data[j*wide:][:w])
			}
			continue
		}
		out := tensor.Matrix{Data: s.Out.Data[h*w:], Rows: d, Cols: w, Stride: s.Out.Dim(1)}
		tensor.Gemm(tensor.NewMatrix(f, m, d), v, out.T(), 1, tensor.Overwrite)
	}
	return t
}

// Weights returns A [H,N,M]. If the mixer has several sums, their weights are added.
func (t *Terms) Weights() *tensor.T {
	all := t.sums[0].weights.Clone()
	for _, s := range t.sums[1:] {
		tensor.Add(all.Data, all.Data, s.weights.Data)
	}
	return all
}

// Heads returns the number of heads.
func (t *Terms) Heads() int { return t.sums[0].f.Dim(0) }

// At writes t_ij [d].
func (t *Terms) At(i, j int, to []tensor.Elem) {
	clear(to)
	for h := range t.Heads() {
		t.add(h, i, j, to)
	}
}

// cancels is the smallest fraction of a sum that may remain when a term is subtracted. Below it,
// too many digits would be lost.
const cancels = 0.25

// Without writes y_i − t_ij [d], given t_ij. If almost nothing would remain, it adds up the other
// terms instead.
func (t *Terms) Without(i, j int, term, to []tensor.Elem) {
	d := len(to)
	copy(to, t.Output.Data[i*d:][:d])
	tensor.Axpy(to, -1, term)
	if all := length(term); all == 0 || length(to) > cancels*all {
		return
	}
	copy(to, t.Rest.Data[i*d:][:d])
	for k := range t.Sources {
		for h := range t.Heads() {
			if k != j {
				t.add(h, i, k, to)
			}
		}
	}
}

// add adds head h's part of t_ij to to.
func (t *Terms) add(h, i, j int, to []tensor.Elem) {
	for _, s := range t.sums {
		if a := s.weights.At(h, i, j); a != 0 {
			tensor.Axpy(to, a, s.f.Sub(h).Data[j*len(to):][:len(to)])
		}
	}
}

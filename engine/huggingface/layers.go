package huggingface

import (
	"cmp"
	"fmt"
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// relativeTo makes the function of relative positions for a layer, whose parameters are below a
// name.
type relativeTo func(in string, scale ad.Elem, q, k nn.Linear) func(*nn.Pass, *ad.Var, *ad.Var, int, int) *ad.Var

// relative returns the function that adds relative positions to the scores of a layer, from its
// queries and keys.
func (b *builder) relative() relativeTo {
	f := &b.Form
	switch f.Relative {
	case "buckets":
		table := b.table("relative", cmp.Or(f.BucketRows, f.Buckets), f.Heads)
		all := buckets{table, f.Buckets, f.Farthest, f.Causal}
		return func(string, ad.Elem, nn.Linear, nn.Linear) func(*nn.Pass, *ad.Var, *ad.Var, int, int) *ad.Var {
			return all.bias
		}
	case "disentangled":
		all := disentangled{form: f, table: b.table("relative", 2*f.span(), f.Width), norm: b.norm("relative norm", f.Width)}
		if len(f.Compared) == 0 {
			break // the file has the table, and nothing reads it
		}
		return func(in string, scale ad.Elem, q, k nn.Linear) func(*nn.Pass, *ad.Var, *ad.Var, int, int) *ad.Var {
			own := all
			own.scale, own.positive, own.negative = scale, k, q
			if !f.ShareKeys {
				own.positive, own.negative = b.linear(in+"relative K", f.Width, f.Width), b.linear(in+"relative Q",
					f.Width, f.Width)
			}
			return own.bias
		}
	}
	return nil
}

// layer returns layer l, with the parameters of its group or its own.
func (b *builder) layer(at [2]int, l int, relative relativeTo) encoder.LayerParts {
	f, in := &b.Form, layerName(at[0])
	if f.Groups > 0 {
		in = "group" + layerName(at[0])[len("layer"):] + "/" + layerName(at[1])
	}
	parts := encoder.LayerParts{
		Mixer: b.product(in+"/mixer", l, relative), FFN: b.feeder(in + "/ffn"), FFNNorm: b.norm(in+"/ffn norm", f.Width),
		MixerAfter: b.norm(in+"/mixer after", f.Width), FFNAfter: b.norm(in+"/ffn after", f.Width),
		Parallel: f.Parallel, OnNormed: f.OnNormed, Share: ad.Elem(f.Residual),
	}
	if !f.FirstUnnormed || l > 0 {
		parts.MixerNorm = b.norm(in+"/mixer norm", f.Width)
	}
	return parts
}

// product returns the attention of layer l, from 0.
func (b *builder) product(in string, l int, relative relativeTo) *attention.Product {
	f, m := &b.Form, b.plain(in, l)
	switch {
	case f.local(l) && f.Causal:
		m.Window = window(f.Window-1, 0)
	case f.local(l):
		m.Window = window(f.Window/2, f.Window/2)
	}
	m.Turn = b.turn(in, l)
	switch {
	case relative != nil:
		m.Bias = relative(in+"/", m.Scale, m.Q, m.K)
	case f.Alibi:
		m.Bias = f.alibi(l)
	}
	if m.Bias != nil {
		m.Formula += ` + R`
	}
	return m
}

// plain returns the attention of layer l, from 0, without positions.
func (b *builder) plain(in string, l int) *attention.Product {
	f := &b.Form
	wide, narrow := f.Heads*f.headWidth(), f.kvHeads()*f.headWidth()
	m := &attention.Product{
		Q: b.linear(in+"/Q", wide, f.Width), K: b.linear(in+"/K", narrow, f.Width), V: b.linear(in+"/V", narrow, f.Width),
		O:     b.linear(in+"/O", f.Width, wide),
		Heads: f.Heads, KVHeads: f.kvHeads(), Scale: ad.Elem(f.scale(l)), Cap: ad.Elem(f.ScoreCap),
		Formula: `S = QK^\top`,
	}
	if m.Scale != 1 {
		m.Formula += `/\sqrt{d_h}`
	}
	return m
}

// turn returns the layer's function on queries and keys before their product: norms and rotary
// positions. It is nil if there are none.
func (b *builder) turn(in string, l int) func(p *nn.Pass, q, k *ad.Var, from int) (*ad.Var, *ad.Var) {
	f := &b.Form
	normQ, normK := b.headNorm(in+"/Q norm", f.Heads), b.headNorm(in+"/K norm", f.kvHeads())
	var waves *rotary
	if f.turns(l) {
		waves = &rotary{form: f, local: f.local(l)}
	}
	if normQ == nil && waves == nil {
		return nil
	}
	return func(p *nn.Pass, q, k *ad.Var, from int) (*ad.Var, *ad.Var) {
		if normQ != nil {
			q, k = normQ(p, q), normK(p, k)
		}
		if waves == nil {
			return q, k
		}
		n := from + k.Dim(-2)
		return waves.turn(q, f.Heads, from, n), waves.turn(k, f.kvHeads(), from, n)
	}
}

// headNorm returns the norm of queries or keys [N,d] for a number of heads, or nil if there is
// none.
func (b *builder) headNorm(module string, heads int) func(p *nn.Pass, x *ad.Var) *ad.Var {
	f := &b.Form
	if !f.QKNormed {
		return nil
	}
	width := f.headWidth()
	norm, gain := nn.LayerNorm{}, (*nn.Param)(nil)
	switch f.QKNorm {
	case "width":
		return b.norm(module, heads*width).Apply
	case "heads":
		ones := tensor.New(width)
		for i := range ones.Data {
			ones.Data[i] = 1
		}
		norm = nn.LayerNorm{Eps: f.Eps, Gamma: &nn.Param{Name: module, Value: ones, Frozen: true},
			Beta: &nn.Param{Name: module, Value: tensor.New(width), Frozen: true}}
		gain = b.gains(module, heads, width)
	default:
		norm = b.norm(module, width)
	}
	return func(p *nn.Pass, x *ad.Var) *ad.Var {
		y := ad.Reshape(norm.Apply(p, ad.Reshape(x, x.Dim(0), x.Dim(1), heads, width)), x.Shape()...)
		if gain != nil {
			y = ad.ScaleColumns(y, p.Use(gain))
		}
		return y
	}
}

// gains returns the factors [heads,width] of a norm, from one tensor or from one per head.
func (b *builder) gains(module string, heads, width int) *nn.Param {
	if _, ok := b.place(module, "weight"); ok {
		return b.param(module, module, "weight", heads, width)
	}
	all := &nn.Param{Name: module, Frozen: true}
	var each []*nn.Param
	for h := range heads {
		one := fmt.Sprintf("%s/head %d", module, h+1)
		each = append(each, b.param(one, one, "weight", width))
	}
	b.fill = append(b.fill, func() {
		all.Value = tensor.New(heads, width)
		for h, one := range each {
			copy(all.Value.Data[h*width:], one.Value.Data)
		}
	})
	return all
}

// scale returns the factor of the products of queries and keys in layer l, from 0.
func (f *Form) scale(l int) float64 {
	s := 1.0
	switch {
	case f.MixMultiplier != 0:
		s = f.MixMultiplier
	case f.QueryScalar > 0:
		s /= math.Sqrt(f.QueryScalar)
	case f.Scaled:
		s /= math.Sqrt(float64(f.headWidth()))
	}
	if f.Relative == "disentangled" {
		s /= math.Sqrt(float64(1 + len(f.Compared)))
	}
	if f.ScaledByLayer {
		s /= float64(l + 1)
	}
	return s
}

// feeder returns a feed-forward network.
func (b *builder) feeder(in string) encoder.Feeder {
	f := &b.Form
	plain := nn.FeedForward{In: b.linear(in+"/1", f.Inner, f.Width), Out: b.linear(in+"/2", f.Width, f.Inner),
		Act: activations[f.Act]}
	if !f.Gated {
		return plain
	}
	return gated{plain, b.linear(in+"/gate", f.Inner, f.Width)}
}

// gated is W₂(act(W₁x)∘W_gx) (Shazeer 2020, arXiv:2002.05202, eq. 5).
type gated struct {
	nn.FeedForward
	gate nn.Linear
}

// Apply returns an array with the shape of x.
func (g gated) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	h := ad.Mul(g.Act(g.In.Apply(p, x)), g.gate.Apply(p, x))
	return g.Out.Apply(p, p.Step("ffn hidden", `\mathrm{act}(W_1x)\circ W_gx`, trace.Activation, h, trace.Token,
		trace.Channel))
}

// convolution returns a function that adds a convolution of the first layer's input to its output
// (DeBERTa v2), or nil if there is none.
func (b *builder) convolution() func(p *nn.Pass, i int, first, x *ad.Var) *ad.Var {
	f := &b.Form
	if f.Conv == 0 {
		return nil
	}
	kernel, bias := b.param("conv", "conv", "weight", f.Width, f.Width, f.Conv), b.param("b_conv", "conv", "bias", f.Width)
	norm, act := b.norm("conv norm", f.Width), b.activation(f.ConvAct, "tanh")
	taps := make([]*nn.Param, f.Conv)
	b.fill = append(b.fill, func() {
		for t := range taps {
			w := tensor.New(f.Width, f.Width)
			for i := range w.Data {
				w.Data[i] = kernel.Value.Data[i*f.Conv+t]
			}
			taps[t] = &nn.Param{Name: "conv", Value: w, Frozen: true}
		}
	})
	return func(p *nn.Pass, i int, first, x *ad.Var) *ad.Var {
		if i > 0 {
			return x
		}
		sum := ad.AddRows(ad.Scale(x, 0), p.Use(bias))
		for t := range taps {
			at := make([]int, x.Dim(-2))
			for n := range at {
				at[n] = n + t - f.Conv/2
				if at[n] < 0 || at[n] >= len(at) {
					at[n] = ad.Absent
				}
			}
			sum = ad.Add(sum, ad.Linear(ad.Reshape(ad.GatherHeads(first, 1, [][]int{at}), first.Shape()...),
				p.Use(taps[t]), nil))
		}
		return norm.Apply(p, ad.Add(x, act(sum)))
	}
}

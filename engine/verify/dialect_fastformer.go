package verify

import (
	"cmp"
	"fmt"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// computeFastformerLayer reads FastformerLayer of wuch15/Fastformer: one post-norm layer,
// whose attention has an output projection of its own.
func computeFastformerLayer(c *Case) (computed, error) {
	r := &mixerRun{c: c, out: computed{}}
	x, err := c.input("x")
	if err != nil {
		return nil, err
	}
	config, err := r.fastformer("", x.Dim(1))
	if err != nil {
		return nil, err
	}
	s := nn.NewScope(0)
	stack, err := encoder.NewLayer(s.In("layer 1"), config, fastformerMixer)
	if err != nil {
		return nil, fmt.Errorf("verify: %s/%s: %w", c.Mechanism, c.Name, err)
	}
	if err := r.adopt(s.Params(), fastformerStackWeights(func(int) string { return "" })); err != nil {
		return nil, err
	}
	for b := range x.Dim(0) {
		p, in, err := r.pass(b, x)
		if err != nil {
			return nil, err
		}
		y := stack.Apply(p, in)
		r.put("out", b, y.Value)
		r.show(b, p.Run, "unprojected", "self_out.0")
		r.show(b, p.Run, "after mixing", "attention_block_out.0")
		r.show(b, p.Run, "ffn hidden", "ffn_hidden_gelu.0")
		if w, ok := c.IO.Arrays["loss_w"]; ok {
			p.Tape.Backward(y, tensor.From(w.Sub(b).Data, y.Shape()...))
			r.gradients(b, p, in)
		}
	}
	return r.out, nil
}

// pass prepares the pass of text b of x [B,N,d].
func (r *mixerRun) pass(b int, x *tensor.T) (*nn.Pass, *ad.Var, error) {
	mask, err := r.c.mask(b, x.Dim(1))
	p := nn.NewPass(ad.NewTape())
	p.Mask, p.Run = mask, &trace.Run{}
	return p, p.Tape.Leaf(tensor.From(x.Sub(b).Data, 1, x.Dim(1), x.Dim(2))), err
}

// fastformer reads the sizes of a layer whose weights have that prefix.
func (r *mixerRun) fastformer(prefix string, n int) (encoder.Config, error) {
	q, err := r.c.weight(prefix + "attention.self.query.weight")
	if err != nil {
		return encoder.Config{}, err
	}
	heads, err := r.c.weight(prefix + "attention.self.query_att.weight")
	if err != nil {
		return encoder.Config{}, err
	}
	inner, err := r.c.weight(prefix + "intermediate.dense.weight")
	if err != nil {
		return encoder.Config{}, err
	}
	return encoder.Config{
		Layers: max(r.c.Config.Layers, 1), Width: q.Dim(0), Heads: heads.Dim(0), Inner: inner.Dim(0), Length: n,
		Norm: encoder.PostNorm, Act: encoder.GELU, Eps: cmp.Or(r.c.Config.Eps, 1e-12),
	}, nil
}

func fastformerMixer(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
	m, err := attention.Fastformer.New(s, c)
	return projected{m, nn.NewLinear(s, "O", c.Width, c.Width)}, err
}

// fastformerStackWeights names the weights of layers, each with its prefix.
func fastformerStackWeights(prefix func(layer int) string) func(param string) []string {
	norms := map[string]string{"gamma": "weight", "beta": "bias"}
	return func(param string) []string {
		l, place, ok := layerPlace(param, "layer ")
		if !ok {
			return nil
		}
		in, name, _ := strings.Cut(place, "/")
		switch in {
		case "mixer norm":
			name = "attention.output.LayerNorm." + norms[name]
		case "ffn norm":
			name = "output.LayerNorm." + norms[name]
		case "ffn":
			name = map[string]string{"1": "intermediate", "2": "output"}[name[2:]] + ".dense." + kind(name)
		default:
			if name[2:] == "O" {
				name = "attention.output.dense." + kind(name)
			} else {
				name = "attention.self." + fastformerLinears[name[2:]] + "." + kind(name)
			}
		}
		return []string{prefix(l) + name}
	}
}

// computeFastformerEncoder reads FastformerEncoder of the same: positions, a LayerNorm,
// layers and attention pooling.
func computeFastformerEncoder(c *Case) (computed, error) {
	r := &mixerRun{c: c, out: computed{}}
	x, err := c.input("input_embs")
	if err != nil {
		return nil, err
	}
	config, err := r.fastformer("encoders.0.", x.Dim(1))
	if err != nil {
		return nil, err
	}
	table, err := c.weight("position_embeddings.weight")
	if err != nil {
		return nil, err
	}
	s := nn.NewScope(0)
	positions := s.Param("positions", nn.Zeros, table.Shape...)
	stack, err := encoder.BERT.New(s, config, fastformerMixer)
	if err != nil {
		return nil, fmt.Errorf("verify: %s/%s: %w", c.Mechanism, c.Name, err)
	}
	pooling := nn.NewAttentionPooling(s.In("pooler"), config.Width)
	ends := map[string]string{
		"positions": "position_embeddings.weight", "norm/gamma": "LayerNorm.weight", "norm/beta": "LayerNorm.bias",
		"pooler/W_hidden": "poolers.0.att_fc1.weight", "pooler/b_hidden": "poolers.0.att_fc1.bias",
		"pooler/W_score": "poolers.0.att_fc2.weight", "pooler/b_score": "poolers.0.att_fc2.bias",
	}
	layers := fastformerStackWeights(func(l int) string { return fmt.Sprintf("encoders.%d.", l) })
	if err := r.adopt(s.Params(), func(param string) []string {
		if name, ok := ends[param]; ok {
			return []string{name}
		}
		return layers(param)
	}); err != nil {
		return nil, err
	}
	for b := range x.Dim(0) {
		p, in, err := r.pass(b, x)
		if err != nil {
			return nil, err
		}
		y := pooling.Apply(p, stack.Apply(p, ad.AddRows(in, ad.Crop(p.Use(positions), -2, x.Dim(1))))) // [1,d]
		r.put("out", b, y.Value.Sub(0))
		for l := range config.Layers {
			at := fmt.Sprintf("layer %d/", l+1)
			r.show(b, p.Run, at+"layer output", fmt.Sprintf("layer%d.out.0", l))
			r.show(b, p.Run, at+"alpha", fmt.Sprintf("layer%d.weight.0", l))
			r.show(b, p.Run, at+"beta", fmt.Sprintf("layer%d.weight.1", l))
		}
		if w, ok := c.IO.Arrays["loss_w"]; ok {
			p.Tape.Backward(y, tensor.From(w.Sub(b).Data, y.Shape()...))
			if g := in.Grad(); g != nil {
				r.put("grad.input.input_embs", b, g)
			}
			r.slopes(p)
		}
	}
	return r.out, nil
}

package verify

import (
	"cmp"
	"fmt"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// projected is a mixer with an output projection that is separate in the reference.
type projected struct {
	attention.Mixer
	o nn.Linear
}

// Mix applies the mixer and the output projection of the reference.
func (m projected) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	y := p.Step("unprojected", ``, trace.Activation, m.Mixer.Mix(p, x), trace.Token, trace.Channel) // [N,d]
	return m.o.Apply(p, y)                                                                          // [N,d]
}

// fastformerConfig reads the sizes of a layer whose weights have the prefix.
func (r *run) fastformerConfig(prefix string, n int) encoder.Config {
	var config struct {
		Layers int     `json:"layers"`
		Eps    float64 `json:"layer_norm_eps"`
	}
	r.read(&config)
	width, heads := r.array(prefix+"attention.self.query.weight").Dim(0), r.array(prefix+
		"attention.self.query_att.weight").Dim(0)
	return encoder.Config{
		Layers: max(config.Layers, 1), Width: width, Heads: heads,
		Inner: r.array(prefix + "intermediate.dense.weight").Dim(0), Length: n,
		Norm: encoder.PostNorm, Act: encoder.GELU, Eps: cmp.Or(config.Eps, 1e-12),
	}
}

func fastformerMixer(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
	m, err := attention.Fastformer.New(s, c)
	return projected{m, nn.NewLinear(s, "O", c.Width, c.Width)}, err
}

// fastformerLayer reads FastformerLayer of wuch15/Fastformer: one post-norm layer, whose attention
// has its own output projection.
func fastformerLayer(r *run) forward {
	c := r.fastformerConfig("", r.input("x").Dim(1))
	return r.apply("x", must(encoder.NewLayer(r.scope.In("layer 1"), c, fastformerMixer)).Apply)
}

// fastformerEncoder reads FastformerEncoder of the same repository: positions, a LayerNorm, layers
// and attention pooling.
func fastformerEncoder(r *run) forward {
	c := r.fastformerConfig("encoders.0.", r.input("input_embs").Dim(1))
	positions := r.scope.Param("positions", nn.Zeros, r.array("position_embeddings.weight").Shape...)
	stack := must(encoder.BERT.New(r.scope, c, fastformerMixer))
	pooling := nn.NewAttentionPooling(r.scope.In("pooler"), c.Width)
	return r.apply("input_embs", func(p *nn.Pass, x *ad.Var) *ad.Var {
		return pooling.Apply(p, stack.Apply(p, ad.AddRows(x, ad.Narrow(p.Use(positions), -2, c.Length)))) // [1,d]
	})
}

// transformer reads torch.nn.Transformer.
func transformer(r *run) forward {
	var config struct {
		Eps       float64 `json:"layer_norm_eps"`
		NormFirst bool    `json:"norm_first"`
		Act       string  `json:"activation"`
	}
	r.read(&config)
	inner := r.array("encoder.layers.0.linear1.weight")
	c := encoder.Config{
		Layers: len(r.arrays("encoder.layers.*.linear1.weight")), Width: inner.Dim(1), Heads: r.Config.Heads,
		Inner: inner.Dim(0), Length: 1,
		Norm: encoder.PostNorm, Act: activation(cmp.Or(config.Act, "relu")), Eps: cmp.Or(config.Eps, 1e-5),
		Options: options{"decoder layers": fmt.Sprint(len(r.arrays("decoder.layers.*.linear1.weight")))},
	}
	if config.NormFirst {
		c.Norm = encoder.PreNorm
	}
	stacks := must(encoder.NewEncoderDecoderStack(r.scope, c, attention.DotProduct.New))
	return func(p *nn.Pass) map[string]*ad.Var {
		source, target := r.leaf(p, "src"), r.leaf(p, "tgt")
		masked := func(name string, x *ad.Var) (m nn.Mask) { // 1 means padding in this mask
			if name += "_key_padding_mask"; r.shape(name) != nil {
				m = nn.Mask{Keys: make([]bool, x.Dim(1)), N: x.Dim(1)}
				for i, padding := range r.row(name, m.N, 1) {
					m.Keys[i] = padding == 0
				}
			}
			return m
		}
		memory := stacks.Encode(p.WithMask(masked("src", source)), source)
		return map[string]*ad.Var{"out": stacks.Decode(p.WithMask(masked("tgt", target)), target, memory,
			masked("memory", source))}
	}
}

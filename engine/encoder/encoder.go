package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/nn"
)

// Encoder is a list of layers, each with its own parameters (Vaswani et al. 2017,
// arXiv:1706.03762, sec. 3.1):
//
//	post-norm: x = LN(e);  x = LN(x + Mix(x));  x = LN(x + FFN(x))
//	pre-norm:  x = e;      x += Mix(LN(x));     x += FFN(LN(x));     at the end LN(x)
//
// Parameters per layer: the mixer's + 2·d·inner + inner + d + 4d; and 2d once per model.
//
// Differences: the paper has neither a LayerNorm on the embeddings nor learned positions.
var Encoder = newStack(StackEntry{
	ID:      "encoder",
	Formula: `x \gets x + \mathrm{Mix}(\mathrm{LN}(x)) \quad x \gets x + \mathrm{FFN}(\mathrm{LN}(x))`,
	Cost:    "l·(mixer + O(N·d·inner))",
	Paper: citation.Paper{
		Authors: "Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin", Year: 2017,
		Title: "Attention Is All You Need", Venue: "NeurIPS", ArXiv: "1706.03762", Equations: "sec. 3.1, 3.3",
	},
	Views: []attention.View{
		{Map: "pooling", Symbol: "a"},
	},
	vary: func(c Config, f *Facts) {
		if c.Norm == PostNorm {
			f.Formula = `x \gets \mathrm{LN}(x + \mathrm{Mix}(x)) \quad x \gets \mathrm{LN}(x + \mathrm{FFN}(x))`
		}
	},
	Objective: MaskedWords,
	Defaults: func(c *Config) {
		c.small()
		fill(&c.Norm, PreNorm)
	},
	New: func(s *nn.Scope, c Config, mixer Builder) (Stack, error) {
		layers, err := newLayers(s, c, mixer)
		if err != nil {
			return nil, err
		}
		return &encoder{layers: layers, norm: nn.NewLayerNorm(s.In("norm"), c.Width, c.eps()), position: c.Norm}, nil
	},
})

type encoder struct {
	layers   []*layer
	norm     nn.LayerNorm // of the embeddings (post-norm) or after the last layer (pre-norm)
	position Norm
}

// Apply runs all layers on x.
func (e *encoder) Apply(p *nn.Pass, x *ad.Var) *ad.Var { return e.ApplyAt(p, x, nil) }

// ApplyAt computes the last layer's feed-forward network and everything after it only for the rows in at; nil means
// all rows.
func (e *encoder) ApplyAt(p *nn.Pass, x *ad.Var, at []int) *ad.Var {
	if e.position == PostNorm {
		x = e.norm.Apply(p, x) // [N,d]
	}
	showEmbedded(p, x)
	last := len(e.layers) - 1
	for i, l := range e.layers {
		var rows []int
		if i == last {
			rows = at
		}
		x = p.Layer(x, func(x *ad.Var) *ad.Var {
			return l.applyAt(p.InLayer(layerName(i), i), x, rows) // [N,d], at last [M,d]
		})
	}
	if e.position == PreNorm {
		x = e.norm.Apply(p, x) // [N,d]
	}
	return x
}

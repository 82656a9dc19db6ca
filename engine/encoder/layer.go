package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

// Norm says where a layer normalises.
type Norm string

const (
	// PreNorm: x += Mix(LN(x)); x += FFN(LN(x)), and one more LN after the stack
	// (Xiong et al. 2020, arXiv:2002.04745, fig. 1b).
	PreNorm Norm = "pre"
	// PostNorm: x = LN(x + Mix(x)); x = LN(x + FFN(x)), and a LN on the embeddings
	// (Vaswani et al. 2017, sec. 3.1; Devlin et al. 2018).
	PostNorm Norm = "post"
)

const normEps = 1e-5

// layer is one mixer and one feed-forward sublayer with residual connections.
type layer struct {
	mix      attention.Mixer
	ffn      nn.FeedForward
	mixNorm  nn.LayerNorm
	ffnNorm  nn.LayerNorm
	position Norm
}

func newLayer(s *nn.Scope, c Config, build Builder) (*layer, error) {
	mix, err := build(s.In("mixer"), attention.Config{Width: c.Width, Heads: c.Heads, Length: c.Length, Knobs: c.Knobs})
	if err != nil {
		return nil, err
	}
	return &layer{
		mix: mix, ffn: nn.NewFeedForward(s.In("ffn"), c.Width, c.Inner), position: c.Norm,
		mixNorm: nn.NewLayerNorm(s.In("mixer norm"), c.Width, normEps),
		ffnNorm: nn.NewLayerNorm(s.In("ffn norm"), c.Width, normEps),
	}, nil
}

func (l *layer) apply(p *nn.Pass, x *ad.Var) *ad.Var {
	x = sublayer(p, x, l.position, l.mixNorm, l.mix.Mix)
	return sublayer(p, x, l.position, l.ffnNorm, l.ffn.Apply)
}

func sublayer(p *nn.Pass, x *ad.Var, position Norm, norm nn.LayerNorm, f func(*nn.Pass, *ad.Var) *ad.Var) *ad.Var {
	if position == PostNorm {
		return norm.Apply(p, ad.Add(x, f(p, x)))
	}
	return ad.Add(x, f(p, norm.Apply(p, x)))
}

package encoder

import (
	"fmt"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Norm is the position of the LayerNorms in a layer.
type Norm string

const (
	// PreNorm: x += Mix(LN(x)); x += FFN(LN(x)), with one more LN after the stack (Xiong et al.
	// 2020, arXiv:2002.04745, fig. 1b).
	PreNorm Norm = "pre"
	// PostNorm: x = LN(x + Mix(x)); x = LN(x + FFN(x)), with a LN on the embeddings (Vaswani et al.
	// 2017, sec. 3.1; Devlin et al. 2018).
	PostNorm Norm = "post"
)

// Feeder is the feed-forward part of a layer: x [N,d] → [N,d].
type Feeder interface {
	Apply(p *nn.Pass, x *ad.Var) *ad.Var
}

// layer is one mixer and one feed-forward sublayer with residual connections.
type layer struct {
	mix      attention.Mixer
	ffn      Feeder
	mixNorm  nn.LayerNorm
	ffnNorm  nn.LayerNorm
	position Norm
}

func newLayer(s *nn.Scope, c Config, build Builder) (*layer, error) {
	mix, err := build(s.In("mixer"), c.Mixer())
	if err != nil {
		return nil, err
	}
	return &layer{
		mix: mix, ffn: nn.NewFeedForward(s.In("ffn"), c.Width, c.Inner).With(c.activation()), position: c.Norm,
		mixNorm: nn.NewLayerNorm(s.In("mixer norm"), c.Width, c.eps()),
		ffnNorm: nn.NewLayerNorm(s.In("ffn norm"), c.Width, c.eps()),
	}, nil
}

// newLayers makes the layers "layer 1", …, each with its own parameters.
func newLayers(s *nn.Scope, c Config, build Builder) ([]*layer, error) {
	layers := make([]*layer, c.Layers)
	for i := range layers {
		var err error
		if layers[i], err = newLayer(s.In(layerName(i)), c, build); err != nil {
			return nil, err
		}
	}
	return layers, nil
}

// NewLayer makes a stack of one layer.
func NewLayer(s *nn.Scope, c Config, build Builder) (Stack, error) {
	l, err := newLayer(s, c, build)
	if err != nil {
		return nil, err
	}
	return single{l}, nil
}

type single struct{ *layer }

// Apply runs the layer on x.
func (s single) Apply(p *nn.Pass, x *ad.Var) *ad.Var { return s.apply(p, x) }

func layerName(i int) string { return fmt.Sprintf("layer %d", i+1) }

// apply runs the layer and records its output.
func (l *layer) apply(p *nn.Pass, x *ad.Var) *ad.Var { return l.applyAt(p, x, nil) }

// applyAt is apply for the rows at, out of B·N, only: x [B,N,d] → [M,d]. Nil means all rows.
func (l *layer) applyAt(p *nn.Pass, x *ad.Var, at []int) *ad.Var {
	p.Step("layer input", `X`, trace.Activation, x, trace.Token, trace.Channel) // [N,d]
	x = sublayer(p.Reading(at).Within(func() *nn.AfterMixer { return l.around(x) }), x,
		mixing.at(l.position, l.mixNorm), l.mix.Mix)
	return sublayer(p, x, feeding.at(l.position, l.ffnNorm), l.ffn.Apply)
}

// showEmbedded records the input of the first layer.
func showEmbedded(p *nn.Pass, x *ad.Var) {
	p.Step("embedded", `X_0`, trace.Activation, x, trace.Token, trace.Channel) // [N,d]
}

// around returns the function from the mixer's result to the layer's output, for an input x.
func (l *layer) around(x *ad.Var) *nn.AfterMixer {
	return aroundMixer(l.position, &l.mixNorm, x, func(p *nn.Pass, x *ad.Var) *ad.Var {
		return sublayer(p, x, feeding.at(l.position, l.ffnNorm), l.ffn.Apply)
	})
}

// aroundMixer describes how a layer with the input x adds the result of its mixer, and computes the rest.
func aroundMixer(position Norm, norm *nn.LayerNorm, x *ad.Var,
	follows func(p *nn.Pass, x *ad.Var) *ad.Var) *nn.AfterMixer {
	around := &nn.AfterMixer{Inputs: []*tensor.T{x.Value}}
	if position == PostNorm {
		around.Norm = norm
	}
	around.Rest = func(p *nn.Pass, in []*ad.Var, y *ad.Var) *ad.Var { return follows(p, join(p, in[0], y, around.Norm)) }
	return around
}

// kind describes a type of sublayer: the names of the values that it records, and the symbol of its function.
type kind struct{ input, output, sum, whole, symbol string }

var (
	mixing  = kind{"mixer input", "mixer output", "mixer sum", "after mixing", `\mathrm{Mix}`}
	reading = kind{"cross input", "cross output", "cross sum", "after reading", `\mathrm{Read}`}
	feeding = kind{"ffn input", "ffn output", "ffn sum", "layer output", `\mathrm{FFN}`}
)

// placed is a sublayer with its norm.
type placed struct {
	kind
	position Norm
	norm     nn.LayerNorm
}

func (k kind) at(position Norm, norm nn.LayerNorm) placed { return placed{k, position, norm} }

// sublayer computes the sublayer for the positions that the pass reads.
func sublayer(p *nn.Pass, x *ad.Var, at placed, f func(*nn.Pass, *ad.Var) *ad.Var) *ad.Var {
	show := func(name, tex string, v *ad.Var) *ad.Var {
		if p.Wants(name) {
			p.Step(name, strings.ReplaceAll(tex, "f", at.symbol), trace.Activation, v, trace.Token, trace.Channel) // [N,d]
		}
		return v
	}
	if at.position == PostNorm {
		y := show(at.output, `f(X)`, p.Read(f(p, x)))
		sum := show(at.sum, `X + f(X)`, join(p, p.Read(x), y, nil))
		return show(at.whole, `\mathrm{LN}(X + f(X))`, at.norm.Apply(p, sum))
	}
	normed := show(at.input, `\mathrm{LN}(X)`, at.norm.Apply(p, x))
	y := show(at.output, `f(\mathrm{LN}(X))`, p.Read(f(p, normed)))
	return show(at.whole, `X + f(\mathrm{LN}(X))`, join(p, p.Read(x), y, nil))
}

// join adds the result y of a sublayer to the residual stream, and applies the norm if there is one.
func join(p *nn.Pass, x, y *ad.Var, norm *nn.LayerNorm) *ad.Var {
	sum := ad.Add(x, y)
	if norm == nil {
		return sum
	}
	return norm.Apply(p, sum)
}

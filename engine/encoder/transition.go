package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

// transition is the layer that is applied at every step.
type transition struct {
	mix      attention.Mixer
	ffn      positionwise
	mixNorm  nn.LayerNorm
	ffnNorm  nn.LayerNorm
	position Norm
}

func newTransition(s *nn.Scope, c Config, mixer Builder) (*transition, error) {
	mix, err := mixer(s.In("mixer"), c.Mixer())
	if err != nil {
		return nil, err
	}
	l := &transition{mix: mix, mixNorm: c.universalNorm(s.In("mixer norm")), ffnNorm: c.universalNorm(s.In("ffn norm")),
		position: c.Norm}
	switch in := s.In("ffn"); c.option(universalOptions, "transition") {
	case "convolution":
		l.ffn = newConvolution(in, c.Width, c.Inner, around)
	case "convolution-before":
		l.ffn = newConvolution(in, c.Width, c.Inner, before)
	default:
		l.ffn = nn.NewFeedForward(in, c.Width, c.Inner).With(c.activation())
	}
	return l, nil
}

// positionwise is the sublayer after the mixer.
type positionwise interface {
	Apply(p *nn.Pass, x *ad.Var) *ad.Var
}

// Apply runs the layer on x [N,d] and keeps its shape.
func (l *transition) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	in := p.Within(func() *nn.AfterMixer { return aroundMixer(l.position, &l.mixNorm, x, l.feed) })
	return l.feed(p, sublayer(in, x, mixing.at(l.position, l.mixNorm), l.mix.Mix))
}

// feed applies the sublayer after the mixer.
func (l *transition) feed(p *nn.Pass, x *ad.Var) *ad.Var {
	return sublayer(p, x, feeding.at(l.position, l.ffnNorm), l.ffn.Apply)
}

// convolution is a feed-forward network of two convolutions of width 3, each followed by a ReLU.
// The text is padded with zeros:
//
//	y = relu(C_2 * relu(C_1 * x + b_1) + b_2)
type convolution struct {
	in, out nn.Linear // [inner,3d], [d,3·inner]: for the word before, the word, the word after
	reach   [3]int    // offsets of the three words
}

// around and before are the offsets of the words that a convolution reads.
var (
	around = [3]int{-1, 0, 1}
	before = [3]int{-2, -1, 0} // under a causal mask
)

func newConvolution(s *nn.Scope, width, inner int, reach [3]int) *convolution {
	return &convolution{in: nn.NewLinear(s, "1", 3*width, inner), out: nn.NewLinear(s, "2", 3*inner, width), reach: reach}
}

// Apply runs the network on x [N,d] and keeps its shape.
func (c *convolution) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	h := ad.ReLU(c.in.Apply(p, c.neighbours(p, x))) // [N,inner]
	return ad.ReLU(c.out.Apply(p, c.neighbours(p, h)))
}

// neighbours concatenates three words at every position: [N,d] → [N,3d]. Padding counts as zeros, like positions
// outside the text.
func (c *convolution) neighbours(p *nn.Pass, x *ad.Var) *ad.Var {
	x = ad.KeepRows(x, p.Mask.Readable(x.Dim(0), x.Dim(1)))
	var side *ad.Var
	for _, offset := range c.reach {
		at := make([]int, x.Dim(1))
		for i := range at {
			if at[i] = i + offset; at[i] < 0 || at[i] >= len(at) {
				at[i] = ad.Absent
			}
		}
		if part := ad.GatherRows(x, [][]int{at}); side == nil {
			side = part
		} else {
			side = ad.Concat(side, part)
		}
	}
	return side
}

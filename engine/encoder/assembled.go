package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

// Parts are what a model of another program is made of. Its layers show what those of Encoder show.
type Parts struct {
	Params []*nn.Param
	Words  *nn.Param // the embeddings of the words [V,E]
	// Embed gives the sum of the embeddings [B,N,E], Begin the input [B,N,d] of the first layer.
	Embed func(p *nn.Pass, in Input) *ad.Var
	Begin func(p *nn.Pass, x *ad.Var) *ad.Var
	// Layers run one after the other. One that shares its parameters with another is there again.
	Layers []LayerParts
	// Between, unless nil, changes the output of layer i, from 0, given the input of the first.
	Between func(p *nn.Pass, i int, first, x *ad.Var) *ad.Var
	Norm    *nn.LayerNorm // after the last layer; nil: none
	Scorer  *Scorer       // nil: the model guesses no words
	// Classify score the classes of Config.Tasks of an encoded text: [B,N,d] → [B,C].
	Classify []func(p *nn.Pass, x *ad.Var) *ad.Var
}

// LayerParts are a mixer and a feed-forward part with their norms.
type LayerParts struct {
	Mixer              attention.Mixer
	FFN                Feeder
	MixerNorm, FFNNorm nn.LayerNorm
}

// Scorer turns encoded positions into scores of the words.
type Scorer struct {
	Guess *nn.Linear // [E,d], behind which Act and Norm follow; nil: none of the three
	Act   func(*ad.Var) *ad.Var
	Norm  nn.LayerNorm // [E]
	Words *nn.Param    // [V,E]
	Bias  *nn.Param    // [V]; nil: none
}

// Assemble makes a model of parts. Of the configuration it reads sizes, norm, objective and tasks.
func Assemble(c Config, parts Parts) *Model {
	c.bounded = true
	s := &assembled{begin: parts.Begin, between: parts.Between, norm: parts.Norm}
	for _, l := range parts.Layers {
		s.layers = append(s.layers, &layer{mix: observed{l.Mixer}, ffn: l.FFN, mixNorm: l.MixerNorm, ffnNorm: l.FFNNorm, position: c.Norm})
	}
	m := &Model{Config: c, Params: parts.Params, embed: parts.Embed, stack: s, classifiers: parts.Classify}
	if parts.Scorer != nil {
		m.word = *parts.Scorer
	}
	return m
}

// assembled is the stack of Assemble.
type assembled struct {
	begin   func(p *nn.Pass, x *ad.Var) *ad.Var
	layers  []*layer
	between func(p *nn.Pass, i int, first, x *ad.Var) *ad.Var
	norm    *nn.LayerNorm
}

// Apply implements Stack.
func (s *assembled) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	x = s.begin(p, x) // [N,d]
	showEmbedded(p, x)
	first := x
	for i, l := range s.layers {
		x = l.apply(p.InLayer(layerName(i), i), x) // [N,d]
		if s.between != nil {
			x = s.between(p, i, first, x)
		}
	}
	if s.norm != nil {
		x = s.norm.Apply(p, x) // [N,d]
	}
	return x
}

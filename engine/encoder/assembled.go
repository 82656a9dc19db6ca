package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Parts are the components of a model from another program. Its layers record the same maps as the layers of Encoder.
type Parts struct {
	Params []*nn.Param
	Words  *nn.Param // the embeddings of the words [V,E]
	// Embed returns the sum of the embeddings [B,N,E], and Begin the input [B,N,d] of the first layer.
	Embed func(p *nn.Pass, in Input) *ad.Var
	Begin func(p *nn.Pass, x *ad.Var) *ad.Var
	// Layers run one after the other. A layer that shares its parameters with another one appears again.
	Layers []LayerParts
	// Between changes the output of layer i, counted from 0, given the input of the first layer. It may be nil.
	Between func(p *nn.Pass, i int, first, x *ad.Var) *ad.Var
	End     func(p *nn.Pass, x *ad.Var) *ad.Var // after the last layer
	Scorer  *Scorer                             // nil: the model predicts no words
	// Classify score the classes of Config.Tasks of an encoded text: [B,N,d] → [B,C].
	Classify []func(p *nn.Pass, x *ad.Var) *ad.Var
}

// LayerParts are a mixer and a feed-forward part with their norms. A norm without parameters is absent. Without a
// feed-forward part, the mixer's result is the layer's output.
type LayerParts struct {
	Mixer              attention.Mixer
	FFN                Feeder
	MixerNorm, FFNNorm nn.LayerNorm
	// MixerAfter and FFNAfter normalise the result of a part before it is added to the residual stream.
	MixerAfter, FFNAfter nn.LayerNorm
	// Share multiplies that result; 0 means 1.
	Share ad.Elem
	// Parallel means that both parts read the layer's input. If FFN has no norm of its own, it reads the mixer's
	// input.
	Parallel bool
	// OnNormed means that the result is added to the normalised stream.
	OnNormed bool
}

// Scorer computes the scores of the words from encoded positions.
type Scorer struct {
	Guess *nn.Linear // [E,d], followed by Act and Norm; nil: none of the three
	Act   func(*ad.Var) *ad.Var
	Norm  nn.LayerNorm // [E]
	Words *nn.Param    // [V,E]
	Bias  *nn.Param    // [V]; nil: none
	// Finish changes the scores. It may be nil.
	Finish func(*ad.Var) *ad.Var
}

// Assemble builds a model from parts. It uses the sizes, norm, objective and tasks of the configuration.
func Assemble(c Config, parts Parts) *Model {
	c.bounded = true
	s := &assembled{begin: parts.Begin, between: parts.Between, end: parts.End}
	for _, l := range parts.Layers {
		s.layers = append(s.layers, l.layer(c.Norm))
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
	layers  []applied
	between func(p *nn.Pass, i int, first, x *ad.Var) *ad.Var
	end     func(p *nn.Pass, x *ad.Var) *ad.Var
}

// applied is a layer of any kind.
type applied interface {
	apply(p *nn.Pass, x *ad.Var) *ad.Var
}

// layer builds the layer, with norms before or after its sublayers.
func (l LayerParts) layer(position Norm) applied {
	if l.FFN == nil {
		return alone{observed{l.Mixer}}
	}
	own := &layer{mix: observed{l.Mixer}, ffn: l.FFN, mixNorm: l.MixerNorm, ffnNorm: l.FFNNorm, position: position}
	if position == PostNorm || l.MixerAfter.Gamma == nil && l.FFNAfter.Gamma == nil && l.Share == 0 && !l.Parallel &&
		!l.OnNormed {
		return own
	}
	l.Mixer = own.mix
	return &variedLayer{l}
}

// alone is a mixer without a residual stream, norms and a feed-forward part.
type alone struct{ attention.Mixer }

// apply runs the mixer and records its input and its result.
func (l alone) apply(p *nn.Pass, x *ad.Var) *ad.Var {
	p.Step("layer input", `X`, trace.Activation, x, trace.Token, trace.Channel)                                 // [N,d]
	return p.Step("layer output", `\mathrm{Mix}(X)`, trace.Activation, l.Mix(p, x), trace.Token, trace.Channel) // [N,d]
}

// variedLayer is a pre-norm layer whose parts are added to the stream in another way.
type variedLayer struct{ LayerParts }

// apply runs the layer and records the same maps as layer.
func (l *variedLayer) apply(p *nn.Pass, x *ad.Var) *ad.Var {
	show := func(name, tex string, v *ad.Var) *ad.Var {
		return p.Step(name, tex, trace.Activation, v, trace.Token, trace.Channel) // [N,d]
	}
	show("layer input", `X`, x)
	mixed := show(mixing.input, `\mathrm{LN}(X)`, l.MixerNorm.Apply(p, x))
	around := func() *nn.AfterMixer {
		return &nn.AfterMixer{Inputs: []*tensor.T{x.Value}, Rest: func(p *nn.Pass, in []*ad.Var, y *ad.Var) *ad.Var {
			return l.rest(p, in[0], l.MixerNorm.Apply(p, in[0]), y)
		}}
	}
	y := show(mixing.output, `\mathrm{Mix}(\mathrm{LN}(X))`, l.Mixer.Mix(p.Within(around), mixed))
	return show(feeding.whole, `X'`, l.rest(p, x, mixed, y))
}

// rest computes the layer after the result y of its mixer, which has read the normalised stream.
func (l *variedLayer) rest(p *nn.Pass, x, mixed, y *ad.Var) *ad.Var {
	show := func(name, tex string, v *ad.Var) *ad.Var {
		return p.Step(name, tex, trace.Activation, v, trace.Token, trace.Channel) // [N,d]
	}
	from := x
	if l.OnNormed {
		from = mixed
	}
	sum := show(mixing.whole, `X + \mathrm{Mix}`, ad.Add(from, l.share(l.MixerAfter.Apply(p, y))))
	read := sum
	if l.Parallel {
		read = x
	}
	fed := l.FFNNorm.Apply(p, read)
	if l.Parallel && l.FFNNorm.Gamma == nil {
		fed = mixed
	}
	if l.OnNormed {
		sum = fed
	}
	out := show(feeding.output, `\mathrm{FFN}`, l.FFN.Apply(p, show(feeding.input, `\mathrm{LN}(X)`, fed)))
	return ad.Add(sum, l.share(l.FFNAfter.Apply(p, out)))
}

// share scales the result of a part before it is added.
func (l *variedLayer) share(y *ad.Var) *ad.Var {
	if l.Share == 0 {
		return y
	}
	return ad.Scale(y, l.Share)
}

// Apply implements Stack.
func (s *assembled) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	x = s.begin(p, x) // [N,d]
	showEmbedded(p, x)
	first := x
	for i, l := range s.layers {
		x = p.Layer(x, func(x *ad.Var) *ad.Var {
			part := p.InLayer(layerName(i), i)
			x = l.apply(part, x) // [N,d]
			if s.between == nil {
				return x
			}
			y := s.between(part, i, first, x)
			if y != x {
				part.Step(feeding.whole, `\mathrm{LN}(X + \mathrm{Conv}(X_0))`, trace.Activation, y, trace.Token, trace.Channel)
			}
			return y
		})
	}
	return s.end(p, x) // [N,d]
}

// PairParts are the components of an encoder–decoder from another program.
type PairParts struct {
	Params         []*nn.Param
	Source, Target Parts          // their embeddings, layers and end
	Reading        []ReadingParts // one for each layer of the target
	Scorer         *Scorer        // nil: the model scores no words
	Heads          int            // number of heads in a layer of the target
}

// ReadingParts describe how a decoder layer reads the encoder's output.
type ReadingParts struct {
	Cross attention.Cross
	Norm  nn.LayerNorm
}

// AssembleSeq2Seq builds a model from parts. It uses the sizes and norm of the configuration.
func AssembleSeq2Seq(c Config, parts PairParts) *Seq2Seq {
	c.bounded = true
	t := &EncoderDecoderStack{endSource: parts.Source.End, endTarget: parts.Target.End}
	for _, l := range parts.Source.Layers {
		t.encoder = append(t.encoder, l.layer(c.Norm))
	}
	for i, l := range parts.Target.Layers {
		own := &layer{mix: observed{l.Mixer}, ffn: l.FFN, mixNorm: l.MixerNorm, ffnNorm: l.FFNNorm, position: c.Norm}
		t.decoder = append(t.decoder, &decoderLayer{own, parts.Reading[i].Cross, parts.Reading[i].Norm})
	}
	m := &Seq2Seq{
		Config: c, Params: parts.Params, stacks: t, decoderLayers: len(t.decoder), decoderHeads: parts.Heads,
		source: func(p *nn.Pass, in Pair) *ad.Var {
			return parts.Source.enter(p, Input{IDs: in.Source, Count: in.Count})
		},
		target: func(p *nn.Pass, in Pair) *ad.Var {
			return parts.Target.enter(p, Input{IDs: in.Target, Count: in.Count, From: in.From})
		},
	}
	if parts.Scorer != nil {
		m.word = *parts.Scorer
	}
	return m
}

// enter returns the input [B,N,d] of the first layer.
func (parts Parts) enter(p *nn.Pass, in Input) *ad.Var {
	x := parts.Begin(p, parts.Embed(p, in)) // [N,d]
	showEmbedded(p, x)
	return x
}

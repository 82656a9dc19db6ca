package encoder

import (
	"fmt"
	"strconv"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// EncoderDecoder is the original Transformer (Vaswani et al. 2017, arXiv:1706.03762, sec. 3 and
// fig. 1): the encoder reads the source, and the decoder writes the target, word by word.
//
//	encoder: x = LN(x + Mix(x));        x = LN(x + FFN(x));                   M = LN(x)
//	decoder: y = LN(y + Mix(y)), causal;  y = LN(y + Cross(y, M));  y = LN(y + FFN(y));  LN(y)
//
// With Norm "pre", the LayerNorms are in front of the sublayers. Self-attention can use any
// mechanism that is defined for its mask, which is causal in the decoder; Cross is dot product.
// Parameters: the mixers', 4d² + 4d for every Cross, and the parameters that Encoder has around
// mixers. A decoder layer has 2d more for its third LayerNorm.
//
// Differences: the paper has LayerNorms after the sublayers and none after the last layer. Here
// there is one after each stack, as in torch.nn.Transformer. There is no dropout.
var EncoderDecoder = newStack(StackEntry{
	ID:      "encoder-decoder",
	Formula: `M = \mathrm{Encoder}(x) \quad y \gets y + \mathrm{Mix}(y) \text{ over } j \le i \quad y \gets y + \mathrm{Cross}(y, M) \quad y \gets y + \mathrm{FFN}(y)`,
	Cost:    "l·(2·mixer + O(N_s·N_t·d + (N_s + N_t)·d·inner))",
	Paper: citation.Paper{
		Authors: "Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin", Year: 2017,
		Title: "Attention Is All You Need", Venue: "NeurIPS", ArXiv: "1706.03762", Equations: "sec. 3.1–3.5, fig. 1",
	},
	Options: encoderDecoderOptions,
	vary: func(c Config, f *Facts) {
		if c.Norm == PostNorm {
			f.Formula = `M = \mathrm{Encoder}(x) \quad y \gets \mathrm{LN}(y + \mathrm{Mix}(y)) \text{ over } j \le i \quad y \gets \mathrm{LN}(y + \mathrm{Cross}(y, M)) \quad y \gets \mathrm{LN}(y + \mathrm{FFN}(y))`
		}
	},
	Objective: TargetWords,
	Defaults: func(c *Config) {
		fill(&c.Layers, 2)
		fill(&c.Width, 64)
		fill(&c.Heads, 4)
		fill(&c.Inner, 2*c.Width)
		fill(&c.Length, 26)
		fill(&c.Norm, PreNorm)
		fill(&c.Act, ReLU)
		if c.Tasks == nil {
			c.Tasks = []Task{{Name: "reverse"}}
		}
	},
})

// TargetWords is the objective of writing a target text, word by word, for a source text.
const TargetWords Objective = "transduction"

// DecoderLayersOption is the name of the option for the number of decoder layers.
const DecoderLayersOption = "decoder layers"

var encoderDecoderOptions = []attention.Option{
	{Name: DecoderLayersOption, Default: "same", Examples: []string{"1"}},
}

// EncoderDecoderStack is an encoder and a decoder without embeddings and heads.
type EncoderDecoderStack struct {
	encoder []applied
	decoder []*decoderLayer
	// endSource and endTarget run after the last layer of each stack.
	endSource, endTarget func(p *nn.Pass, x *ad.Var) *ad.Var
}

// decoderLayer is a layer with cross-attention to the memory between its two sublayers.
type decoderLayer struct {
	*layer
	cross     attention.Cross
	crossNorm nn.LayerNorm
}

// NewEncoderDecoderStack makes both stacks. Each layer gets its own mixer.
func NewEncoderDecoderStack(s *nn.Scope, c Config, mixer Builder) (*EncoderDecoderStack, error) {
	t := &EncoderDecoderStack{}
	for i := range c.Layers {
		l, err := newLayer(s.In(encoderLayer(i)), c, mixer)
		if err != nil {
			return nil, err
		}
		t.encoder = append(t.encoder, l)
	}
	t.endSource = nn.NewLayerNorm(s.In("encoder norm"), c.Width, c.eps()).Apply
	for i := range c.decoderLayers() {
		in := s.In(decoderLayerName(i))
		l, err := newLayer(in, c, mixer)
		if err != nil {
			return nil, err
		}
		cross, err := attention.NewCross(in.In("cross"), c.Mixer())
		if err != nil {
			return nil, err
		}
		t.decoder = append(t.decoder, &decoderLayer{l, cross, nn.NewLayerNorm(in.In("cross norm"), c.Width, c.eps())})
	}
	t.endTarget = nn.NewLayerNorm(s.In("decoder norm"), c.Width, c.eps()).Apply
	return t, nil
}

func (c Config) decoderLayers() int {
	n, err := strconv.Atoi(c.option(encoderDecoderOptions, DecoderLayersOption))
	if err != nil {
		return c.Layers
	}
	return n
}

func encoderLayer(i int) string     { return fmt.Sprintf("encoder layer %d", i+1) }
func decoderLayerName(i int) string { return fmt.Sprintf("decoder layer %d", i+1) }

// CrossPart is the name of the part of a decoder layer's run that lists the maps of its
// cross-attention.
const CrossPart = "cross"

// Encode turns the embedded source into the memory: x [M,d] → [M,d]. The mask of the pass applies
// to the source, and the cuts of the pass to these layers. The maps of layer i are listed under
// "encoder layer i".
func (t *EncoderDecoderStack) Encode(p *nn.Pass, x *ad.Var) *ad.Var {
	for i, l := range t.encoder {
		x = p.Layer(x, func(x *ad.Var) *ad.Var { return l.apply(p.InLayer(encoderLayer(i), i), x) }) // [M,d]
	}
	return p.Step("memory", `M`, trace.Activation, t.endSource(p, x), trace.Key, trace.Channel) // [M,d]
}

// Decode turns the embedded target into contextual tokens: y [N,d], memory [M,d] → [N,d]. Token i
// depends on the targets 0 … i and on the memory. The mask of the pass applies to the target and
// becomes causal; source applies to the memory. The maps of layer i are listed under "decoder layer
// i", and the maps of its cross-attention in the part CrossPart. If the pass is Brief, the memory must be
// stored where its layers do not overwrite it.
func (t *EncoderDecoderStack) Decode(p *nn.Pass, y, memory *ad.Var, source nn.Mask) *ad.Var {
	target := p.Mask
	if p.Remembered() == 0 { // a single position after a cache attends to all earlier ones
		target.Kind = nn.Causal
	}
	for i, l := range t.decoder {
		y = p.Layer(y, func(y *ad.Var) *ad.Var {
			return l.apply(p.In(decoderLayerName(i)).WithMask(target), y, memory, source) // [N,d]
		})
	}
	return p.Step("output", `H`, trace.Activation, t.endTarget(p, y), trace.Token, trace.Channel) // [N,d]
}

func (l *decoderLayer) apply(p *nn.Pass, y, memory *ad.Var, source nn.Mask) *ad.Var {
	y = sublayer(p, y, mixing.at(l.position, l.mixNorm), l.mix.Mix)
	y = sublayer(p, y, reading.at(l.position, l.crossNorm), func(p *nn.Pass, y *ad.Var) *ad.Var {
		return l.cross.Read(p.In(CrossPart).WithMask(source), y, memory)
	})
	return sublayer(p, y, feeding.at(l.position, l.ffnNorm), l.ffn.Apply)
}

package encoder

import (
	"math"
	"math/rand/v2"
	"strconv"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Reversible is the stack of the Reformer (Kitaev, Kaiser and Levskaya 2020, arXiv:2001.04451, sec.
// 3, after Gomez et al. 2017, arXiv:1707.04585). It has two streams, so that the inputs of a layer
// can be recomputed from its outputs. Training then stores only the outputs of the last layer.
//
//	x₁ = x₂ = e
//	y₁ = x₁ + Mix(LN(x₂))    y₂ = x₂ + FFN(LN(y₁))       x of the next layer = y
//	backwards: x₂ = y₂ − FFN(LN(y₁))    x₁ = y₁ − Mix(LN(x₂))
//	h = LN([y₁ ; y₂])
//
// The output is 2d wide, and the heads read all of it. The stack has the parameters of a pre-norm Encoder, and
// 2d more in the last LayerNorm.
//
// In training, the recomputation starts from reconstructed inputs, which differ from the true ones
// by rounding. The map of reconstruction errors shows how large this difference is. Hashes and
// other random choices are stored and not drawn again.
var Reversible = newStack(StackEntry{
	ID:      "reversible",
	Formula: `y_1 = x_1 + \mathrm{Mix}(\mathrm{LN}(x_2)) \quad y_2 = x_2 + \mathrm{FFN}(\mathrm{LN}(y_1)) \quad \text{back: } x_2 = y_2 - \mathrm{FFN}(\mathrm{LN}(y_1)) \quad x_1 = y_1 - \mathrm{Mix}(\mathrm{LN}(x_2))`,
	Cost:    "l·(mixer + O(N·d·inner)) \\text{ in time, } O(N·d) \\text{ of memory for any } l",
	Paper: citation.Paper{
		Authors: "Nikita Kitaev, Łukasz Kaiser, Anselm Levskaya", Year: 2020,
		Title: "Reformer: The Efficient Transformer", Venue: "ICLR", ArXiv: "2001.04451", Equations: "sec. 3, eq. 7–10",
	},
	Views: []attention.View{
		{Map: "reconstruction error", Symbol: "‖Δx‖"},
	},
	Options:   reversibleOptions,
	Mixer:     "reformer",
	Doubles:   true,
	Rollout:   message("reversible.rollout"),
	Zeroing:   message("reversible.zeroing"),
	Objective: MaskedWords,
	Defaults: func(c *Config) {
		c.small()
		fill(&c.Norm, PreNorm)
		fill(&c.Act, ReLU)
		fill(&c.Eps, 1e-12)
	},
	New: newReversible,
})

var reversibleOptions = []attention.Option{
	{Name: "memory", Default: "reversible", Values: []string{"reversible", "stored"}},
	{Name: "chunk", Default: "whole"},
}

type reversible struct {
	layers []*layer
	norm   nn.LayerNorm // [2d]
	stored bool
	chunk  int // number of words per chunk; 0: the whole text at once
}

func newReversible(s *nn.Scope, c Config, mixer Builder) (Stack, error) {
	if c.Norm != PreNorm {
		return nil, messages.Errorf("model.reversible", "pre", quote(PreNorm), "given", quote(c.Norm))
	}
	layers, err := newLayers(s, c, mixer)
	if err != nil {
		return nil, err
	}
	chunk, _ := strconv.Atoi(c.option(reversibleOptions, "chunk")) // "whole" gives 0
	return &reversible{
		layers: layers, norm: nn.NewLayerNorm(s.In("norm"), 2*c.Width, c.eps()),
		stored: c.option(reversibleOptions, "memory") == "stored", chunk: chunk,
	}, nil
}

// Apply runs the reversible layers on the embedding e [N,d].
func (r *reversible) Apply(p *nn.Pass, e *ad.Var) *ad.Var {
	e = p.Step("embedded", `X_0`, trace.Activation, e, trace.Token, trace.Channel) // [N,d]
	w := &reversiblePass{stack: r, watched: true, inputs: make([][2]*tensor.T, len(r.layers))}
	couplings := make([]ad.Coupling, len(r.layers))
	for i, l := range r.layers {
		couplings[i] = w.coupling(newLayerPass(p, i), l)
	}
	y1, y2 := w.apply(e, couplings)
	w.watched = false
	if p.Wants("reconstruction error") {
		w.invert(p, y1, y2, couplings)
	}
	return r.norm.Apply(p, ad.Concat(y1, y2)) // [N,2d]
}

// reversiblePass is one forward pass through the layers and, in training, the recomputation during
// the backward pass.
type reversiblePass struct {
	stack   *reversible
	watched bool // the pass is in the forward direction
	passes  []*layerPass
	inputs  [][2]*tensor.T // x₁ and x₂ of each layer, if they are recorded
}

// layerPass is the state that a layer needs to recompute its sublayers.
type layerPass struct {
	layer  int
	pass   *nn.Pass
	seed   uint64 // for the random choices of the layer, if there are any
	replay nn.Replay
}

func newLayerPass(p *nn.Pass, layer int) *layerPass {
	v := &layerPass{layer: layer, pass: p.InLayer(layerName(layer), layer)}
	if p.Rand != nil {
		v.seed = p.Rand.Uint64()
	}
	return v
}

// recompute returns the pass that recomputes the sublayers of a layer with the same random choices.
func (w *reversiblePass) recompute(v *layerPass) *nn.Pass {
	q := v.pass.Replay(&v.replay)
	if q.Rand != nil {
		q.Rand = rand.New(rand.NewPCG(v.seed, uint64(v.layer)))
	}
	if !w.watched {
		q.Run, q.OnMix = nil, nil
	}
	return q
}

// coupling returns a layer as the two functions of a reversible block.
func (w *reversiblePass) coupling(v *layerPass, l *layer) ad.Coupling {
	w.passes = append(w.passes, v)
	f := func(x2 *ad.Var) *ad.Var {
		w.keep(v, 1, x2)
		p := w.within(w.recompute(v), v.layer, l)
		x2 = p.Step("x2", `X_2`, trace.Activation, x2, trace.Token,
			trace.Channel) // [N,d]
		return p.Step("f", `\mathrm{Mix}(\mathrm{LN}(X_2))`, trace.Activation,
			l.mix.Mix(p, p.Step("mixer input", `\mathrm{LN}(X_2)`, trace.Activation, l.mixNorm.Apply(p, x2), trace.Token,
				trace.Channel)), trace.Token, trace.Channel) // [N,d]
	}
	g := func(y1 *ad.Var) *ad.Var {
		p := w.recompute(v)
		if v.layer+1 < len(w.inputs) {
			w.keep(w.passes[v.layer+1], 0, y1)
		}
		y1 = p.Step("y1", `Y_1 = X_1 + \mathrm{Mix}(\mathrm{LN}(X_2))`, trace.Activation, y1, trace.Token,
			trace.Channel) // [N,d]
		return p.Step("g", `\mathrm{FFN}(\mathrm{LN}(Y_1))`, trace.Activation, w.stack.feed(p, l, y1), trace.Token,
			trace.Channel)
	}
	return ad.Coupling{F: f, G: g}
}

// within returns the pass of a layer's mixer with a description of the layer: it has two streams,
// and the second joins the result after the feed-forward sublayer.
func (w *reversiblePass) within(p *nn.Pass, layer int, l *layer) *nn.Pass {
	in := w.inputs[layer]
	if in[0] == nil || in[1] == nil {
		return p
	}
	return p.Within(func() *nn.AfterMixer {
		return &nn.AfterMixer{Inputs: in[:], Rest: func(p *nn.Pass, in []*ad.Var, y *ad.Var) *ad.Var {
			y1 := ad.Add(in[0], y)                                      // [N,d]
			return ad.Concat(y1, ad.Add(in[1], w.stack.feed(p, l, y1))) // [N,2d]
		}}
	})
}

// feed applies the feed-forward sublayer, in chunks of words if the option requires it.
func (r *reversible) feed(p *nn.Pass, l *layer, x *ad.Var) *ad.Var {
	whole := func(x *ad.Var) *ad.Var {
		return l.ffn.Apply(p, p.Step("ffn input", `\mathrm{LN}(Y_1)`, trace.Activation, l.ffnNorm.Apply(p, x), trace.Token,
			trace.Channel))
	}
	if r.chunk == 0 {
		return whole(x)
	}
	return ad.Chunked(x, r.chunk, whole)
}

// keep copies the input of a layer in one of the two streams.
func (w *reversiblePass) keep(v *layerPass, stream int, x *ad.Var) {
	if w.watched && v.pass.Watched() {
		w.inputs[v.layer][stream] = x.Value.Clone()
	}
}

func (w *reversiblePass) apply(e *ad.Var, couplings []ad.Coupling) (y1, y2 *ad.Var) {
	w.keep(w.passes[0], 0, e)
	if p := w.passes[0].pass; !w.stack.stored || p.Brief && p.Tape.Plain() {
		return ad.Reversible(e, e, couplings)
	}
	y1, y2 = e, e
	for _, l := range couplings {
		y1 = ad.Add(y1, l.F(y2)) // [N,d]
		y2 = ad.Add(y2, l.G(y1)) // [N,d]
	}
	return y1, y2
}

// invert computes the layers' inputs from the output and records them and their errors.
func (w *reversiblePass) invert(p *nn.Pass, y1, y2 *ad.Var, couplings []ad.Coupling) {
	batch, n := y1.Dim(0), y1.Dim(-2)
	wrong := tensor.New(batch, len(couplings), n)
	show := func(layer int, name, tex string, x *tensor.T) {
		w.passes[layer].pass.Show(trace.Map{Name: name, Tex: tex, Kind: trace.Activation, Value: x,
			Axes: []trace.Axis{{Role: trace.Token}, {Role: trace.Channel}}})
	}
	show(len(couplings)-1, "y2", `Y_2 = X_2 + \mathrm{FFN}(\mathrm{LN}(Y_1))`, y2.Value)
	ad.Invert(y1, y2, couplings, func(layer int, x1, x2 *tensor.T) {
		show(layer, "x1 again", `Y_1 - \mathrm{Mix}(\mathrm{LN}(\hat X_2))`, x1)
		show(layer, "x2 again", `Y_2 - \mathrm{FFN}(\mathrm{LN}(Y_1))`, x2)
		if layer > 0 {
			show(layer-1, "y2", `Y_2 = X_2 + \mathrm{FFN}(\mathrm{LN}(Y_1))`, w.inputs[layer][1])
		}
		d := x1.Dim(-1)
		for at := range batch * n {
			sum := 0.0
			for stream, x := range []*tensor.T{x1, x2} {
				for f, v := range w.inputs[layer][stream].Data[at*d:][:d] {
					e := float64(x.Data[at*d+f] - v)
					sum += e * e
				}
			}
			wrong.Data[(at/n*len(couplings)+layer)*n+at%n] = tensor.Elem(math.Sqrt(sum))
		}
	})
	p.Show(trace.Map{
		Name: "reconstruction error", Tex: `\lVert \hat X - X \rVert`, Kind: trace.Length, Value: wrong,
		Axes: []trace.Axis{{Role: trace.Layer}, {Role: trace.Token}},
	})
}

// Keeping returns a model with the first layers of m and the same weights, with the given value of
// the option memory. It returns false if the model is not reversible.
func (m *Model) Keeping(memory string, layers int) (*Model, bool) {
	r, ok := m.stack.(*reversible)
	if !ok {
		return nil, false
	}
	other, stack := *m, *r
	stack.stored, stack.layers = memory == "stored", r.layers[:layers]
	other.stack = &stack
	return &other, true
}

package encoder

import (
	"fmt"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Sandwich is the Sandwich Transformer (Press et al. 2020, ACL, fig. 1b). It has the sublayers of
// an encoder, self-attention s and feed-forward f, in another order. With the sandwich coefficient
// k, the order is
//
//	sᵏ (sf)ⁿ⁻ᵏ fᵏ
//
// with n sublayers of each kind; k = 0 is the ordinary encoder. Each sublayer is as in Encoder. The
// numbers of sublayers and of parameters do not depend on the order.
//
// Differences: any mixer can be used. The attention of the authors' code, a LayerNorm after the
// sublayers and ReLU are options. The authors' code keeps the LayerNorms of missing sublayers.
var Sandwich = newStack(StackEntry{
	ID:      "sandwich",
	Formula: `s^k(s\,f)^{n-k}f^k`,
	Cost:    "n·(mixer + O(N·d·inner))",
	Paper: citation.Paper{
		Authors: "Ofir Press, Noah A. Smith, Omer Levy", Year: 2020,
		Title: "Improving Transformer Models by Reordering their Sublayers", Venue: "ACL", ArXiv: "1911.03864",
		Equations: "ACL version, fig. 1, the sandwich coefficient k",
	},
	Views: []attention.View{
		{Map: "sublayers", Symbol: "s, f"},
		{Map: "residual norms", Symbol: "‖x‖"},
		{Map: "sublayer norms", Symbol: "‖Δ‖"},
	},
	Options:   sandwichOptions,
	vary:      describeOrder,
	Rollout:   message("sandwich.rollout"),
	Zeroing:   message("sandwich.zeroing"),
	Objective: MaskedWords,
	Defaults: func(c *Config) {
		c.small()
		fill(&c.Norm, PreNorm)
	},
	New: newSandwich,
})

var sandwichOptions = []attention.Option{
	{Name: "order", Default: "1", Takes: messages.New("option.takes.order"), Check: checkOrder,
		Examples: []string{"0", "ssfsfsff", "s.s.sfsf.f.f"}},
	{Name: "attention", Default: "mixer", Values: []string{"mixer", "span"}},
	{Name: "span", Default: "16", Range: attention.Range{From: 1, To: 512, Step: 1}},
}

// describeOrder fills in the facts for all orders except k = 1.
func describeOrder(c Config, f *Facts) {
	chosen := c.option(sandwichOptions, "order")
	order, err := sublayers(chosen, c.Layers)
	if err != nil || chosen == "1" {
		return
	}
	if _, err := strconv.Atoi(chosen); err != nil {
		f.Formula = strings.Join(strings.Split(order, ""), `\,`)
	}
	f.Summary = message("sandwich.summary-order", "order", order)
}

// longestOrder is the largest number of sublayers in an order.
const longestOrder = 64

// checkOrder rejects a value that is neither a number nor a list of sublayers.
func checkOrder(v string) error {
	if _, err := strconv.Atoi(v); err == nil || v != "" && strings.Trim(v, "sf.") == "" && len(v) <= 2*longestOrder {
		return nil
	}
	return messages.Errorf("option.order", "most", longestOrder)
}

// sublayers returns the letters of an order with n mixers.
func sublayers(order string, n int) (string, error) {
	if k, err := strconv.Atoi(order); err == nil {
		if k < 0 || k > n {
			return "", messages.Errorf("model.coefficient", "given", k, "layers", n)
		}
		return strings.Repeat("s", k) + strings.Repeat("sf", n-k) + strings.Repeat("f", k), nil
	}
	order = strings.ReplaceAll(order, ".", "")
	if s := strings.Count(order, "s"); s != n || len(order) > longestOrder {
		return "", messages.Errorf("model.order", "order", order, "sublayers", len(order), "mixing", s, "layers", n, "most",
			longestOrder)
	}
	return order, nil
}

type sandwich struct {
	order    string // "ssfsff"
	subs     []sub
	norm     nn.LayerNorm // after the last sublayer (pre-norm)
	position Norm
}

// sub is one sublayer: a mixer, or a feed-forward network.
type sub struct {
	number int // from 0, among the sublayers of its kind
	mix    attention.Mixer
	ffn    nn.FeedForward
	norm   nn.LayerNorm
}

func newSandwich(s *nn.Scope, c Config, mixer Builder) (Stack, error) {
	order, err := sublayers(c.option(sandwichOptions, "order"), c.Layers)
	if err != nil {
		return nil, err
	}
	if c.option(sandwichOptions, "attention") == "span" {
		mixer = func(s *nn.Scope, _ attention.Config) (attention.Mixer, error) {
			return newSpanAttention(s, c, c.number(sandwichOptions, "span"))
		}
	}
	w := &sandwich{order: order, position: c.Norm}
	count := map[rune]int{}
	for _, kind := range order {
		l := sub{number: count[kind]}
		count[kind]++
		in := s.In(layerName(l.number))
		if kind == 's' {
			if l.mix, err = mixer(in.In("mixer"), c.Mixer()); err != nil {
				return nil, err
			}
			l.norm = nn.NewLayerNorm(in.In("mixer norm"), c.Width, c.eps())
		} else {
			l.ffn = nn.NewFeedForward(in.In("ffn"), c.Width, c.Inner).With(c.activation())
			l.norm = nn.NewLayerNorm(in.In("ffn norm"), c.Width, c.eps())
		}
		w.subs = append(w.subs, l)
	}
	if c.Norm == PreNorm {
		w.norm = nn.NewLayerNorm(s.In("norm"), c.Width, c.eps())
	}
	return w, nil
}

// Apply runs the sublayers: x [N,d] → [N,d].
func (w *sandwich) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	y, _ := w.Continue(p, x, nil)
	return y
}

// Continuing is a stack whose layers can continue after an earlier block of text.
type Continuing interface {
	Stack
	// Continue is Apply after an earlier block. before is the input of the mixers there, one array [B,span,d] for each
	// mixer that looks back, or nil. Continue returns the same for the next block.
	Continue(p *nn.Pass, x *ad.Var, before []*tensor.T) (y *ad.Var, after []*tensor.T)
}

// Continue implements Continuing, where the attention is span.
func (w *sandwich) Continue(p *nn.Pass, x *ad.Var, before []*tensor.T) (y *ad.Var, after []*tensor.T) {
	var watch stream
	for _, l := range w.subs {
		in, f, kind := p, l.ffn.Apply, feeding
		if l.mix != nil {
			kind = mixing
			in, f = p.InLayer(layerName(l.number), l.number).Within(func() *nn.AfterMixer {
				return aroundMixer(w.position,
					&l.norm, x, nothing)
			}), l.mix.Mix
		}
		if m, ok := l.mix.(*spanAttention); ok && before != nil {
			past := before[len(after)]
			f = func(p *nn.Pass, x *ad.Var) *ad.Var {
				after = append(after, lastRows(past, x.Value))
				return m.mixAfter(p, x, past)
			}
		}
		x = p.Layer(x, func(x *ad.Var) *ad.Var {
			return sublayer(in, x, kind.at(w.position, l.norm), watch.output(p, f)) // [N,d]
		})
		watch.after(p, x)
	}
	watch.show(p, w.order)
	if w.position == PreNorm {
		x = w.norm.Apply(p, x) // [N,d]
	}
	return x, after
}

// nothing returns its input: no further part follows the sublayer.
func nothing(_ *nn.Pass, x *ad.Var) *ad.Var { return x }

// lastRows returns the last rows of past [B,L,d] followed by x [B,N,d], as many as past has.
func lastRows(past, x *tensor.T) *tensor.T {
	out := tensor.New(past.Shape...)
	size, d := past.Dim(1)*past.Dim(2), past.Dim(2)
	for b := range past.Dim(0) {
		both := append(append([]tensor.Elem{}, past.Sub(b).Data...), x.Data[b*x.Dim(1)*d:][:x.Dim(1)*d]...)
		copy(out.Data[b*size:][:size], both[len(both)-size:])
	}
	return out
}

// sublayerKinds are the classes of the map "sublayers".
var sublayerKinds = [...]string{"s: mixes words", "f: thinks about each alone"}

// stream records the residual stream between the sublayers of a watched pass.
type stream struct {
	outputs, states, norms, added []*tensor.T
}

// output returns f with its results recorded.
func (s *stream) output(p *nn.Pass, f func(*nn.Pass, *ad.Var) *ad.Var) func(*nn.Pass, *ad.Var) *ad.Var {
	if !p.Watched() {
		return f
	}
	return func(p *nn.Pass, x *ad.Var) *ad.Var {
		y := f(p, x)
		s.added = append(s.added, rowNorms(y.Value))
		if p.Wants("sublayer outputs") {
			s.outputs = append(s.outputs, y.Value.Clone())
		}
		return y
	}
}

func (s *stream) after(p *nn.Pass, x *ad.Var) {
	if p.Watched() {
		s.norms = append(s.norms, rowNorms(x.Value))
		if p.Wants("residual stream") {
			s.states = append(s.states, x.Value.Clone())
		}
	}
}

// show records the maps of the order and of the residual stream.
func (s *stream) show(p *nn.Pass, order string) {
	if !p.Watched() {
		return
	}
	axis, kinds := trace.Axis{Role: trace.Layer, Name: "sublayer"}, tensor.New(len(order))
	for i, kind := range order {
		axis.Labels = append(axis.Labels, fmt.Sprintf("%d %c", i+1, kind))
		if kind == 'f' {
			kinds.Data[i] = 1
		}
	}
	p.Show(trace.Map{Name: "sublayers", Tex: `s^k (sf)^{n-k} f^k`, Kind: trace.Category, Classes: sublayerKinds[:],
		Value: kinds, Axes: []trace.Axis{axis}})
	between := []trace.Axis{axis, {Role: trace.Token}, {Role: trace.Channel}}
	p.Show(trace.Map{Name: "residual norms", Tex: `\lVert x \rVert_2`, Kind: trace.Length, Value: stacked(s.norms),
		Axes: between[:2]})
	p.Show(trace.Map{Name: "sublayer norms", Tex: `\lVert \mathrm{sublayer}(x) \rVert_2`, Kind: trace.Length,
		Value: stacked(s.added), Axes: between[:2]})
	if p.Wants("sublayer outputs") {
		p.Show(trace.Map{Name: "sublayer outputs", Tex: `\mathrm{sublayer}(x)`, Kind: trace.Activation,
			Value: stacked(s.outputs), Axes: between})
	}
	if p.Wants("residual stream") {
		p.Show(trace.Map{Name: "residual stream", Tex: `x`, Kind: trace.Activation, Value: stacked(s.states), Axes: between})
	}
}

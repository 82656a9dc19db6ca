package encoder

import (
	"fmt"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// ALBERT is "a lite BERT" (Lan et al. 2019, arXiv:1909.11942): the embeddings are narrow, and
// layers share their parameters.
//
//	x = W_E·LN(word + position + segment)        word, position, segment [E], W_E [d,E]
//	layer l of L uses group ⌊l·G/L⌋ of G; a group is I post-norm layers, one after the other
//	masked words: LN(gelu(W·x))·Eᵀ + b with W [E,d];  sentence order: W·tanh(pooler)
//
// gelu is the approximation by tanh, and ε = 10⁻¹². There are (V + P + 2)·E + 2E + E·d + d
// parameters outside the layers, and G·I layers with parameters. The number does not depend on the
// depth.
var ALBERT = newStack(StackEntry{
	ID:      "albert",
	Texts:   pairsLater("albert"),
	Formula: `x = W_E\,\mathrm{LN}(\text{word} + \text{position} + \text{segment}) \quad x \gets \mathrm{Layer}(x) \text{, the same Layer } l \text{ times}`,
	Cost:    "l·(mixer + O(N·d·inner))",
	Paper: citation.Paper{
		Authors: "Zhenzhong Lan, Mingda Chen, Sebastian Goodman, Kevin Gimpel, Piyush Sharma, Radu Soricut", Year: 2020,
		Title: "ALBERT: A Lite BERT for Self-supervised Learning of Language Representations",
		Venue: "ICLR", ArXiv: "1909.11942", Equations: "sec. 3.1, 3.2",
	},
	Options:   albertOptions,
	Widens:    true,
	vary:      describeGroups,
	Objective: MaskedWords,
	Defaults: func(c *Config) {
		c.small()
		fill(&c.Embed, c.Width/4)
		fill(&c.Norm, PostNorm)
		fill(&c.Types, 2)
		fill(&c.Eps, 1e-12)
		fill(&c.Act, GELUTanh)
		if c.Tasks == nil {
			c.Tasks = []Task{SentenceOrder}
		}
	},
	New: newALBERT,
})

var albertOptions = []attention.Option{
	{Name: "groups", Default: "1"},
	{Name: "inner", Default: "1"},
}

// describeGroups fills in the facts about layers that form groups with shared weights.
func describeGroups(c Config, f *Facts) {
	inner := c.number(albertOptions, "inner")
	f.Runs, f.Own = c.Layers*inner, c.number(albertOptions, "groups")*inner
	if f.Shared = f.Own == 1; f.Shared {
		return
	}
	f.Summary = message("albert.summary-groups", "runs", f.Runs, "own", f.Own)
	if f.Runs == f.Own {
		f.Summary = message("albert.summary-own")
	}
	f.Formula = `x = W_E\,\mathrm{LN}(\text{word} + \text{position} + \text{segment}) \quad x \gets \mathrm{Group}_{\lfloor iG/l \rfloor}(x) \text{ for } i = 0, …, l - 1`
}

type albert struct {
	norm   nn.LayerNorm // of the embeddings [E]
	widen  nn.Linear    // [d,E]
	groups [][]*layer
	depth  int
}

func newALBERT(s *nn.Scope, c Config, mixer Builder) (Stack, error) {
	groups, inner := c.number(albertOptions, "groups"), c.number(albertOptions, "inner")
	if groups > c.Layers {
		return nil, messages.Errorf("model.groups", "layers", c.Layers, "groups", groups)
	}
	a := &albert{
		norm: nn.NewLayerNorm(s.In("norm"), c.embed(), c.eps()), widen: nn.NewLinear(s, "embedding", c.embed(), c.Width),
		depth: c.Layers,
	}
	c.Layers = inner
	for g := range groups {
		layers, err := newLayers(s.In(fmt.Sprintf("group %d", g+1)), c, mixer)
		if err != nil {
			return nil, err
		}
		a.groups = append(a.groups, layers)
	}
	return a, nil
}

// Apply runs all layers on x.
func (a *albert) Apply(p *nn.Pass, x *ad.Var) *ad.Var { return a.ApplyAt(p, x, nil) }

// ApplyAt computes the last layer's feed-forward network only for the rows in at; nil means all rows.
func (a *albert) ApplyAt(p *nn.Pass, x *ad.Var, at []int) *ad.Var {
	x = a.widen.Apply(p, a.norm.Apply(p, x)) // [N,d]
	showEmbedded(p, x)
	for l := range a.depth {
		group := a.groups[l*len(a.groups)/a.depth]
		for i, layer := range group {
			var rows []int
			if l == a.depth-1 && i == len(group)-1 {
				rows = at
			}
			number := l*len(group) + i
			x = p.Layer(x, func(x *ad.Var) *ad.Var {
				return layer.applyAt(p.InLayer(layerName(number), number), x, rows) // [N,d], at last [M,d]
			})
		}
	}
	return x
}

package encoder

import (
	"fmt"
	"strconv"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Universal is the Universal Transformer (Dehghani et al. 2018, arXiv:1807.03819, sec. 2). One
// layer, with the same weights at every step, is applied again and again, and every word can halt
// on its own (see Halting):
//
//	s_t = f(s_{t−1} + P_t)                                            (eq. 4, 5)
//	P_t[i,2j] = sin(i/10000^(2j/d)) + sin(t/10000^(2j/d)),  2j+1: cos (eq. 6, 7)
//
// f is a layer as in Encoder. Parameters: one layer's, and d + 1 for halting.
//
// Differences: the layer is pre-norm, as in the authors' tensor2tensor, unless the configuration
// says post. As there, steps count from 0 in P. Embeddings are drawn small here and therefore
// scaled to a standard deviation of 1, with which tensor2tensor draws them. Otherwise they would be
// negligible next to the sinusoids. Any mixer can be used.
var Universal = newStack(StackEntry{
	ID:      "universal",
	Formula: `s_t = \mathrm{Layer}(s_{t-1} + P_t) \quad p_t = \sigma(w_p \cdot (s_{t-1} + P_t) + b_p) \text{ until } \sum_t p_t > 1 - \epsilon`,
	Cost:    "T·(mixer + O(N·d·inner)), T ≤ l",
	Paper: citation.Paper{
		Authors: "Mostafa Dehghani, Stephan Gouws, Oriol Vinyals, Jakob Uszkoreit, Łukasz Kaiser", Year: 2019,
		Title: "Universal Transformers", Venue: "ICLR", ArXiv: "1807.03819", Equations: "sec. 2.1, eq. 4–7; sec. 2.2",
	},
	Views: []attention.View{
		{Map: "running", Symbol: "t ≤ n"},
		{Map: "updates", Symbol: "n"},
		{Map: "halting", Symbol: "p"},
		{Map: "cumulated halting", Symbol: "h"},
		{Map: "remainders", Symbol: "R"},
		{Map: "update weights", Symbol: "w"},
		{Map: "effective weights", Symbol: "ŵ"},
		{Map: "state norms", Symbol: "‖s‖"},
	},
	Options:   universalOptions,
	vary:      describeSteps,
	Rollout:   message("universal.rollout"),
	Objective: MaskedWords,
	Defaults: func(c *Config) {
		fill(&c.Layers, 6)
		c.small()
		fill(&c.Norm, PreNorm)
		fill(&c.Positions, NoPositions)
		if c.Options == nil {
			c.Options = map[string]string{"ponder": "0.001"} // at 0.01, nearly all words halt after one step
		}
	},
	New: newUniversal,
})

// takesShare is the text for Option.Takes of options that checkShare checks.
var takesShare = messages.New("option.takes.share")

var universalOptions = []attention.Option{
	{Name: "halting", Default: string(Basic), Values: []string{string(Basic), string(Accumulated), string(Global),
		fixedDepth}},
	{Name: "threshold", Default: "0.99", Takes: takesShare, Check: checkShare, Examples: []string{"0", "0.5", "1"}},
	{Name: "ponder", Default: "0.01", Takes: takesShare, Check: checkShare, Examples: []string{"0", "0.1"}},
	{Name: "signal", Default: string(Sinusoidal),
		Values: []string{string(Sinusoidal), string(SinusoidalHalves), string(NoPositions)}},
	{Name: "transition", Default: "feed-forward", Values: []string{"feed-forward", "convolution", "convolution-before"}},
	{Name: "normalisation", Default: "variance", Values: []string{"variance", "deviation"}},
	{Name: "input", Default: "unit", Values: []string{"unit", "embeddings", "projected"}},
	{Name: "output", Default: "normalised", Values: []string{"normalised", "state"}},
}

// fixedDepth is the value of halting without adaptive computation.
const fixedDepth = "none"

// describeSteps fills in the facts about one shared layer, for any value of halting and signal.
func describeSteps(c Config, f *Facts) {
	f.Own, f.Shared = 1, true
	state, rule := `s_{t-1} + P_t`, Rule(c.option(universalOptions, "halting"))
	f.Halts = rule != fixedDepth
	if c.option(universalOptions, "signal") == string(NoPositions) {
		state = `s_{t-1}`
	} else if rule != Global && rule != fixedDepth {
		return
	}
	step, chance := `s_t = \mathrm{Layer}(`+state+`)`, `\sigma(w_p \cdot (`+state+`) + b_p)`
	switch rule {
	case fixedDepth:
		f.Summary = message("universal.summary-fixed")
		f.Formula = step + ` \text{ for } t = 1, …, l`
		return
	case Global:
		f.Summary = message("universal.summary-global")
		chance = `\frac{1}{N} \sum_i ` + chance
	}
	f.Formula = step + ` \quad p_t = ` + chance + ` \text{ until } \sum_t p_t > 1 - \epsilon`
}

// checkShare rejects a value that is not a number from 0 to 1.
func checkShare(v string) error {
	if x, err := strconv.ParseFloat(v, 64); err != nil || !(x >= 0 && x <= 1) {
		return messages.Errorf("option.share")
	}
	return nil
}

type universal struct {
	scale ad.Elem   // factor of the embeddings
	input *nn.Param // [d,d]; nil: none
	steps *Recurrence
	norm  *nn.LayerNorm // at the end (pre-norm); nil: none
}

func newUniversal(s *nn.Scope, c Config, mixer Builder) (Stack, error) {
	layer, err := newTransition(s.In("transition"), c, mixer)
	if err != nil {
		return nil, err
	}
	u := &universal{scale: 1, steps: &Recurrence{Transition: layer, Steps: c.Layers, Signal: c.signal()}}
	switch c.option(universalOptions, "input") {
	case "unit":
		u.scale = 1 / nn.Std
	case "projected":
		u.input = s.Param("W_input", nn.Normal(nn.Std), c.Width, c.Width)
	}
	if rule := c.option(universalOptions, "halting"); rule != fixedDepth {
		h := NewHalting(s.In("halting"), c.Width)
		h.Rule, h.Threshold, h.Cost = Rule(rule), c.share("threshold"), c.share("ponder")
		u.steps.Halting = h
	}
	if c.Norm == PreNorm && c.option(universalOptions, "output") == "normalised" {
		norm := c.universalNorm(s.In("norm"))
		u.norm = &norm
	}
	return u, nil
}

// share returns the value of an option that is a number from 0 to 1.
func (c Config) share(name string) float64 {
	x, err := strconv.ParseFloat(c.option(universalOptions, name), 64)
	if err != nil {
		panic(fmt.Sprintf("encoder: option %s is not a number: %v", name, err)) // checkShare has checked it
	}
	return x
}

func (c Config) signal() func(*nn.Pass, *ad.Var, int) *ad.Var {
	switch most := max(c.Farthest(), c.Layers); Positions(c.option(universalOptions, "signal")) {
	case Sinusoidal:
		return waveSignal(c.waves(Sinusoids, most, c.Width))
	case SinusoidalHalves:
		return waveSignal(c.waves(SinusoidHalves, most, c.Width))
	}
	return nil
}

func (c Config) universalNorm(s *nn.Scope) nn.LayerNorm {
	l := nn.NewLayerNorm(s, c.Width, c.eps())
	if c.option(universalOptions, "normalisation") == "deviation" {
		l.Formula = ad.DeviationNorm
	}
	return l
}

// Apply runs the steps: x [N,d] → [N,d].
func (u *universal) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	if u.scale != 1 {
		x = ad.Scale(x, u.scale) // [N,d]
	}
	if u.input != nil {
		x = ad.Linear(x, p.Use(u.input), nil) // [N,d]
	}
	x = u.steps.Apply(p, x) // [N,d]
	if u.norm != nil {
		x = u.norm.Apply(p, x) // [N,d]
	}
	return x
}

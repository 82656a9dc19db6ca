package encoder

import (
	"fmt"
	"strconv"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Universal is the Universal Transformer (Dehghani et al. 2018, arXiv:1807.03819, sec. 2): one
// layer, whose weights serve every step, is applied again and again, and every word may
// stop when it is done (see Halting):
//
//	s_t = f(s_{t−1} + P_t)                                            (eq. 4, 5)
//	P_t[i,2j] = sin(i/10000^(2j/d)) + sin(t/10000^(2j/d)),  2j+1: cos (eq. 6, 7)
//
// f is a layer as in Encoder. Parameters: those of one layer, and d + 1 for halting.
//
// Differences: the layer is pre-norm, as in the authors' tensor2tensor, unless the
// configuration says post; steps count from 0 in P, as there. Embeddings, which are drawn
// small here, are enlarged to a deviation of 1, which is what they are drawn with there:
// beside the waves they would be nothing. The mixer is any.
var Universal = StackEntry{
	ID:      "universal",
	Name:    "Universal",
	Summary: "One layer is used again and again, and every word decides how often it needs it.",
	Formula: `s_t = \mathrm{Layer}(s_{t-1} + P_t) \quad p_t = \sigma(w_p \cdot (s_{t-1} + P_t) + b_p) \text{ until } \sum_t p_t > 1 - \epsilon`,
	Cost:    "T·(mixer + O(N·d·inner)), T ≤ l",
	Paper: attention.Paper{
		Authors: "Dehghani, Gouws, Vinyals, Uszkoreit, Kaiser", Year: 2019,
		Title: "Universal Transformers", Venue: "ICLR", ArXiv: "1807.03819", Equations: "sec. 2.1, eq. 4–7; sec. 2.2",
	},
	Differences: []string{
		"How steps become the output is not as Graves defines it: y ← w·s + (1 − w)·y, as in the authors’ tensor2tensor, so that the weights of a word’s steps need not sum to 1. halting = accumulated gives Graves’ sum.",
		"A word that has not halted at the last step gets no remainder, as in that code; Graves’ definition gives it whatever is left.",
		"The paper says that the state of a halted word is copied on. In the code it goes on changing, and others read it; only its output stands still. So it is here.",
		"The layer is pre-norm and steps count from 0 in the signal, as in that code; the paper’s is post-norm and counts from 1.",
		"A step costs 0.001 instead of the authors’ 0.01, at which nearly all words of so small a model stop after one step. It has up to 6 steps of width 64.",
	},
	Views: []attention.View{
		{Map: "running", Symbol: "t ≤ n", Caption: "what the column's word does at the row's step"},
		{Map: "updates", Symbol: "n", Caption: "how many steps the word took"},
		{Map: "halting", Symbol: "p", Caption: "how much of its time the column's word uses up at the row's step"},
		{Map: "cumulated halting", Symbol: "h", Caption: "how much of its time the column's word has used up after the row's step; at 1 it has halted"},
		{Map: "remainders", Symbol: "R", Caption: "what was left of the word's time when it halted: the weight of its last step; 0 where it never halted"},
		{Map: "update weights", Symbol: "w", Caption: "the weight with which the row's step goes into the output of the column's word"},
		{Map: "effective weights", Symbol: "ŵ", Caption: "how much of the row's step is left in the output of the column's word"},
		{Map: "state norms", Symbol: "‖s‖", Caption: "how long the column's word's vector is after the row's step"},
	},
	Knobs:     universalKnobs,
	vary:      describeSteps,
	Rollout:   "Rollout takes steps for layers of all words alike, also of words that have halted.",
	Objective: MaskedWords,
	Defaults: func(c *Config) {
		fill(&c.Layers, 6)
		c.small()
		fill(&c.Norm, PreNorm)
		fill(&c.Positions, NoPositions)
		if c.Options == nil {
			c.Options = map[string]string{"ponder": "0.001"} // at the authors' 0.01 nearly all words stop after one step
		}
	},
	New: newUniversal,
}

var universalKnobs = []attention.Knob{
	{Name: "halting", Default: string(Basic), Values: []string{string(Basic), string(Accumulated), string(Global), fixedDepth},
		Help: "How steps become the output: each step overwrites its share (basic), their shares add up (accumulated, Graves 2016), one decision for the whole text (global), in which later words have a say even under a causal mask, or every word takes all steps (none)."},
	{Name: "threshold", Default: "0.99", Takes: "a number from 0 to 1", Check: checkShare, Examples: []string{"0", "0.5", "1"}, Help: "How much of its time a word may use up before it halts: 1 − ε."},
	{Name: "ponder", Default: "0.01", Takes: "a number from 0 to 1", Check: checkShare, Examples: []string{"0", "0.1"}, Help: "What a step costs in training."},
	{Name: "signal", Default: string(Sinusoidal), Values: []string{string(Sinusoidal), string(SinusoidalHalves), string(NoPositions)},
		Help: "What is added before every step, for its number and the positions: the paper's waves, those of tensor2tensor, or nothing."},
	{Name: "transition", Default: "feed-forward", Values: []string{"feed-forward", "convolution", "convolution-before"},
		Help: "What follows the mixer: a feed-forward network, or two convolutions of three words: around each, even where a mask forbids to read ahead, or before it."},
	{Name: "normalisation", Default: "variance", Values: []string{"variance", "deviation"},
		Help: "What LayerNorm divides by: √(variance + ε), or the deviation of a sample, plus ε."},
	{Name: "input", Default: "unit", Values: []string{"unit", "embeddings", "projected"},
		Help: "What the first step reads: the embeddings enlarged to the size of the waves, as they are, or a projection of them."},
	{Name: "output", Default: "normalised", Values: []string{"normalised", "state"},
		Help: "What a pre-norm model gives: the result of its steps after one more LayerNorm, or as it is."},
}

// fixedDepth is the value of halting without adaptive computation.
const fixedDepth = "none"

// describeSteps fills in the facts of one shared layer, with any halting and signal.
func describeSteps(c Config, f *Facts) {
	f.Own, f.Shared = 1, true
	state, rule := `s_{t-1} + P_t`, Rule(c.option(universalKnobs, "halting"))
	if c.option(universalKnobs, "signal") == string(NoPositions) {
		state = `s_{t-1}`
	} else if rule != Global && rule != fixedDepth {
		return
	}
	step, chance := `s_t = \mathrm{Layer}(`+state+`)`, `\sigma(w_p \cdot (`+state+`) + b_p)`
	switch rule {
	case fixedDepth:
		f.Summary = "One layer is used again and again, as often for every word."
		f.Formula = step + ` \text{ for } t = 1, …, l`
		return
	case Global:
		f.Summary = "One layer is used again and again, and the words decide together how often."
		chance = `\frac{1}{N} \sum_i ` + chance
	}
	f.Formula = step + ` \quad p_t = ` + chance + ` \text{ until } \sum_t p_t > 1 - \epsilon`
}

// checkShare refuses what is not a number from 0 to 1.
func checkShare(v string) error {
	if x, err := strconv.ParseFloat(v, 64); err != nil || !(x >= 0 && x <= 1) {
		return messages.Errorf("option.share")
	}
	return nil
}

type universal struct {
	scale ad.Elem   // of the embeddings
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
	switch c.option(universalKnobs, "input") {
	case "unit":
		u.scale = 1 / nn.Std
	case "projected":
		u.input = s.Param("W_input", nn.Normal(nn.Std), c.Width, c.Width)
	}
	if rule := c.option(universalKnobs, "halting"); rule != fixedDepth {
		h := NewHalting(s.In("halting"), c.Width)
		h.Rule, h.Threshold, h.Cost = Rule(rule), c.share("threshold"), c.share("ponder")
		u.steps.Halting = h
	}
	if c.Norm == PreNorm && c.option(universalKnobs, "output") == "normalised" {
		norm := c.universalNorm(s.In("norm"))
		u.norm = &norm
	}
	return u, nil
}

// share is the value of an option that is a number from 0 to 1.
func (c Config) share(name string) float64 {
	x, err := strconv.ParseFloat(c.option(universalKnobs, name), 64)
	if err != nil {
		panic(fmt.Sprintf("encoder: option %s is not a number: %v", name, err)) // checkShare has let it pass
	}
	return x
}

func (c Config) signal() func(*nn.Pass, *ad.Var, int) *ad.Var {
	switch most := max(c.Length, c.Layers); Positions(c.option(universalKnobs, "signal")) {
	case Sinusoidal:
		return waveSignal(Sinusoids(most, c.Width))
	case SinusoidalHalves:
		return waveSignal(SinusoidHalves(most, c.Width))
	}
	return nil
}

func (c Config) universalNorm(s *nn.Scope) nn.LayerNorm {
	l := nn.NewLayerNorm(s, c.Width, c.eps())
	if c.option(universalKnobs, "normalisation") == "deviation" {
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

package encoder

import (
	"attnatlas/engine/attention"
)

// GPT2 is the decoder of Radford et al. (2019): a pre-norm stack in which nobody
// reads what comes later, so that every position can guess the next word.
//
//	x = word + position
//	x += Mix(LN(x)), causal;  x += W₂·gelu(W₁·LN(x));  h = LN(x)
//	next word: h·Eᵀ
//
// gelu is the approximation by tanh, ε = 10⁻⁵; the head has no bias. Parameters:
// (V + P)·d + 2d, and 12d² + 13d for a layer with dot product and inner = 4d.
//
// Differences: queries, keys and values are three projections instead of one of
// three times the width, which is the same.
var GPT2 = newStack(StackEntry{
	ID:      "gpt2",
	Formula: `x \gets x + \mathrm{Mix}(\mathrm{LN}(x)) \text{ over } j \le i \quad x \gets x + \mathrm{FFN}(\mathrm{LN}(x)) \quad P(\text{next}) = \mathrm{softmax}(E\,\mathrm{LN}(x))`,
	Cost:    "l·(mixer + O(N·d·inner))",
	Paper: attention.Paper{
		Authors: "Alec Radford, Jeffrey Wu, Rewon Child, David Luan, Dario Amodei, Ilya Sutskever", Year: 2019,
		Title: "Language Models are Unsupervised Multitask Learners", Venue: "OpenAI", Equations: "sec. 2.3",
	},
	vary: func(c Config, f *Facts) {
		if c.Norm == PostNorm {
			f.Formula = `x \gets \mathrm{LN}(x + \mathrm{Mix}(x)) \text{ over } j \le i \quad x \gets \mathrm{LN}(x + \mathrm{FFN}(x)) \quad P(\text{next}) = \mathrm{softmax}(E\,x)`
		}
	},
	Objective: NextWord,
	Defaults: func(c *Config) {
		c.small()
		fill(&c.Norm, PreNorm)
		fill(&c.Act, GELUTanh)
	},
	New: Encoder.New,
})

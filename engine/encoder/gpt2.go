package encoder

import (
	"attnatlas/engine/citation"
)

// GPT2 is the decoder of Radford et al. (2019): a pre-norm stack in which no position attends to
// later ones, so that every position can predict the next word.
//
//	x = word + position
//	x += Mix(LN(x)), causal;  x += W₂·gelu(W₁·LN(x));  h = LN(x)
//	next word: h·Eᵀ
//
// gelu is the approximation by tanh, and ε = 10⁻⁵. The head has no bias. There are (V + P)·d + 2d
// parameters outside the layers, and 12d² + 13d in a layer with dot product and inner = 4d.
//
// Differences: queries, keys and values are three projections instead of one with three times the
// width. The results are the same.
var GPT2 = newStack(StackEntry{
	ID:      "gpt2",
	Formula: `x \gets x + \mathrm{Mix}(\mathrm{LN}(x)) \text{ over } j \le i \quad x \gets x + \mathrm{FFN}(\mathrm{LN}(x)) \quad P(\text{next}) = \mathrm{softmax}(E\,\mathrm{LN}(x))`,
	Cost:    "l·(mixer + O(N·d·inner))",
	Paper: citation.Paper{
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

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
var GPT2 = StackEntry{
	ID:      "gpt2",
	Name:    "GPT-2",
	Summary: "Reads only backwards, so every word is a guess at the next one.",
	Formula: `x \gets x + \mathrm{Mix}(\mathrm{LN}(x)) \text{ over } j \le i \quad x \gets x + \mathrm{FFN}(\mathrm{LN}(x)) \quad P(\text{next}) = \mathrm{softmax}(E\,\mathrm{LN}(x))`,
	Cost:    "l·(mixer + O(N·d·inner))",
	Paper: attention.Paper{
		Authors: "Radford, Wu, Child, Luan, Amodei, Sutskever", Year: 2019,
		Title: "Language Models are Unsupervised Multitask Learners", Venue: "OpenAI", Equations: "sec. 2.3",
	},
	Differences: []string{
		"Queries, keys and values are three projections instead of one of three times the width, which is the same.",
		"The paper says nothing of it, but the released code takes GELU in its approximation by tanh; so does this one.",
		"The shipped model has 4 layers of width 64 and 64 positions; the smallest GPT-2 has 12 of 768 and 1024.",
		"A text begins with [CLS] and ends with [SEP], which the next word is guessed after and up to; words are pieces of this program’s own vocabulary, not bytes. Weights of the residual layers do not start smaller with depth, and there is no dropout.",
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
}

package encoder

import (
	"attnatlas/engine/citation"
	"attnatlas/engine/nn"
)

// BERT is the encoder of Devlin et al. (2018, arXiv:1810.04805): post-norm layers over the sum of
// three embeddings.
//
//	x = LN(word + position + segment)
//	x = LN(x + Mix(x));  x = LN(x + W₂·gelu(W₁·x))
//	pooler: tanh(W·x_[CLS]);  masked words: LN(gelu(W·x))·Eᵀ + b;  next sentence: W·pooler
//
// gelu is exact, and ε = 10⁻¹². There are (V + P + 2)·d + 2d parameters in the embeddings, and 4d²
// + 4d + 2·d·inner + inner + d + 4d in a layer with dot product.
var BERT = newStack(StackEntry{
	ID:      "bert",
	Texts:   pairsLater("bert"),
	Formula: `x = \mathrm{LN}(\text{word} + \text{position} + \text{segment}) \quad x \gets \mathrm{LN}(x + \mathrm{Mix}(x)) \quad x \gets \mathrm{LN}(x + \mathrm{FFN}(x))`,
	Cost:    "l·(mixer + O(N·d·inner))",
	Paper: citation.Paper{
		Authors: "Jacob Devlin, Ming-Wei Chang, Kenton Lee, Kristina Toutanova", Year: 2019,
		Title: "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
		Venue: "NAACL", ArXiv: "1810.04805", Equations: "sec. 3.1, fig. 2",
	},
	vary: func(c Config, f *Facts) {
		if c.Norm == PreNorm {
			f.Formula = `x = \text{word} + \text{position} + \text{segment} \quad x \gets x + \mathrm{Mix}(\mathrm{LN}(x)) \quad x \gets x + \mathrm{FFN}(\mathrm{LN}(x))`
		}
	},
	Objective: MaskedWords,
	Defaults: func(c *Config) {
		c.small()
		fill(&c.Norm, PostNorm)
		fill(&c.Types, 2)
		fill(&c.Eps, 1e-12)
		fill(&c.Act, GELU)
		if c.Tasks == nil {
			c.Tasks = []Task{NextSentence}
		}
	},
	New: newBERT,
})

// newBERT is Encoder with post-norm, which normalises the embeddings first.
func newBERT(s *nn.Scope, c Config, mixer Builder) (Stack, error) { return Encoder.New(s, c, mixer) }

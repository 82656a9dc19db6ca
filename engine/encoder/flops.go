package encoder

import "attnatlas/engine/attention"

// FLOPs is the number of multiplications and additions of a forward pass over a text of n
// tokens, of which so many are guessed, in matrix products and what replaces them, as
// attention.Entry.FLOPs counts them. Classifiers are not counted. Universal is counted with
// all its steps; an encoder–decoder reads n tokens and writes n.
func (c Config) FLOPs(n, guessed int) int {
	stack, ok := FindStack(c.Stack)
	mixer, known := attention.Find(c.Mechanism)
	if !ok || !known {
		return 0
	}
	d, e := c.Width, c.embed()
	layer := mixer.FLOPs(c.Mixer(), n) + 4*n*d*c.Inner
	all := stack.Describe(c).Runs * layer
	if stack.ID == EncoderDecoder.ID {
		all += c.decoderLayers() * (layer + attention.DotProduct.FLOPs(c.Mixer(), n)) // Cross
	}
	if stack.Widens {
		all += 2 * n * e * d
	}
	if (c.Objective != NextWord || c.output() != e) && stack.ID != EncoderDecoder.ID {
		all += 2 * guessed * c.output() * e // wordHead.guess
	}
	return all + 2*guessed*e*c.Vocab
}

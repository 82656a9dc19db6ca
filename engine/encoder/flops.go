package encoder

import "attnatlas/engine/attention"

// FLOPs returns the number of multiplications and additions in the matrix products of a forward
// pass and in the operations that replace them, as in attention.Entry.FLOPs. n is the number of
// tokens, and guessed the number of predicted ones. Classifiers are not counted. Universal is
// counted with all its steps. An encoder–decoder reads n tokens and writes n.
func (c Config) FLOPs(n, guessed int) int64 {
	stack, ok := FindStack(c.Stack)
	mixer, known := attention.Find(c.Mechanism)
	if !ok || !known {
		return 0
	}
	words, last, d, e := int64(n), int64(guessed), int64(c.Width), int64(c.embed())
	layer := mixer.FLOPs(c.Mixer(), n) + 4*words*d*int64(c.Inner)
	all := int64(stack.Describe(c).Runs) * layer
	if stack.ID == EncoderDecoder.ID {
		all += int64(c.decoderLayers()) * (layer + attention.DotProduct.FLOPs(c.Mixer(), n)) // Cross
	}
	if stack.Widens {
		all += 2 * words * e * d
	}
	if (c.Objective != NextWord || int64(c.output()) != e) && stack.ID != EncoderDecoder.ID {
		all += 2 * last * int64(c.output()) * e // wordHead.guess
	}
	return all + 2*last*e*int64(c.Vocab)
}

// RestFLOPs estimates the operations of a layer per position without its mixer, in squares of its width.
const RestFLOPs = 24

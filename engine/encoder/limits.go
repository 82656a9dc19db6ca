package encoder

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
)

// Limits on what a configuration asks for, all of its sizes together: a model is refused before
// anything is allocated for it, and so is one that would be at a single text for minutes.
const (
	mostLayers  = 1000    // of one set of weights
	mostWaves   = 1 << 26 // numbers in a table of waves
	mostNumbers = 1 << 28 // of all parameters: 1 GiB
	mostPairs   = 1 << 24 // numbers in the weights of all layers at the longest text
	mostWork    = 1 << 36 // products for the longest text
	leastLength = 3       // [CLS], a word and [SEP]
)

// Affordable says which of its sizes make a model larger than one that can be trained or run.
func (c Config) Affordable() error {
	switch {
	case c.Layers > mostLayers:
		return messages.Errorf("model.layers", "layers", c.Layers, "most", mostLayers)
	case c.Width > 0 && c.Length > mostWaves/c.Width:
		return messages.Errorf("model.large", "length", c.Length, "width", c.Width)
	case c.numbers() > mostNumbers:
		return messages.Errorf("model.numbers", "layers", c.Layers, "width", c.Width, "inner", c.Inner, "vocab", c.Vocab,
			"most", mostNumbers)
	}
	return nil
}

// numbers is about how many numbers the parameters have beside those of the mixers' options.
func (c Config) numbers() float64 {
	width, inner, rows := float64(c.Width), float64(c.Inner), float64(c.Vocab)+float64(c.Length)+float64(c.Types)
	return float64(c.Layers)*width*(4*width+2*inner) + rows*float64(c.embed())
}

// answerable says which of its sizes make a model, whose options are known to be right, read no
// text, or take too long or too much memory for the longest one.
func (c Config) answerable() error {
	if c.Length < leastLength {
		return messages.Errorf("model.short", "length", c.Length, "least", leastLength)
	}
	runs := float64(c.Layers)
	if stack, ok := FindStack(c.Stack); ok {
		runs = float64(stack.Describe(c).Runs)
	}
	writes := 1.0
	if c.Stack == EncoderDecoder.ID { // every word is written after all others
		runs, writes = runs+2*float64(c.decoderLayers()), float64(c.Length)
	}
	length, width, work := float64(c.Length), float64(c.Width), float64(c.Length)*float64(c.Vocab)*float64(c.embed())
	if mixer, ok := attention.Find(c.Mechanism); ok {
		work += runs * (float64(mixer.FLOPs(c.Mixer(), c.Length)) + length*width*2*float64(c.Inner))
	}
	if runs*float64(c.Heads)*length*length > mostPairs || work*writes > mostWork {
		return messages.Errorf("model.work", "layers", int(runs), "width", c.Width, "heads", c.Heads, "length", c.Length)
	}
	return nil
}

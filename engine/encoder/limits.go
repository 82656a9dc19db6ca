package encoder

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
)

// Limits on all sizes of a configuration together. A model that exceeds them is rejected before anything is
// allocated. So is a model that would take minutes for a single text.
const (
	mostLayers  = 1000    // layers with their own weights
	mostWaves   = 1 << 26 // numbers in a table of sinusoids
	mostNumbers = 1 << 28 // elements of all parameters: 1 GiB
	mostPairs   = 1 << 24 // attention weights of all layers at the longest text
	mostWork    = 1 << 36 // multiplications for the longest text
	leastLength = 3       // [CLS], a word and [SEP]
)

// Affordable reports which sizes make a model too large to train or run.
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

// numbers estimates the number of parameters, except the parameters that the mixers' options add.
func (c Config) numbers() float64 {
	width, inner, rows := float64(c.Width), float64(c.Inner), float64(c.Vocab)+float64(c.Length)+float64(c.Types)
	return float64(c.Layers)*width*(4*width+2*inner) + rows*float64(c.embed())
}

// answerable reports which sizes make a model with valid options unable to read a text, or make the longest text take
// too long or too much memory.
func (c Config) answerable() error {
	if c.Length < leastLength {
		return messages.Errorf("model.short", "length", c.Length, "least", leastLength)
	}
	runs := float64(c.Layers)
	if stack, ok := FindStack(c.Stack); ok {
		runs = float64(stack.Describe(c).Runs)
	}
	writes := 1.0
	if c.Stack == EncoderDecoder.ID { // each word is written in a separate pass
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

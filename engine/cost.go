package engine

import (
	"unsafe"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tensor"
)

// Cost is about what the answer to a request takes, from above.
type Cost struct {
	Operations float64 // of arithmetic
	Bytes      int64   // that the report holds
}

// Cost estimates what Inspect would take for a request, without running anything. What no
// model answers costs nothing.
func (e *Engine) Cost(r Request) Cost {
	if len(r.Text) > MaxTextBytes {
		return Cost{}
	}
	tokens, _ := Tokens(e.vocab, r.Text)
	ids := r.Mechanisms
	if len(ids) == 0 {
		ids = Default[:]
	}
	var all Cost
	for _, id := range ids {
		one := e.costOf(id, len(tokens), r)
		all.Operations += one.Operations
		all.Bytes += one.Bytes
	}
	return all
}

// costOf is that of one mechanism for n tokens.
func (e *Engine) costOf(id string, n int, r Request) Cost {
	entry, stack, ok := Find(id)
	if !ok {
		return Cost{}
	}
	info, err := e.Info(id)
	if err != nil || n > info.Longest {
		return Cost{}
	}
	c := attention.Config{Width: info.Width, Heads: info.Heads, Length: info.Length, Options: info.MixerOptions}
	mix, d := float64(entry.FLOPs(c, n)), float64(info.Width)
	maps, layers := len(entry.Views), float64(info.Layers)
	cost := Cost{Operations: layers * (mix + feedForward*float64(n)*d*d)}
	if stack != nil {
		maps += len(stack.Views)
		if stack.ID == encoder.EncoderDecoder.ID { // each word that is written takes a pass; three parts show maps, and rollout
			cost.Operations *= float64(1 + info.Length)
			maps *= 4
			n = info.Length
		}
	}
	if r.Influence > 0 {
		cost.Operations += mix * float64(n) * d
		maps++
	}
	if r.Rollout {
		maps++
	}
	side := int64(max(n, leastSide))
	cost.Bytes = int64(layers) * int64(maps) * int64(info.Heads) * side * side * int64(unsafe.Sizeof(tensor.Elem(0)))
	return cost
}

// leastSide is that of a map of few words: it may have other axes than words.
const leastSide = 32

// feedForward is about how many operations the rest of a layer takes for each position, in
// squares of its width.
const feedForward = 24

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
	if r.Race.asked() {
		return e.raceCost(r, all.Operations)
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
	c := MixerOf(info)
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
		work := workOf(entry, c, r.Exact)
		cost.Operations += work.operations(n, work.directions(n))
		maps++
	}
	if r.Rollout {
		maps++
	}
	cost.Operations += cutsWork(info, n, len(r.Cuts.Of(id)))
	if entry.Table != nil && (r.Change.Rank != 0 || r.Change.Spectra) {
		cost.Operations += tableWork(info, n)
	}
	running := int64(0)
	if entry.Running && r.Running != (Place{}) {
		cost.Operations *= 2 // a pass of its own
		running = int64(n) * int64(c.HeadWidth()) * int64(c.HeadWidth()+4) * int64(unsafe.Sizeof(tensor.Elem(0)))
	}
	of := attributionOf(entry, c, r, n)
	cost.Operations += of.work
	maps += of.maps
	side := int64(max(n, leastSide))
	cost.Bytes = int64(layers) * int64(maps) * int64(info.Heads) * side * side * int64(unsafe.Sizeof(tensor.Elem(0)))
	cost.Bytes += running
	return cost
}

// leastSide is that of a map of few words: it may have other axes than words.
const leastSide = 32

// feedForward is about how many operations the rest of a layer takes for each position, in
// squares of its width.
const feedForward = 24

// attribution is what attribution methods add to an answer.
type attribution struct {
	work float64 // operations
	maps int     // of every layer, at most
}

func attributionOf(entry *attention.Entry, c attention.Config, r Request, n int) (a attribution) {
	if r.Zeroing > 0 {
		a.work, a.maps = a.work+float64(r.Zeroing)*zeroingWork(entry, c, n), a.maps+4
	}
	if r.Norms > 0 {
		a.work, a.maps = a.work+normsWork(c, n), a.maps+6
	}
	if r.Flow > 0 {
		a.work, a.maps = a.work+flowWork(r.Flow, n), a.maps+1
	}
	return a
}

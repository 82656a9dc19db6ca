package engine

import (
	"cmp"
	"strconv"
	"unsafe"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/headstats"
	"attnatlas/engine/method"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
)

// Cost is an upper estimate of what the answer to a request takes.
type Cost struct {
	Operations float64 // arithmetic operations
	Bytes      int64   // of the report and of the largest pass for it
}

// Cost estimates what Inspect takes for a request, without running anything. Requests that no model answers cost
// nothing.
func (e *Engine) Cost(r Request) Cost {
	if len(r.Text) > MaxTextBytes {
		return Cost{}
	}
	tokens := e.vocab.Count(r.Text)
	ids := r.Mechanisms
	if len(ids) == 0 {
		ids = Default[:]
	}
	var all Cost
	largest := int64(0)
	for _, id := range ids {
		one := e.costOf(id, tokens, r)
		all.Operations += one.Operations
		all.Bytes += one.Bytes
		largest = max(largest, one.Bytes)
	}
	if largest > 0 {
		all.Bytes += largest + int64(tokens)*passBytes
	}
	if r.Race.Asked() {
		return e.raceCost(r, all.Operations)
	}
	return all
}

// passBytes is the memory of a token in a pass in addition to its maps, as measured.
const passBytes = 16 << 10

// costOf returns the cost of one mechanism for n tokens.
func (e *Engine) costOf(id string, n int, r Request) Cost {
	entry, stack, ok := Find(id)
	if !ok {
		return Cost{}
	}
	info, err := e.Info(id)
	if g := FindGuest(id); g != nil && err == nil {
		n, err = g.count(r.Text)
	}
	if err != nil || n > info.Longest {
		return Cost{}
	}
	cost := costOfPass(entry, stack, info, n, r)
	cost.Operations += cutsWork(info, n, len(r.Cuts.Of(id)))
	return cost
}

// cutsWork estimates the operations that cuts add to a pass.
func cutsWork(info *ModelInfo, n, cuts int) float64 {
	return float64(info.Layers) * float64(info.Heads) * float64(n) * float64(n) * float64(cuts)
}

// costOfPass returns the cost of a pass over n tokens, without ablations.
func costOfPass(entry *attention.Entry, stack *encoder.StackEntry, info *ModelInfo, n int, r Request) Cost {
	c := MixerOf(info)
	mix, d := float64(entry.FLOPs(c, n)), float64(info.Width)
	maps, layers := len(entry.Views), float64(info.Layers)
	decoded := int64(0) // maps of the decoder
	cost := Cost{Operations: layers * (mix + encoder.RestFLOPs*float64(n)*d*d)}
	if FindGuest(entry.ID) != nil && stack != nil { // one step per written token; maps of three parts and rollout
		written := float64(min(mostWritten, info.Length))
		deep, heads := decoderOf(info)
		cost.Operations += float64(deep) * written * 2 * encoder.RestFLOPs * d * d
		n = max(n, int(written))
		decoded = int64(2*deep*heads) * int64(maps)
		maps *= 2
	} else if stack != nil {
		maps += len(stack.Views)
		if stack.ID == encoder.EncoderDecoder.ID { // one pass per written word; maps of three parts and rollout
			cost.Operations *= float64(1 + info.Length)
			maps *= 4
			n = info.Length
		}
	}
	if asked := r.Method.Method(); asked != nil {
		maps += len(asked.Views)
		if asked.Work != nil {
			cost.Operations += asked.Work(method.Job{Measurement: r.Method, Entry: entry, Config: c, N: n})
		}
	}
	if entry.Table != nil && (r.Change.Rank != 0 || r.Change.Spectra) {
		cost.Operations += tableWork(info, n)
	}
	running := int64(0)
	if entry.Running && r.Running != (headstats.Place{}) {
		cost.Operations *= 2 // a pass of its own
		running = int64(n) * int64(c.HeadWidth()) * int64(c.HeadWidth()+4) * int64(unsafe.Sizeof(tensor.Elem(0)))
	}
	side := int64(max(n, leastSide))
	planes := int64(maps * info.Heads)
	if entry.Planes != nil {
		planes += int64(entry.Planes(c, n))
	}
	cost.Bytes = (int64(layers)*planes + decoded) * side * side * int64(unsafe.Sizeof(tensor.Elem(0)))
	cost.Bytes += running
	return cost
}

// tableWork estimates the operations for decomposing the scores of n positions: some sweeps of rotations over all
// pairs of columns.
func tableWork(info *ModelInfo, n int) float64 {
	const perNumber = 60
	return float64(info.Layers) * float64(info.Heads) * perNumber * float64(n) * float64(n) * float64(n)
}

// decoderOf returns the number of layers of a guest's decoder, and the number of heads in each.
func decoderOf(info *ModelInfo) (layers, heads int) {
	layers, err := strconv.Atoi(info.Options[encoder.DecoderLayersOption])
	if err != nil {
		layers = info.Layers
	}
	return layers, cmp.Or(info.DecoderHeads, info.Heads)
}

// raceCost returns the cost of predicting every word with the mechanisms, if one pass of all of them takes pass
// operations.
func (e *Engine) raceCost(r Request, pass float64) Cost {
	all, err := r.Race.Hidings(e.vocab, r.Text)
	if err != nil {
		return Cost{}
	}
	const perWord, width = 40, 128 // bytes of a Word, and numbers of a piece's scores
	models, pieces := len(r.Mechanisms), 0
	for _, h := range all {
		pieces += h.Pieces()
	}
	scores := 2 * float64(models*pieces) * float64(e.vocab.Size()) * width
	return Cost{Operations: float64(len(all))*pass + scores, Bytes: int64(models * pieces * predict.TopWords * perWord)}
}

// leastSide is the assumed least side of a map: a map of few words may have other axes than words.
const leastSide = 32

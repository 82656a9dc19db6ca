package engine

import (
	"math"

	"attnatlas/engine/fault"
	"attnatlas/engine/predict"
	"attnatlas/engine/trace"
)

// finite refuses an answer that contains NaN or infinity: finite weights can be so large that computations with them
// overflow.
func (res *Result) finite() error {
	layers := res.Layers
	for _, part := range res.Parts {
		layers = append(layers[:len(layers):len(layers)], part.Layers...)
	}
	maps := res.Maps
	for _, l := range layers {
		maps = append(maps[:len(maps):len(maps)], l.Maps...)
	}
	for _, m := range maps {
		if !finiteMap(m) {
			return fault.Errorf(fault.Unsupported, "error.no-numbers")
		}
	}
	for _, v := range res.numbers() {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fault.Errorf(fault.Unsupported, "error.no-numbers")
		}
	}
	return nil
}

// finiteMap reports whether a map has neither NaN nor +Inf; a score of -Inf is allowed.
func finiteMap(m trace.Map) bool {
	for _, v := range m.Value.Data {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 1) {
			return false
		}
	}
	return true
}

// numbers returns the numbers of an answer that are not in its maps.
func (res *Result) numbers() (all []float64) {
	for _, c := range res.Charges {
		all = append(all, c.Value)
	}
	for _, g := range res.Guesses {
		for _, c := range g.Classes {
			all = append(all, c.P)
		}
	}
	var words []predict.Word
	for _, p := range res.Predictions {
		words = append(words, p.Words...)
	}
	for _, a := range res.Attempts {
		for _, piece := range a.Pieces {
			words = append(append(words, piece.Words...), piece.Truth)
		}
	}
	if res.Generated != nil {
		for _, s := range res.Generated.Steps {
			words = append(words, s.Top...)
		}
	}
	for _, w := range words {
		all = append(all, w.P)
	}
	return all
}

package exhibit

import (
	"slices"

	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
)

// histogramBins is the number of bins of a histogram.
const histogramBins = 30

// Histogram counts the values of a map in bins of equal width from Low, which is at most 0, to High.
type Histogram struct {
	Low, High float64
	Counts    []int
	Says      messages.Message
}

// Histogram counts the values of the cells that have one. ok is false for class numbers, and if all values are 0.
func (x *Exhibit) Histogram() (h Histogram, ok bool) {
	if x.Grid().Scale.Category {
		return h, false
	}
	var values []float64
	for i, class := range x.Grid().Class {
		if class == figure.Value || class == figure.Zero || class == figure.Tiny {
			values = append(values, float64(x.Map.Value.Data[i]))
		}
	}
	if len(values) == 0 {
		return h, false
	}
	slices.Sort(values)
	n := len(values)
	h = Histogram{Low: min(0, values[0]), High: max(0, values[n-1]), Counts: make([]int, histogramBins)}
	if h.High == h.Low {
		return h, false
	}
	for _, v := range values {
		h.Counts[min(histogramBins-1, int(histogramBins*((v-h.Low)/(h.High-h.Low))))]++
	}
	h.Says = messages.New("histogram.says", "count", n, "median", messages.Number(values[(n-1)/2]),
		"tenth", messages.Number(values[(9*n-1)/10]), "most", messages.Number(values[n-1]))
	return h, true
}

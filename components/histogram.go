package components

import (
	"fmt"
	"math"
	"strings"
)

// Histogram draws how often the values of a map occur; the zero one is not drawn.
type Histogram struct {
	Counts    []int // of bins of equal width
	Low, High string
	Says      string // the same in words
}

// A bar is barWidth wide with the gap beside it, and at most barHeight high.
const (
	barWidth  = 8
	barHeight = 40
)

// box is the coordinate system of the bars.
func (h Histogram) box() string { return fmt.Sprintf("0 0 %d %d", barWidth*len(h.Counts), barHeight) }

// bars are all bars as one path. Their heights are logarithms of 1 + count: most weights of a map are small.
func (h Histogram) bars() string {
	most := 0
	for _, count := range h.Counts {
		most = max(most, count)
	}
	var path strings.Builder
	for i, count := range h.Counts {
		if count > 0 {
			height := barHeight * math.Log1p(float64(count)) / math.Log1p(float64(most))
			fmt.Fprintf(&path, "M%d %dv-%.1fh%dV%dz", barWidth*i, barHeight, height, barWidth-1, barHeight)
		}
	}
	return path.String()
}

package components

import (
	"fmt"
	"math"
	"strings"
)

// Histogram draws the frequencies of the values in a map. The zero Histogram is not drawn.
type Histogram struct {
	Counts    []int // counts in bins of equal width
	Low, High string
	Says      string // the same in words
}

// Dimensions of bars: width including the gap, and maximum height.
const (
	barWidth  = 8
	barHeight = 40
)

// box returns the view box of the bars.
func (h Histogram) box() string { return fmt.Sprintf("0 0 %d %d", barWidth*len(h.Counts), barHeight) }

// bars returns all bars as one path. Their heights are logarithms of 1 + count, because most
// weights of a map are small.
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

package encoder_test

import (
	"slices"
	"testing"

	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// TestConvolutionReadsNeighbours: two layers of width three reach two words in each direction, or
// four back with a causal mask. Padding has no effect.
func TestConvolutionReadsNeighbours(t *testing.T) {
	const n, at = 12, 6
	for kind, want := range map[string][]int{"convolution": {4, 5, 6, 7, 8}, "convolution-before": {6, 7, 8, 9, 10},
		"feed-forward": {6}} {
		s := newSubject(t, encoder.Universal, universal(1, "halting", "none", "transition", kind), 1, n)
		for _, name := range []string{"W_O", "b_O"} { // without attention
			clear(s.param(t, "transition/mixer/"+name).Value.Data)
		}
		readers := func(mask nn.Mask) (all []int) {
			before, _, _ := s.run(mask)
			before = before.Clone()
			s.x.Data[at*stackWidth]++
			after, _, _ := s.run(mask)
			s.x.Data[at*stackWidth]--
			for i := range n {
				if !slices.Equal(before.Data[i*stackWidth:][:stackWidth], after.Data[i*stackWidth:][:stackWidth]) {
					all = append(all, i)
				}
			}
			return all
		}
		if got := readers(nn.Mask{}); !slices.Equal(got, want) {
			t.Errorf("%s: word %d is read by %v, wanted %v", kind, at, got, want)
		}
		keys := slices.Repeat([]bool{true}, n)
		keys[at] = false
		if got := readers(nn.Mask{Keys: keys, N: n}); !slices.Equal(got, []int{at}) {
			t.Errorf("%s: padding is read by %v", kind, got)
		}
	}
}

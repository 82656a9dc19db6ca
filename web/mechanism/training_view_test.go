package mechanism

import (
	"math"
	"testing"

	"attnatlas/engine"
)

// TestStepMarks: the numbers on the axis of steps are powers of ten between its ends, whatever a file says.
func TestStepMarks(t *testing.T) {
	for last, want := range map[int]int{1: 2, 20: 2, 21: 3, 1000: 4, 3_000_000_000: 11, math.MaxInt: 20} {
		v := Training{Steps: []int{0, 1}, Loss: []engine.LossPoint{{Step: 1, Loss: 2}, {Step: last, Loss: 1}}}
		marks := v.stepMarks()
		if len(marks) != want || !marks[1].last {
			t.Errorf("%d steps have %d marks, wanted %d", last, len(marks), want)
		}
	}
}

package mechanism

import (
	"math"
	"strconv"
	"testing"

	"attnatlas/engine"
)

// TestStepMarks: the numbers on the axis of steps are powers of ten between its ends, whatever a file says.
func TestStepMarks(t *testing.T) {
	counts := map[int]int{1: 2, 20: 2, 21: 3, 1000: 4, 2_000_000_000: 10}
	if strconv.IntSize == 64 {
		counts[math.MaxInt] = 20
	}
	for last, want := range counts {
		v := TrainingView{Steps: []int{0, 1}, Loss: []engine.LossPoint{{Step: 1, Loss: 2}, {Step: last, Loss: 1}}}
		marks := v.stepMarks()
		if len(marks) != want || !marks[1].last {
			t.Errorf("%d steps have %d marks, wanted %d", last, len(marks), want)
		}
	}
}

package mechanism_test

import (
	"bytes"
	"math"
	"strconv"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/mechanism"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

// TestStepMarks: the numbers on the axis of steps are powers of ten between its ends, whatever a file says.
func TestStepMarks(t *testing.T) {
	counts := map[int]int{1: 2, 20: 2, 21: 3, 1000: 4, 2_000_000_000: 10}
	if strconv.IntSize == 64 {
		counts[math.MaxInt] = 20
	}
	for last, want := range counts {
		v := mechanism.TrainingView{Steps: []int{0, 1},
			Loss: []engine.LossPoint{{Step: 1, Loss: 2}, {Step: last, Loss: 1}}}
		var page bytes.Buffer
		if err := mechanism.MechanismPage(mechanism.PageView{Training: v}).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		doc, err := html.Parse(&page)
		if err != nil {
			t.Fatal(err)
		}
		marks := webtest.All(doc, "text.training-mark[y=142]")
		if len(marks) != want {
			t.Fatalf("%d steps have %d marks, wanted %d", last, len(marks), want)
		}
		for i, mark := range marks {
			if anchor, _ := webtest.Attr(mark, "text-anchor"); (anchor == "end") != (i == 1) {
				t.Errorf("%d steps: mark %d, %s, is the last: %v", last, i, webtest.TextOf(mark), anchor == "end")
			}
		}
	}
}

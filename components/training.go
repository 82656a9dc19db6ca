package components

import (
	"context"
	"fmt"
	"math"
	"strings"

	"attnatlas/engine/messages"

	"github.com/a-h/templ"
)

// Training is the part of a page that shows how maps came to be. The zero Training is that of
// a model without a recording.
type Training struct {
	Steps      []int     // after which frames were recorded, ascending, from 0
	Loss       []float64 // after each of them
	Text       string    // of the maps
	Texts      []Example // that were recorded
	Frames     []TrainingFrame
	Mechanisms []TrainingMap // whose maps are shown beside each other
	DataURL    string        // /api/v1/training?…
	Animation  Link
}

// TrainingFrame is a picture of the main map after a step.
type TrainingFrame struct {
	Label string
	Image Image
}

// TrainingMap is a model whose maps are shown.
type TrainingMap struct{ ID, Name string }

// The curve of the loss, in units of its drawing.
const (
	curveWidth, curveHeight = 640, 150
	curveLeft, curveTop     = 44, 10
	curveRight, curveBottom = 634, 124
)

// curveX is where a step is: on a logarithmic scale, on which 0 has a place too.
func (t Training) curveX(step int) float64 {
	last := math.Log1p(float64(t.Steps[len(t.Steps)-1]))
	return curveLeft + (curveRight-curveLeft)*math.Log1p(float64(step))/max(last, 1)
}

func (t Training) curveY(loss float64) float64 {
	low, high := t.ends()
	return curveTop + (curveBottom-curveTop)*(high-loss)/(high-low)
}

// ends are the ends of the axis of losses: whole numbers.
func (t Training) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range t.Loss {
		low, high = min(low, v), max(high, v)
	}
	return math.Floor(low), math.Max(math.Ceil(high), math.Floor(low)+1)
}

// curve is the path of the loss.
func (t Training) curve() string {
	var b strings.Builder
	for i, loss := range t.Loss {
		command := 'L'
		if i == 0 {
			command = 'M'
		}
		fmt.Fprintf(&b, "%c%.1f %.1f", command, t.curveX(t.Steps[i]), t.curveY(loss))
	}
	return b.String()
}

// places are where the steps are, for scripts.
func (t Training) places() string {
	var list []string
	for _, step := range t.Steps {
		list = append(list, fmt.Sprintf("%.1f", t.curveX(step)))
	}
	return strings.Join(list, " ")
}

// curveMark is a number on an axis.
type curveMark struct {
	at, text string
	last     bool
}

// anchor keeps the last number within the drawing.
func (m curveMark) anchor() string {
	if m.last {
		return "end"
	}
	return "middle"
}

func (t Training) stepMarks() (marks []curveMark) {
	last := t.Steps[len(t.Steps)-1]
	steps := []int{0, last}
	for step := 10; 2*step < last; step *= 10 {
		steps = append(steps, step)
	}
	for _, step := range steps {
		marks = append(marks, curveMark{fmt.Sprintf("%.1f", t.curveX(step)), messages.Grouped(step), step == last})
	}
	return marks
}

func (t Training) lossMarks() (marks []curveMark) {
	low, high := t.ends()
	for v := low; v <= high; v++ {
		marks = append(marks, curveMark{fmt.Sprintf("%.1f", t.curveY(v)), fmt.Sprintf("%.0f", v), false})
	}
	return marks
}

// joined are the steps, for scripts.
func (t Training) joined() string { return strings.Trim(fmt.Sprint(t.Steps), "[]") }

func (t Training) box() string { return fmt.Sprintf("0 0 %d %d", curveWidth, curveHeight) }

// described says in words what the curve shows.
func (v Training) described(ctx context.Context) string {
	last := len(v.Loss) - 1
	return t(ctx, "training.described", "first", fmt.Sprintf("%.2f", v.Loss[0]), "last", fmt.Sprintf("%.2f", v.Loss[last]), "count", v.Steps[last])
}

// labelled names the part where it has a heading.
func (t Training) labelled() templ.Attributes {
	if len(t.Frames) == 0 {
		return nil
	}
	return templ.Attributes{"aria-labelledby": "h-training"}
}

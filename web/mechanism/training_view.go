package mechanism

import (
	"context"
	"fmt"
	"math"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/messages"

	"github.com/a-h/templ"
)

// Training is the part of a page that shows how maps came to be. The zero Training is that of
// a model without a recording.
type Training struct {
	Steps     []int                // after which frames were recorded, ascending, from 0
	Loss      []float64            // after each of them
	Text      string               // of the maps
	Texts     []components.Example // that were recorded
	Tasks     []components.Example // that each text was read for; nil: the model does not write
	Frames    []TrainingFrame
	Maps      []TrainingMap // that are shown beside each other
	DataURL   string        // /api/v1/training?…
	Animation components.Link
}

// TrainingFrame is a picture of the main map after a step.
type TrainingFrame struct {
	Label   string
	Image   components.Image
	Written string // by the model, of the text
}

// TrainingMap is a model whose maps are shown, or one of its maps.
type TrainingMap struct{ ID, Map, Name string }

// said is a text of the catalogue, or what stands for it of a model that writes.
func (v Training) said(id string) string {
	if v.Tasks != nil {
		return id + "-written"
	}
	return id
}

// The curve of the loss, in units of its drawing.
const (
	curveWidth, curveHeight = 640, 150
	curveLeft, curveTop     = 44, 10
	curveRight, curveBottom = 634, 124
)

// curveX is where a step is: on a logarithmic scale, on which 0 has a place too.
func (v Training) curveX(step int) float64 {
	last := math.Log1p(float64(v.Steps[len(v.Steps)-1]))
	return curveLeft + (curveRight-curveLeft)*math.Log1p(float64(step))/max(last, 1)
}

func (v Training) curveY(loss float64) float64 {
	low, high := v.ends()
	return curveTop + (curveBottom-curveTop)*(high-loss)/(high-low)
}

// ends are the ends of the axis of losses: whole numbers.
func (v Training) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, loss := range v.Loss {
		low, high = min(low, loss), max(high, loss)
	}
	return math.Floor(low), math.Max(math.Ceil(high), math.Floor(low)+1)
}

// curve is the path of the loss.
func (v Training) curve() string {
	var b strings.Builder
	for i, loss := range v.Loss {
		command := 'L'
		if i == 0 {
			command = 'M'
		}
		fmt.Fprintf(&b, "%c%.1f %.1f", command, v.curveX(v.Steps[i]), v.curveY(loss))
	}
	return b.String()
}

// places are where the steps are, for scripts.
func (v Training) places() string {
	var list []string
	for _, step := range v.Steps {
		list = append(list, fmt.Sprintf("%.1f", v.curveX(step)))
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

func (v Training) stepMarks() (marks []curveMark) {
	last := v.Steps[len(v.Steps)-1]
	steps := []int{0, last}
	for step := 10; 2*step < last; step *= 10 {
		steps = append(steps, step)
	}
	for _, step := range steps {
		marks = append(marks, curveMark{fmt.Sprintf("%.1f", v.curveX(step)), messages.Grouped(step), step == last})
	}
	return marks
}

func (v Training) lossMarks() (marks []curveMark) {
	low, high := v.ends()
	for loss := low; loss <= high; loss++ {
		marks = append(marks, curveMark{fmt.Sprintf("%.1f", v.curveY(loss)), fmt.Sprintf("%.0f", loss), false})
	}
	return marks
}

// joined are the steps, for scripts.
func (v Training) joined() string { return strings.Trim(fmt.Sprint(v.Steps), "[]") }

func (v Training) box() string { return fmt.Sprintf("0 0 %d %d", curveWidth, curveHeight) }

// described says in words what the curve shows.
func (v Training) described(ctx context.Context) string {
	last := len(v.Loss) - 1
	return components.T(ctx, "training.described", "first", fmt.Sprintf("%.2f", v.Loss[0]), "last",
		fmt.Sprintf("%.2f", v.Loss[last]), "count", v.Steps[last])
}

// labelled names the part where it has a heading.
func (v Training) labelled() templ.Attributes {
	if len(v.Frames) == 0 {
		return nil
	}
	return templ.Attributes{"aria-labelledby": "h-training"}
}

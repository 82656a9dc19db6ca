package mechanism

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/messages"

	"github.com/a-h/templ"
)

// TrainingView is the section with training snapshots. The zero TrainingView stands for a model without a
// recording.
type TrainingView struct {
	Steps     []int                // training steps of the frames, ascending
	Loss      []engine.LossPoint   // on validation texts; for checkpoints, on training texts
	EvalLoss  []engine.LossPoint   // on evaluation texts, for checkpoints
	NoLoss    string               // why there is no loss; empty: there is, or nobody has asked for it
	Text      string               // text of the maps
	Texts     []components.Example // recorded texts
	Tasks     []components.Example // recorded tasks of each text; nil: the model does not write
	Frames    []TrainingPicture
	Maps      []TrainingMap // maps side by side
	DataURL   string        // /api/v1/training?…
	Animation components.Link
	// A training whose models are checkpoints has no recorded frames: each is computed when it is shown.
	// DataURL is then /api/v1/drawing?… of this page’s model.
	Checkpoints []components.Example // pages of some checkpoints
	Models      []string             // ids of all checkpoints
	Now         int                  // index of this page’s checkpoint
	Tokens      []string             // labels of the text's tokens
}

// TrainingPicture is a picture of the main map after a training step.
type TrainingPicture struct {
	Label   string
	Image   components.Image
	Written string // text written by the model
}

// TrainingMap is a model with its main map, or one of its maps.
type TrainingMap struct{ ID, Map, Name string }

// said returns the id of a text, or of its variant for a model that writes.
func (v TrainingView) said(id string) string {
	switch {
	case v.Tasks != nil:
		return id + "-written"
	case v.Checkpoints != nil:
		return id + "-computed"
	}
	return id
}

// loads returns the attributes with which scripts compute the frames of checkpoints.
func (v TrainingView) loads() templ.Attributes {
	if v.Checkpoints == nil {
		return nil
	}
	tokens, _ := json.Marshal(v.Tokens) // strings can always be encoded
	return templ.Attributes{"data-models": strings.Join(v.Models, " "), "data-tokens": string(tokens)}
}

// Dimensions of the loss curve, in units of its drawing.
const (
	curveWidth, curveHeight = 640, 150
	curveLeft, curveTop     = 44, 10
	curveRight, curveBottom = 634, 124
)

// curveX returns the position of a training step on a logarithmic scale that includes 0.
func (v TrainingView) curveX(step int) float64 {
	last := math.Log1p(float64(v.lastStep()))
	return curveLeft + (curveRight-curveLeft)*math.Log1p(float64(step))/max(last, 1)
}

// lastStep returns the end of the axis of steps.
func (v TrainingView) lastStep() int {
	last := v.Steps[len(v.Steps)-1]
	for _, line := range [][]engine.LossPoint{v.Loss, v.EvalLoss} {
		if len(line) > 0 {
			last = max(last, line[len(line)-1].Step)
		}
	}
	return last
}

func (v TrainingView) curveY(loss float64) float64 {
	low, high := v.ends()
	return curveTop + (curveBottom-curveTop)*(high-loss)/(high-low)
}

// ends returns the ends of the loss axis, which are whole numbers.
func (v TrainingView) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, one := range slices.Concat(v.Loss, v.EvalLoss) {
		low, high = min(low, one.Loss), max(high, one.Loss)
	}
	return math.Floor(low), math.Max(math.Ceil(high), math.Floor(low)+1)
}

// curve returns the SVG path of a loss.
func (v TrainingView) curve(line []engine.LossPoint) string {
	var b strings.Builder
	for i, one := range line {
		command := 'L'
		if i == 0 {
			command = 'M'
		}
		fmt.Fprintf(&b, "%c%.1f %.1f", command, v.curveX(one.Step), v.curveY(one.Loss))
	}
	return b.String()
}

// places returns the positions of the training steps, for scripts.
func (v TrainingView) places() string {
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

// anchor returns the text anchor, which keeps the last number within the drawing.
func (m curveMark) anchor() string {
	if m.last {
		return "end"
	}
	return "middle"
}

func (v TrainingView) stepMarks() (marks []curveMark) {
	last := v.lastStep()
	steps := []int{0, last}
	for step := 10.0; 2*step < float64(last); step *= 10 { // an int would overflow near the largest one
		steps = append(steps, int(step))
	}
	for _, step := range steps {
		marks = append(marks, curveMark{fmt.Sprintf("%.1f", v.curveX(step)), messages.Grouped(step), step == last})
	}
	return marks
}

func (v TrainingView) lossMarks() (marks []curveMark) {
	low, high := v.ends()
	const most = 10
	for loss := low; loss <= high; loss += max(1, math.Ceil((high-low)/most)) {
		marks = append(marks, curveMark{fmt.Sprintf("%.1f", v.curveY(loss)), fmt.Sprintf("%.0f", loss), false})
	}
	return marks
}

// joined returns the training steps, for scripts.
func (v TrainingView) joined() string { return strings.Trim(fmt.Sprint(v.Steps), "[]") }

func (v TrainingView) box() string { return fmt.Sprintf("0 0 %d %d", curveWidth, curveHeight) }

// describes returns the id of the curve's description: only our own trainings are known to lower their loss.
func (v TrainingView) describes() string {
	if v.Checkpoints != nil {
		return "training.described-computed"
	}
	return "training.described"
}

// described returns a description of the curve in words.
func (v TrainingView) described(ctx context.Context) string {
	line := v.Loss
	if len(line) == 0 {
		line = v.EvalLoss
	}
	last := line[len(line)-1]
	return components.T(ctx, v.describes(), "first", fmt.Sprintf("%.2f", line[0].Loss), "last",
		fmt.Sprintf("%.2f", last.Loss), "count", last.Step)
}

// labelled returns the attribute that names the section by its heading, if there is one.
func (v TrainingView) labelled() templ.Attributes {
	if len(v.Steps) == 0 {
		return nil
	}
	return templ.Attributes{"aria-labelledby": "h-training"}
}

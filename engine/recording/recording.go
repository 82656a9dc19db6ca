package recording

import (
	"slices"
	"strconv"

	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Recording is what a model showed after several steps of its training.
type Recording struct {
	ID     string    // of the mechanism or stack
	Total  int       // steps of the whole training
	Steps  []int     // after which the frames were taken, ascending; the first is 0
	Loss   []float64 // validation after each of them, nats for each masked or next word piece
	Texts  []string  // that the model read
	forms  []*form
	frames [][]frame // by step and text
}

// frame is what the model showed of one text after one step.
type frame struct {
	layers []layer
	whole  []shot // maps of the stack around the layers
}

type layer struct {
	number int
	name   string
	maps   []shot
}

// shot is a map whose values are whole numbers of the form's steps.
type shot struct {
	form   int      // in the list of forms
	levels []uint16 // 0: out of reach; from 1 on: low + (level − 1)·step
}

// form is what shots have in common.
type form struct {
	Name  string     `json:"name"`
	Tex   string     `json:"tex"`
	Kind  trace.Kind `json:"kind"`
	Axes  []axis     `json:"axes"`
	Shape []int      `json:"shape"`
	Low   float64    `json:"low"`
	Step  float64    `json:"step"`
}

// axis is a trace.Axis whose labels are not those of the text.
type axis struct {
	Role   trace.Role `json:"role"`
	Name   string     `json:"name,omitempty"`
	Labels []string   `json:"labels,omitempty"`
}

// Frame is the number of the frame after a step.
func (r *Recording) Frame(step int) (int, bool) { return slices.BinarySearch(r.Steps, step) }

// Text is the number of a text.
func (r *Recording) Text(text string) (int, bool) {
	i := slices.Index(r.Texts, text)
	return i, i >= 0
}

// Report is what an engine would have said of a text after the step of a frame. Maps that do
// not change in a training, such as patterns, are not in it. Info is the provenance of
// the finished model, or nil.
func (r *Recording) Report(v *tokenizer.Vocabulary, info *engine.ModelInfo, at, text int) *engine.Report {
	entry, stack, _ := engine.Find(r.ID)
	rep := &engine.Report{Text: r.Texts[text], After: &engine.Moment{Step: r.Steps[at], Steps: r.Total}}
	rep.Tokens, rep.Segments = engine.Tokens(v, rep.Text)
	res := engine.Result{ID: r.ID, Entry: entry, Stack: stack}
	if info != nil {
		res.Model, res.Heads = info, info.Heads
	}
	f := r.frames[at][text]
	for _, l := range f.layers {
		one := engine.Layer{Number: l.number, Name: l.name}
		for _, s := range l.maps {
			one.Maps = append(one.Maps, r.open(s))
		}
		res.Layers = append(res.Layers, one)
	}
	for _, s := range f.whole {
		res.Maps = append(res.Maps, r.open(s))
	}
	rep.Mechanisms = []engine.Result{res}
	rep.LabelAxes()
	return rep
}

// open is the map of a shot.
func (r *Recording) open(s shot) trace.Map {
	f := r.forms[s.form]
	m := trace.Map{Name: f.Name, Tex: f.Tex, Kind: f.Kind, Value: tensor.New(f.Shape...)}
	for _, a := range f.Axes {
		m.Axes = append(m.Axes, trace.Axis{Role: a.Role, Name: a.Name, Labels: a.Labels})
	}
	for i, level := range s.levels {
		if level > 0 {
			m.Value.Data[i] = tensor.Elem(f.Low + float64(level-1)*f.Step)
		}
	}
	if len(f.Shape) > 1 && slices.Contains(s.levels, 0) {
		s.limit(&m, f)
	}
	return m
}

// limit says which pairs a map of pairs has.
func (s shot) limit(m *trace.Map, f *form) {
	n := len(f.Shape)
	rows, cols := f.Shape[n-2], f.Shape[n-1]
	in := func(h, q, k int) bool { return s.levels[(h*rows+q)*cols+k] > 0 }
	heads := len(s.levels) / rows / cols
	if n > 2 {
		m.HeadReach = in
	}
	m.Reach = func(q, k int) bool {
		for h := range heads {
			if in(h, q, k) {
				return true
			}
		}
		return false
	}
}

// Check says why a recording has no frame after a step, or of a text.
func (r *Recording) Check(step int, text string) error {
	if _, ok := r.Frame(step); !ok {
		return engine.Errorf(engine.NotFound, "error.recording.step", "step", step, "steps", messages.List(numbers(r.Steps)))
	}
	if _, ok := r.Text(text); !ok {
		return engine.Errorf(engine.NotFound, "error.recording.text", "texts", messages.List(quoted(r.Texts)))
	}
	return nil
}

func numbers(steps []int) []string {
	list := make([]string, len(steps))
	for i, step := range steps {
		list[i] = strconv.Itoa(step)
	}
	return list
}

func quoted(texts []string) []string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = messages.Quote(text)
	}
	return list
}

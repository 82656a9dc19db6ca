package recording

import (
	"slices"
	"strconv"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Recording is a list of training snapshots of a model.
type Recording struct {
	ID     string    // id of the mechanism or architecture
	Total  int       // steps of the whole training
	Steps  []int     // training steps of the frames, ascending; the first is 0
	Loss   []float64 // validation loss of each frame, in nats per masked, next or written token
	Texts  []string  // source texts
	Tasks  []Task    // tasks with which an encoder–decoder read each text; nil for other models
	forms  []*form
	frames [][]frame // by step and reading
}

// frame holds the maps of one reading after one training step.
type frame struct {
	layers  []layer
	whole   []shot   // maps outside the layers
	parts   []part   // instead of layers, for an encoder–decoder
	written []string // written tokens; the last is [SEP] if the model ended the text
}

type layer struct {
	number      int
	name        string
	maps        []shot
	distinctive int // most distinctive head of the finished model, from 1; 0: unknown
}

// shot is a map whose values are rounded to levels of its form.
type shot struct {
	form   int      // index in the list of forms
	levels []uint16 // 0: out of reach; from 1 on: low + (level − 1)·step
}

// form holds the common properties of shots.
type form struct {
	Name  string     `json:"name"`
	Tex   string     `json:"tex"`
	Kind  trace.Kind `json:"kind"`
	Axes  []axis     `json:"axes"`
	Shape []int      `json:"shape"`
	Low   float64    `json:"low"`
	Step  float64    `json:"step"`
}

// axis is a trace.Axis whose labels do not come from the text.
type axis struct {
	Role   trace.Role `json:"role"`
	Name   string     `json:"name,omitempty"`
	Labels []string   `json:"labels,omitempty"`
}

// Frame returns the number of the frame after a training step.
func (r *Recording) Frame(step int) (int, bool) { return slices.BinarySearch(r.Steps, step) }

// Report returns the report of a reading after the step of a frame, as from an engine. An
// encoder–decoder is given the right answer. Maps that do not change during training, such as
// patterns, are left out. info is the provenance of the finished model, or nil.
func (r *Recording) Report(v *tokenizer.Vocabulary, info *engine.ModelInfo, at, number int) *engine.Report {
	entry, stack, _ := engine.Find(r.ID)
	rep := &engine.Report{Text: r.readings()[number].text, After: &engine.Moment{Step: r.Steps[at], Steps: r.Total}}
	rep.Tokens, rep.Segments = v.EncodePair(rep.Text)
	res := engine.Result{ID: r.ID, Entry: entry, Stack: stack}
	if info != nil {
		res.Model, res.Heads = info, info.Heads
	}
	f := r.frames[at][number]
	res.Layers = r.layers(f.layers)
	if len(r.Tasks) > 0 {
		r.addParts(v, &res, rep.Tokens, at, number)
	}
	for _, s := range f.whole {
		res.Maps = append(res.Maps, r.open(s))
	}
	rep.Mechanisms = []engine.Result{res}
	rep.LabelAxes()
	return rep
}

// layers returns the layers for a report.
func (r *Recording) layers(all []layer) (list []engine.Layer) {
	for _, l := range all {
		one := engine.Layer{Number: l.number, Name: l.name, Distinctive: l.distinctive}
		for _, s := range l.maps {
			one.Maps = append(one.Maps, r.open(s))
		}
		list = append(list, one)
	}
	return list
}

// open returns the map of a shot.
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

// limit sets the reach of a map of pairs.
func (s shot) limit(m *trace.Map, f *form) {
	n := len(f.Shape)
	rows, cols, heads := f.Shape[n-2], f.Shape[n-1], 1
	if n > 2 {
		heads = f.Shape[0]
	}
	rounds := len(s.levels) / heads / rows / cols
	in := func(h, q, k int) bool {
		for r := range rounds {
			if s.levels[((h*rounds+r)*rows+q)*cols+k] > 0 {
				return true
			}
		}
		return false
	}
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

// Check returns an error if a recording has no frame after a step, or no such text or task. The
// error states the reason.
func (r *Recording) Check(step int, text, task string) error {
	if _, ok := r.Frame(step); !ok {
		return fault.Errorf(fault.NotFound, "error.recording.step", "step", step, "steps", messages.List(numbers(r.Steps)))
	}
	if !slices.Contains(r.Texts, text) {
		return fault.Errorf(fault.NotFound, "error.recording.text", "texts", messages.List(quoted(r.Texts)))
	}
	if _, ok := r.Reading(text, task); !ok {
		return fault.Errorf(fault.NotFound, "error.generation.task", "task", messages.Quote(task), "known",
			messages.List(r.tasks()))
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

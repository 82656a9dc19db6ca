package recording

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
	"attnatlas/engine/train"
)

// Texts returns the texts in the bundled recording of a model: a pronoun, quotation marks, and a
// request. An encoder–decoder reorders words, so words of several tokens replace its quotation
// marks.
func Texts(id string) []string {
	const pronoun, request = "The cat sat on the mat because it was tired.", "please book me a flight to london tomorrow"
	if twoStacks(id) {
		return []string{pronoun, request, "unbelievable stories make grandmother laugh"}
	}
	return []string{pronoun, "\"I am cold,\" said the boy. \"Where is she?\"", request}
}

// finest is the smallest step of levels: twice the largest rounding error.
const finest = 1e-3

// Source is the input of Make.
type Source struct {
	ID    string
	Final []byte // file of the finished model
	State string // path of the training checkpoint, next to the snapshots
	Texts []string
	Valid *train.Corpus
}

// Make makes a recording and returns its file.
func Make(ctx context.Context, s Source) ([]byte, error) {
	final, err := checkpoint.Parse(s.Final)
	if err != nil {
		return nil, err
	}
	t := &taker{Source: s, meta: final.Meta, byKey: map[string]int{}, r: Recording{ID: s.ID, Texts: s.Texts}}
	info, err := t.open(s.Final)
	if err != nil {
		return nil, err
	}
	t.r.Total = info.Steps
	for _, step := range train.SnapshotSteps(info.Steps) {
		if err := t.take(ctx, step); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			return nil, messages.Errorf("recording.step", "model", s.ID, "step", step, "cause", messages.Of(err))
		}
	}
	t.settle()
	t.quantise()
	var out bytes.Buffer
	err = t.r.write(&out)
	return out.Bytes(), err
}

// taker makes a recording step by step.
type taker struct {
	Source
	meta  map[string]string // metadata of the model's file
	r     Recording
	byKey map[string]int // forms by their properties except Low and Step
	exact [][]exact      // for each form: its shots and their values
}

// exact is a shot before rounding.
type exact struct {
	levels []uint16 // levels of the shot
	values []tensor.Elem
	in     func(i int) bool // whether a cell is within reach; nil: all are
}

func (t *taker) take(ctx context.Context, step int) error {
	data, err := t.model(step)
	if err != nil {
		return err
	}
	if err := t.measure(ctx, data); err != nil {
		return err
	}
	t.r.Steps = append(t.r.Steps, step)
	e := engine.NewFrom(func(id string) ([]byte, bool) { return data, id == t.ID })
	var row []frame
	for _, r := range t.r.readings() {
		rep, err := e.Inspect(ctx, engine.Request{Text: r.text, Task: r.task, Told: true, Mechanisms: []string{t.ID}})
		if err != nil {
			return err
		}
		res := &rep.Mechanisms[0]
		switch {
		case res.Err != nil:
			return res.Err
		case res.Generated != nil:
			row = append(row, t.frameOfParts(res))
			continue
		}
		n := len(rep.Tokens)
		f := frame{whole: t.shots(res.Maps, n)}
		for _, l := range res.Layers {
			f.layers = append(f.layers, layer{number: l.Number, name: l.Name, maps: t.shots(l.Maps, n)})
		}
		row = append(row, f)
	}
	t.r.frames = append(t.r.frames, row)
	return nil
}

// model returns the file of the model after a training step. Its weights are rounded as those of the finished model
// are, so after the last step it is the finished model.
func (t *taker) model(step int) ([]byte, error) {
	data, err := disk.Read(train.Snapshot(t.State, step), checkpoint.MaxBytes())
	if err != nil {
		return nil, err
	}
	f, err := checkpoint.Parse(data)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = checkpoint.Write(&out, f.Arrays, t.meta, checkpoint.Shipped)
	return out.Bytes(), err
}

// shots returns the shots of the maps that change during training, for a text of n tokens. It
// leaves out activations with more than n columns: dense's logits, whose first columns are its
// scores.
func (t *taker) shots(maps []trace.Map, n int) []shot {
	var all []shot
	for _, m := range maps {
		if m.Kind == trace.Category || m.Kind == trace.Count || m.Features() || m.Kind == trace.Activation &&
			m.Value.Dim(-1) > n {
			continue
		}
		s := shot{form: t.form(m), levels: make([]uint16, m.Value.Len())}
		t.exact[s.form] = append(t.exact[s.form], exact{s.levels, slices.Clone(m.Value.Data), within(m)})
		all = append(all, s)
	}
	return all
}

// form returns the number of a map's form.
func (t *taker) form(m trace.Map) int {
	f := &form{Name: m.Name, Tex: m.Tex, Kind: m.Kind, Shape: m.Value.Shape}
	for _, a := range m.Axes {
		f.Axes = append(f.Axes, axis{a.Role, a.Name, a.Labels})
		if a.Text {
			f.Axes[len(f.Axes)-1].Labels = nil // labels of the text are restored when reading
		}
	}
	key, _ := json.Marshal(f)
	i, ok := t.byKey[string(key)]
	if !ok {
		i = len(t.r.forms)
		t.byKey[string(key)], t.r.forms, t.exact = i, append(t.r.forms, f), append(t.exact, nil)
	}
	return i
}

// within returns which cells of a map of pairs are within reach, or nil if all are.
func within(m trace.Map) func(i int) bool {
	n := m.Value.Rank()
	switch {
	case n < 2 || m.Reach == nil && m.HeadReach == nil:
		return nil
	case m.HeadReach != nil && n > 2:
		rows, cols, head := m.Value.Dim(-2), m.Value.Dim(-1), m.Value.Len()/m.Value.Dim(0) // possibly several rounds
		return func(i int) bool { return m.HeadReach(i/head, i/cols%rows, i%cols) }
	case m.Reach != nil:
		rows, cols := m.Value.Dim(-2), m.Value.Dim(-1)
		return func(i int) bool { return m.Reach(i/cols%rows, i%cols) }
	}
	return nil
}

// quantise chooses the step size of every form and rounds its shots.
func (t *taker) quantise() {
	for i, f := range t.r.forms {
		low, high := math.Inf(1), math.Inf(-1)
		for _, x := range t.exact[i] {
			for _, v := range x.values {
				low, high = min(low, float64(v)), max(high, float64(v))
			}
		}
		f.Low, f.Step = low, max(finest, (high-low)/(math.MaxUint16-2))
		for _, x := range t.exact[i] {
			for c, v := range x.values {
				if x.in == nil || x.in(c) {
					x.levels[c] = 1 + uint16(math.Round((float64(v)-low)/f.Step))
				}
			}
		}
	}
}

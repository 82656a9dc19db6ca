package recording

import (
	"math"
	"slices"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
	"attnatlas/engine/train"
)

// TestRecordingOfTwoStacks: for every text and task, each frame has the engine's maps and text from
// the snapshot of its step, given the right answer, with the losses of the tasks and the most
// distinctive heads of the last frame.
func TestRecordingOfTwoStacks(t *testing.T) {
	const id = "encoder-decoder"
	s := trained(t, id, 5)
	data, err := Make(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.tasks(), []string{"reverse", "sort"}) ||
		!slices.Equal(r.Parts(), []string{engine.CrossPart, engine.DecoderPart}) {
		t.Fatalf("tasks %q, parts %q", r.tasks(), r.Parts())
	}
	for at, step := range r.Steps {
		exact, err := (&taker{Source: s, meta: meta(t, s.Final)}).model(step)
		if err != nil {
			t.Fatal(err)
		}
		e := engine.NewFrom(func(string) ([]byte, bool) { return exact, true })
		for _, text := range s.Texts {
			for _, task := range r.tasks() {
				rep, err := e.Inspect(t.Context(), engine.Request{Text: text, Task: task, Told: true, Mechanisms: []string{id}})
				if err != nil {
					t.Fatal(err)
				}
				number, _ := r.Reading(text, task)
				got := r.Report(tokenizer.Default(), nil, at, number)
				compareWriting(t, &rep.Mechanisms[0], &got.Mechanisms[0], r.Steps[at] == r.Total)
			}
		}
		m, _, err := modelfile.OpenSeq2Seq(exact)
		if err != nil {
			t.Fatal(err)
		}
		want, err := train.Seq2SeqLosses(t.Context(), m, s.Valid)
		if err != nil {
			t.Fatal(err)
		}
		for task, loss := range want {
			if r.LossOf(task)[at] != loss {
				t.Errorf("step %d, %s: loss %v, not %v", step, task, r.LossOf(task)[at], loss)
			}
		}
		if math.Abs(r.Loss[at]-(want["reverse"]+want["sort"])/2) > 1e-12 {
			t.Errorf("step %d: loss %v, of the tasks %v", step, r.Loss[at], want)
		}
	}
	if _, ok := r.Reading(sentence, "shout"); ok || r.Check(5, sentence, "shout") == nil ||
		r.Check(5, sentence, "sort") != nil {
		t.Error("it has a task that there is not, or lacks one")
	}
	if i, _ := r.Reading(s.Texts[1], ""); i != 2 || r.Task("") != "reverse" || r.Task("sort") != "sort" {
		t.Errorf("without a task the second text is reading %d", i)
	}
}

// compareWriting compares the written text and the maps in a recording with those of the engine.
func compareWriting(t *testing.T, want, got *engine.Result, last bool) {
	t.Helper()
	w, g := want.Generated, got.Generated
	if g.Text != w.Text || g.Task != w.Task || g.Right != w.Right || g.Stopped != w.Stopped ||
		!slices.Equal(g.Labels(), w.Labels()) || !slices.Equal(g.Answer, w.Answer) {
		t.Errorf("%+v, in the engine %+v", g, w)
	}
	for _, part := range got.Parts {
		like, _ := want.Part(part.Name)
		compareLayers(t, want.ID, like.Layers, part.Layers)
		for i, l := range part.Layers {
			if last && l.Distinctive != like.Layers[i].Distinctive {
				t.Errorf("%s, layer %d: head %d, in the engine %d", part.Name, l.Number, l.Distinctive, like.Layers[i].Distinctive)
			}
			for a, axis := range l.Maps[0].Axes {
				if by, _ := like.Layers[i].Find("weights"); !slices.Equal(axis.Labels, by.Axes[a].Labels) ||
					axis.Name != by.Axes[a].Name {
					t.Errorf("%s: %q %q, in the engine %q %q", part.Name, axis.Name, axis.Labels, by.Axes[a].Name, by.Axes[a].Labels)
				}
			}
		}
	}
}

// TestInconsistentTasks: unknown tasks, tasks without losses, and tasks without recorded words are
// rejected.
func TestInconsistentTasks(t *testing.T) {
	whole := func() header {
		one := frameHeader{Parts: []partHeader{{"cross", nil}}, Written: []string{"[SEP]"}}
		return header{Steps: []int{0}, Loss: []float64{1}, Texts: []string{"a cat"}, Tasks: []Task{{"sort", []float64{1}}},
			Frames: [][]frameHeader{{one}}}
	}
	if err := whole().check(0); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*header){
		"another task":    func(h *header) { h.Tasks[0].Name = "shout" },
		"no loss":         func(h *header) { h.Tasks[0].Loss = nil },
		"a task too many": func(h *header) { h.Tasks = append(h.Tasks, h.Tasks[0]) },
		"nothing written": func(h *header) { h.Frames[0][0].Written = nil },
		"no parts":        func(h *header) { h.Frames[0][0].Parts = nil },
	} {
		h := whole()
		if spoil(&h); h.check(0) == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}

// TestShippedRecordings: every bundled model that was trained by the recipe has a recording. Its
// last frame equals the model's maps, up to the rounding of weights and recording.
func TestShippedRecordings(t *testing.T) {
	e, shelf := engine.New(), Shipped()
	for _, id := range append(engine.IDs(), engine.StackIDs()...) {
		if _, ok := checkpoint.Embedded(id); !ok {
			continue // it shares the model of a mechanism
		}
		info, err := e.Info(id)
		if err != nil {
			t.Fatal(id, err)
		}
		r, err := shelf.Find(id)
		if err != nil {
			t.Fatal(id, err)
		}
		if r == nil {
			if len(info.Trials) > 0 {
				t.Errorf("%s has no recording", id)
			}
			continue
		}
		if !slices.Equal(r.Texts, Texts(id)) || r.Total != info.Steps {
			t.Errorf("%s: %d steps of %q; the model was trained for %d", id, r.Total, r.Texts, info.Steps)
		}
		at, _ := r.Frame(r.Total)
		for number, of := range r.readings() {
			rep, err := e.Inspect(t.Context(), engine.Request{Text: of.text, Task: of.task, Told: true,
				Mechanisms: []string{id}})
			if err != nil {
				t.Fatal(id, err)
			}
			want, got := &rep.Mechanisms[0], &r.Report(e.Vocabulary(), info, at, number).Mechanisms[0]
			if w, g := want.Generated, got.Generated; w != nil && (g == nil || g.Text != w.Text || g.Right != w.Right) {
				t.Errorf("%s, %q: %+v was written, the model writes %+v", id, of, g, w)
			}
			if worst := apart(want, got); worst > 2e-3 {
				t.Errorf("%s, %q: the last frame is %g off", id, of.text, worst)
			}
		}
	}
}

// apart returns the largest difference of probabilities between two results.
func apart(want, got *engine.Result) (worst float64) {
	compare := func(want, got []engine.Layer) {
		for i := range min(len(want), len(got)) {
			for _, m := range got[i].Maps {
				by, ok := want[i].Find(m.Name)
				if !ok || m.Kind != trace.Probability {
					continue
				}
				for c, v := range m.Value.Data {
					worst = max(worst, math.Abs(float64(v-by.Value.Data[c])))
				}
			}
		}
	}
	compare(want.Layers, got.Layers)
	for _, part := range got.Parts {
		like, _ := want.Part(part.Name)
		compare(like.Layers, part.Layers)
	}
	return worst
}

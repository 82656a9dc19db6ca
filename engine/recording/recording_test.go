package recording

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/train"
)

const sentence = "the cat sat on the mat"

// trained trains a small model for some steps and returns the input of Make.
func trained(t *testing.T, id string, steps int) Source {
	t.Helper()
	dir := t.TempDir()
	text := strings.Repeat("The cat sat on the mat because it was tired.\nThe dog saw the cat and ran home.\n", 200)
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	v := tokenizer.Default()
	c, err := train.Load(dir, train.Train, v, 64)
	if err != nil {
		t.Fatal(err)
	}
	valid, err := train.Load(dir, train.Valid, v, 64)
	if err != nil {
		t.Fatal(err)
	}
	valid.Batches = 6
	m := encoder.Shipped(id, v.Size())
	m.Layers, m.Width, m.Inner, m.Heads = 2, 16, 16, 2
	if m.Stack == encoder.EncoderDecoder.ID {
		m.Tasks = []encoder.Task{{Name: "reverse"}, {Name: "sort"}}
	}
	if id == attention.Reformer.ID { // windows several times in a sentence, in several rounds
		m.MixerOptions = map[string]string{"chunk": "4", "rounds": "2"}
	}
	o := train.Options{Model: m, Seed: 1, Steps: steps, Method: train.DefaultMethod(), Snapshots: true, SaveEvery: 1000,
		State: filepath.Join(dir, id+".safetensors")}
	o.Method.Warmup, o.Method.Rate = 1, 0.02
	r, err := train.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Train(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	_, data, err := r.Finish(t.Context(), c, valid, "")
	if err != nil {
		t.Fatal(err)
	}
	return Source{ID: id, Final: data, State: o.State, Texts: []string{sentence, "\"a dog\""}, Valid: valid}
}

// TestRecordingIsWhatTheModelShowed: each frame has the engine's maps from the snapshot of its
// step, up to rounding, and the measured loss.
func TestRecordingIsWhatTheModelShowed(t *testing.T) {
	for _, id := range []string{"random", "dense", "longformer", "reformer", "fastformer", "universal"} {
		s := trained(t, id, 5)
		data, err := Make(t.Context(), s)
		if err != nil {
			t.Fatal(id, err)
		}
		r, err := Parse(data)
		if err != nil {
			t.Fatal(id, err)
		}
		if r.ID != id || r.Total != 5 || !slices.Equal(r.Steps, train.SnapshotSteps(5)) {
			t.Errorf("%s: %s, %d steps, frames after %v", id, r.ID, r.Total, r.Steps)
		}
		for at, step := range r.Steps {
			exact, err := (&taker{Source: s, meta: meta(t, s.Final)}).model(step)
			if err != nil {
				t.Fatal(err)
			}
			e := engine.NewFrom(func(string) ([]byte, bool) { return exact, true })
			rep, err := e.Inspect(t.Context(), engine.Request{Text: sentence, Mechanisms: []string{id}})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, rep, r.Report(tokenizer.Default(), nil, at, 0))
			m, _, err := modelfile.Open(exact)
			if err != nil {
				t.Fatal(err)
			}
			if want, err := train.Loss(t.Context(), m, s.Valid); err != nil || math.Abs(r.Loss[at]-want) > 1e-9 {
				t.Errorf("%s, step %d: loss %v, not %v", id, step, r.Loss[at], want)
			}
		}
		if r.Loss[len(r.Loss)-1] >= r.Loss[0] {
			t.Errorf("%s: losses %v", id, r.Loss)
		}
	}
}

func meta(t *testing.T, file []byte) map[string]string {
	t.Helper()
	f, err := checkpoint.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	return f.Meta
}

// compare compares the maps of a recording with those of the engine.
func compare(t *testing.T, want, got *engine.Report) {
	t.Helper()
	compareLayers(t, want.Mechanisms[0].ID, want.Mechanisms[0].Layers, got.Mechanisms[0].Layers)
}

func compareLayers(t *testing.T, id string, want, got []engine.Layer) {
	t.Helper()
	n := 0
	if len(want) != len(got) {
		t.Fatalf("%s: %d layers, not %d", id, len(got), len(want))
	}
	for i, l := range got {
		for _, m := range l.Maps {
			w, ok := want[i].Find(m.Name)
			if !ok || !slices.Equal(w.Roles(), m.Roles()) || w.Kind != m.Kind ||
				m.Axes[len(m.Axes)-1].Text != w.Axes[len(w.Axes)-1].Text {
				t.Fatalf("%s: map %s of %v, in the engine %v", id, m.Name, m.Axes, w.Axes)
			}
			in := within(w)
			for c, v := range m.Value.Data {
				n++
				if in != nil && !in(c) {
					if m.Reach == nil {
						t.Fatalf("%s: everything is within reach", id)
					}
					continue
				}
				if d := math.Abs(float64(v - w.Value.Data[c])); d > finest/2+1e-6*math.Abs(float64(v)) {
					t.Fatalf("%s %s: cell %d is %g, in the engine %g", id, m.Name, c, v, w.Value.Data[c])
				}
			}
		}
	}
	if n == 0 {
		t.Fatalf("%s: no maps", id)
	}
}

func TestDamagedRecordings(t *testing.T) {
	s := trained(t, "random", 2)
	data, err := Make(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{"empty": nil, "text": []byte("no recording"), "half": data[:len(data)/2]} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
	shelf := NewStore(fstest.MapFS{"random.recording": {Data: data}, "dense.recording": {Data: data},
		"linear.recording": {Data: []byte("?")}})
	if r, err := shelf.Find("random"); err != nil || r == nil || !shelf.Has("random") {
		t.Error(r, err)
	}
	if r, err := shelf.Find("bert"); err != nil || r != nil {
		t.Error(r, err)
	}
	for _, id := range []string{"dense", "linear"} {
		if _, err := shelf.Find(id); err == nil {
			t.Errorf("%s has the recording of another model, or none", id)
		}
	}
	r, _ := shelf.Find("random")
	if err := r.Check(r.Steps[1], sentence, ""); err != nil {
		t.Error(err)
	}
	for step, text := range map[int]string{99: sentence, 1: "another text"} {
		if err := r.Check(step, text, ""); err == nil {
			t.Errorf("there is a frame after %d of %q", step, text)
		}
	}
}

// FuzzRead: any bytes are read or rejected, and every recording that is read can be shown.
func FuzzRead(f *testing.F) {
	r := &Recording{ID: "random", Total: 2, Steps: []int{0, 2}, Loss: []float64{2, 1}, Texts: []string{"a cat"},
		forms: []*form{{Name: "weights", Shape: []int{2, 2}, Axes: []axis{{}, {}}, Step: 1}}}
	for i := range 2 {
		s := shot{levels: []uint16{1, 2, 0, uint16(300 * i)}}
		r.frames = append(r.frames, []frame{{layers: []layer{{number: 1, name: "layer 1", maps: []shot{s}}}}})
	}
	f.Add(unpacked(f, r))
	r.Tasks = []Task{{"sort", r.Loss}}
	for at := range r.frames {
		one := &r.frames[at][0]
		one.parts, one.layers, one.written = []part{{"cross", one.layers}}, nil, []string{"cat", "a", "nothing like this"}
	}
	f.Add(unpacked(f, r))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := read(data)
		if err != nil {
			return
		}
		for at := range r.Steps {
			for number := range r.readings() {
				r.Report(tokenizer.Default(), nil, at, number)
			}
		}
	})
}

// unpacked returns the bytes of a recording, without compression.
func unpacked(f *testing.F, r *Recording) []byte {
	f.Helper()
	var b bytes.Buffer
	if err := r.write(&b); err != nil {
		f.Fatal(err)
	}
	z, err := gzip.NewReader(&b)
	if err != nil {
		f.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := read(plain); err != nil {
		f.Fatal(err)
	}
	return plain
}

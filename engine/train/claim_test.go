package train

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/tensor"
)

// changed writes a state with a change.
func changed(t testing.TB, path string, change func(s map[string]any, arrays map[string]*tensor.T)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := checkpoint.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	s := map[string]any{}
	if err := json.Unmarshal([]byte(f.Meta[progressKey]), &s); err != nil {
		t.Fatal(err)
	}
	change(s, f.Arrays)
	meta, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	w, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := checkpoint.Write(w, f.Arrays, map[string]string{progressKey: string(meta)},
		checkpoint.All(checkpoint.Single)); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedState: a state that cannot have been saved is rejected with advice on what to do, and
// no file is lost.
func TestDamagedState(t *testing.T) {
	c := load(t, writeData(t), Train)
	o := stopped(t, c)
	good, err := os.ReadFile(o.State)
	if err != nil {
		t.Fatal(err)
	}
	set := func(key string, value any) func(map[string]any, map[string]*tensor.T) {
		return func(s map[string]any, _ map[string]*tensor.T) { s[key] = value }
	}
	var first string
	for name, c := range map[string]struct {
		change func(map[string]any, map[string]*tensor.T)
		says   string
	}{
		"a step before the first":  {set("step", -1), "cannot be at step"},
		"a step behind the last":   {set("step", 2147483647), "at step 2"},
		"negative tokens":          {set("tokens", -1), "tokens"},
		"a step that is no number": {set("step", "two"), "not an unfinished training"},
		"negative time":            {set("spent", -1), "tokens"},
		"updates": {func(s map[string]any, _ map[string]*tensor.T) { s["updates"].([]any)[0] = 1 << 30 },
			"cannot have been updated"},
		"negative updates": {func(s map[string]any, _ map[string]*tensor.T) { s["updates"].([]any)[0] = -1 },
			"cannot have been updated"},
		"no memory": {func(_ map[string]any, a map[string]*tensor.T) {
			for name := range a {
				if strings.HasSuffix(name, "/adam v") {
					first = max(first, name)
				}
			}
			delete(a, first)
		}, "is missing"},
		"no number": {func(_ map[string]any, a map[string]*tensor.T) {
			for _, x := range a {
				x.Data[0] = tensor.Elem(math.NaN())
			}
		}, "contains NaN"},
	} {
		if err := os.WriteFile(o.State, good, 0o644); err != nil {
			t.Fatal(err)
		}
		changed(t, o.State, c.change)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), o.State+" is damaged") ||
			!strings.Contains(err.Error(), "delete it, restore a copy") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, size := range []int{0, 7, 100, len(good) / 2, len(good) - 1} {
		if err := os.WriteFile(o.State, good[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("%d of %d bytes: %v", size, len(good), err)
		}
	}
	if err := os.Remove(o.State); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(o.State, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := New(o); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Error(err)
	}
}

// FuzzState: whatever a state contains, it is rejected or the training ends normally.
func FuzzState(f *testing.F) {
	f.Add(-1, 0, -1, 0, false)
	f.Add(2147483647, 0, 2, 4, false)
	f.Add(2, 10, math.MaxInt, 9, false)
	f.Add(2, 10, 2, 100, true)
	f.Fuzz(func(t *testing.T, step, tokens, updates, at int, cut bool) {
		c := load(t, writeData(t), Train)
		o := stopped(t, c)
		changed(t, o.State, func(s map[string]any, arrays map[string]*tensor.T) {
			s["step"], s["tokens"] = step, tokens
			list := s["updates"].([]any)
			list[(at%len(list)+len(list))%len(list)] = updates
		})
		if cut {
			if err := os.Truncate(o.State, int64(uint16(at))); err != nil {
				t.Fatal(err)
			}
		}
		r, err := New(o)
		if err != nil {
			return
		}
		if err := r.Train(context.Background(), c); err != nil || r.Step != o.Steps {
			t.Errorf("step %d of %d: %v", r.Step, o.Steps, err)
		}
	})
}

// TestClaim: a training run of one process cannot be started by another. Folders that cannot be written
// to are detected before the first step. Only temporary files of these training runs are removed.
func TestClaim(t *testing.T) {
	dir := t.TempDir()
	state := func(name string) Options { return Options{State: filepath.Join(dir, "state", name+".safetensors")} }
	jobs := []Job{{ID: "dense", Options: state("dense")}, {ID: "linear", Options: state("linear")}, {ID: "random"}}
	models := filepath.Join(dir, "models")
	if err := os.MkdirAll(filepath.Join(dir, "state"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dense.safetensors.12.viz-tmp", "bert.safetensors.12.viz-tmp"} {
		if err := os.WriteFile(filepath.Join(dir, "state", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	release, err := Claim(jobs, models)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Claim([]Job{{ID: "bert", Options: state("bert")}, jobs[1]}, models); err == nil ||
		!strings.Contains(err.Error(), "linear.safetensors is being written by another process") {
		t.Error(err)
	}
	other, err := Claim([]Job{{ID: "bert", Options: state("bert")}}, models) // has been released
	if err != nil {
		t.Fatal(err)
	}
	other()
	release()
	left, err := os.ReadDir(filepath.Join(dir, "state"))
	if err != nil || len(left) != 0 {
		t.Error(left, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Claim(jobs, filepath.Join(dir, "file", "models")); err == nil ||
		!strings.Contains(err.Error(), "is not writable") {
		t.Error(err)
	}
	if _, err := Claim([]Job{{ID: "dense", Options: Options{State: filepath.Join(dir, "file", "x")}}},
		models); err == nil || !strings.Contains(err.Error(), "is not writable") {
		t.Error(err)
	}
}

// TestUnusualNames: folders with brackets and files with capital letters are found. Missing
// folders, and paths that are not files, give other errors than a folder without texts.
func TestUnusualNames(t *testing.T) {
	text := []byte(strings.Repeat("The old woman sat by the river and counted her geese.\n", 400))
	dir := filepath.Join(t.TempDir(), "glob[1]*")
	if err := os.MkdirAll(filepath.Join(dir, "folder.txt"), 0o755); err != nil {
		t.Fatal(err)
	}
	vocab := load(t, writeData(t), Train).Vocab
	says := func(dir, want string) {
		t.Helper()
		if _, err := Load(dir, Train, vocab, 64); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	says(dir, "neither data sets")
	says(filepath.Join(dir, "none"), "no folder named")
	for _, name := range []string{"B.TXT", "a.txt", "notes.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Load(dir, Train, vocab, 64)
	if err != nil || !slices.Equal(c.Origins, []string{"B.TXT", "a.txt"}) {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "c.txt")); err != nil {
		t.Skip(err)
	}
	says(dir, "c.txt: it is a device")
}

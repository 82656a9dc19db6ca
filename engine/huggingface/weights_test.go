package huggingface_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/huggingface"
)

// shard cuts the weights of a folder into two files with an index, which change may
// spoil: the file of each tensor, and the tensors of each file.
func (r reference) shard(t *testing.T, change func(index map[string]string, files map[string][]string)) string {
	t.Helper()
	dir := r.write(t, "F32")
	if err := os.Remove(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	index, files := map[string]string{}, map[string][]string{}
	for i, name := range r.weights.Names() {
		file := [...]string{"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}[i%2]
		index[name], files[file] = file, append(files[file], name)
	}
	change(index, files)
	for file, names := range files {
		if err := os.WriteFile(filepath.Join(dir, file), r.file(t, "F32", names), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := json.Marshal(map[string]any{"metadata": map[string]int{"total_size": 1}, "weight_map": index})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "model.safetensors.index.json"), raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestShards: weights in several files are those in one.
func TestShards(t *testing.T) {
	for name, output := range logits {
		r := open(t, name)
		m, err := huggingface.Open(r.shard(t, func(map[string]string, map[string][]string) {}))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := r.difference(m.Model, r.io.Arrays[output]); !(d <= 2e-5) {
			t.Errorf("%s: the logits differ by %g", name, d)
		}
	}
}

// TestShardsRefused: an index and its files must say the same, and stay in the folder.
func TestShardsRefused(t *testing.T) {
	const one, two, wpe = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "transformer.wpe.weight"
	type spoil = func(index map[string]string, files map[string][]string)
	elsewhere := func(file string) spoil {
		return func(index map[string]string, _ map[string][]string) { index[wpe] = file }
	}
	for says, change := range map[string]spoil{
		`"../x.safetensors" is not the name of a .safetensors file in the same folder`: elsewhere("../x.safetensors"),
		`"sub/x.safetensors" is not`: elsewhere("sub/x.safetensors"),
		`"/etc/passwd" is not`:       elsewhere("/etc/passwd"),
		`"" is not`:                  elsewhere(""),
		`"config.json" is not`:       elsewhere("config.json"),
		"has " + wpe + ", which model.safetensors.index.json does not put there": func(index map[string]string, _ map[string][]string) { delete(index, wpe) },
		two + " has no absent, which model.safetensors.index.json puts there":    func(index map[string]string, _ map[string][]string) { index["absent"] = two },
		one + ": no such":     func(_ map[string]string, files map[string][]string) { delete(files, one) },
		"weight_map must say": func(index map[string]string, _ map[string][]string) { clear(index) },
		"transformer.wpe.weight": func(index map[string]string, files map[string][]string) {
			file := index[wpe]
			delete(index, wpe)
			files[file] = slices.DeleteFunc(files[file], func(s string) bool { return s == wpe })
		},
	} {
		if _, err := huggingface.Open(open(t, "gpt2").shard(t, change)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("the error should say %s: %v", says, err)
		}
	}
}

// TestIndexes: an index that is no map of names to files.
func TestIndexes(t *testing.T) {
	r := open(t, "gpt2")
	for raw, says := range map[string]string{
		"": "is empty", "[]": "must be an object", "{}": "weight_map", `{"weight_map": null}`: "weight_map",
		`{"weight_map": {"a": 1}}`: "weight_map", `{"weight_map": ["a"]}`: "weight_map",
	} {
		dir := r.shard(t, func(map[string]string, map[string][]string) {})
		if err := os.WriteFile(filepath.Join(dir, "model.safetensors.index.json"), []byte(raw), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := huggingface.Open(dir); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: the error should say %s: %v", raw, says, err)
		}
	}
}

// TestIndexIsAModel: weights beside a spoilt config.json make a folder a model too.
func TestIndexIsAModel(t *testing.T) {
	dir := open(t, "gpt2").shard(t, func(map[string]string, map[string][]string) {})
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	if !huggingface.Is(dir) {
		t.Error("a folder with an index is not taken for a model")
	}
}

package huggingface_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/huggingface"
)

// adapted returns a copy of an adapter with changed fields in its configuration, next to a copy of its base model.
func adapted(t *testing.T, fields map[string]any) string {
	t.Helper()
	parent := t.TempDir()
	for from, to := range map[string]string{"bert-classify": "bert-classify", "lora-bert": "adapter"} {
		if err := os.CopyFS(filepath.Join(parent, to), os.DirFS(filepath.Join("testdata", from))); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(parent, "adapter", "adapter_config.json")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	for name, value := range fields {
		c[name] = value
	}
	raw, _ = json.Marshal(c)
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(parent, "adapter")
}

// TestAdapters: an adapter opens with the sizes of its base model and of its own file. An adapter that changes more
// than low-rank matrices can, or that does not fit the base model, is rejected with the name of the cause.
func TestAdapters(t *testing.T) {
	base, err := huggingface.Summarise("testdata/bert-classify")
	if err != nil {
		t.Fatal(err)
	}
	dir := adapted(t, nil)
	s, err := huggingface.Summarise(dir)
	if err != nil || s.Params != base.Params || s.Bytes <= base.Bytes || s.Class != base.Class+" + LoRA" ||
		!huggingface.Is(dir) {
		t.Errorf("%+v of the base %+v: %v", s, base, err)
	}
	for name, fields := range map[string]map[string]any{
		"peft_type": {"peft_type": "LOHA"}, "use_dora": {"use_dora": true}, "alpha_pattern": {"alpha_pattern": map[string]int{"query": 3}},
		"new_config": {"new_config": map[string]int{"a": 1}}, "init_lora_weights": {"init_lora_weights": "pissa_niter_4"},
		"nobody/nothing": {"base_model_name_or_path": "nobody/nothing"},
		"base_model":     {"base_model_name_or_path": ""},
	} {
		_, err := huggingface.Open(adapted(t, fields))
		if name == "base_model" && err != nil && strings.Contains(err.Error(), "base model") {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v", fields, err)
		}
	}
	missing := adapted(t, nil)
	if err := os.Remove(filepath.Join(missing, "adapter_model.safetensors")); err != nil {
		t.Fatal(err)
	}
	if _, err := huggingface.Open(missing); err == nil || !strings.Contains(err.Error(), "adapter_model.safetensors") {
		t.Errorf("without weights: %v", err)
	}
	for _, half := range []string{"lora_A", "lora_B"} { // one matrix of two
		dir := adapted(t, nil)
		file := filepath.Join(dir, "adapter_model.safetensors")
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		raw = []byte(strings.Replace(string(raw), "self.query."+half, "self.quer1."+half, 1))
		if err := os.WriteFile(file, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := huggingface.Open(dir); err == nil || !strings.Contains(err.Error(), "self.quer") {
			t.Errorf("without %s: %v", half, err)
		}
	}
}

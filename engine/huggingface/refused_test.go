package huggingface_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/huggingface"
)

// small is a golden folder that tests modify.
const small = "testdata/bert-classify"

// copyOf returns a copy of a folder with some files changed.
func copyOf(t testing.TB, dir string, change map[string]func([]byte) []byte) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range []string{"config.json", "model.safetensors"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if f := change[name]; f != nil {
			raw = f(raw)
		}
		if raw == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(to, name), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// configured sets fields of a config.json.
func configured(fields map[string]any) map[string]func([]byte) []byte {
	return map[string]func([]byte) []byte{"config.json": func(raw []byte) []byte {
		var c map[string]any
		if err := json.Unmarshal(raw, &c); err != nil {
			panic(err)
		}
		for name, value := range fields {
			c[name] = value
		}
		raw, _ = json.Marshal(c)
		return raw
	}}
}

// TestConfigRefused: unsupported options in a config.json are rejected with the name of the field.
func TestConfigRefused(t *testing.T) {
	for field, wrong := range map[string][]any{
		"hidden_act":              {"swoosh", 3, ""},
		"position_embedding_type": {"relative_key_query"},
		"num_attention_heads":     {5, 0, -1, "3"},
		"vocab_size":              {float64(1 << 60), -1, 1.5},
		"num_hidden_layers":       {1, 3, float64(1 << 50)},
		"hidden_size":             {27, float64(1 << 40)},
		"layer_norm_eps":          {0, "x"},
		"add_cross_attention":     {true},
		"auto_map":                {map[string]string{"AutoModel": "modeling.Model"}},
		"quantization_config":     {map[string]string{"quant_method": "gptq"}},
		"model_type":              {"mamba"},
	} {
		for _, value := range wrong {
			_, err := huggingface.Open(copyOf(t, small, configured(map[string]any{field: value})))
			told := err != nil && strings.Contains(err.Error(), field)
			if err != nil && !told { // sizes that contradict the weights are reported with the tensor
				told = strings.Contains(err.Error(), "config.json") || strings.Contains(err.Error(), "missing")
			}
			if !told {
				t.Errorf("%s = %v: %v", field, value, err)
			}
		}
	}
}

// TestFilesRefused: broken and inconsistent weight files give an error.
func TestFilesRefused(t *testing.T) {
	header := func(change func(string) string) func([]byte) []byte {
		return func(raw []byte) []byte {
			n := binary.LittleEndian.Uint64(raw)
			text := change(string(raw[8 : 8+n]))
			return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), raw[8+n:]...)
		}
	}
	for says, change := range map[string]func([]byte) []byte{
		"its header promises": func(raw []byte) []byte { return raw[:len(raw)-100] },
		"the header claims": func(raw []byte) []byte {
			return append(binary.LittleEndian.AppendUint64(nil, 1<<40),
				raw[8:]...)
		},
		"not a safetensors file": func(raw []byte) []byte {
			return append(binary.LittleEndian.AppendUint64(nil, 8),
				"not JSON"...)
		},
		"never downloaded":       func([]byte) []byte { return []byte("version https://git-lfs.github.com/spec/v1\nsize 3\n") },
		"ends before its header": func([]byte) []byte { return nil2() },
		"has the type": header(func(s string) string {
			return strings.ReplaceAll(s, `"dtype":"F32"`,
				`"dtype":"I32"`)
		}),
		"self.key.weight": header(func(s string) string {
			return strings.Replace(s, "0.attention.self.key.weight", "0.attention.self.kez.weight", 1)
		}),
		"the type “F8_E4M3”": header(func(s string) string {
			return strings.Replace(s, `"dtype":"F32"`,
				`"dtype":"F8_E4M3"`, 1)
		}),
		"there is no model.safetens": func([]byte) []byte { return nil },
	} {
		_, err := huggingface.Open(copyOf(t, small, map[string]func([]byte) []byte{"model.safetensors": change}))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// nil2 returns the content of an empty file.
func nil2() []byte { return []byte{} }

// TestHostileHeaders: files with random changes in their headers open or give an error. Nothing
// panics, and no memory is allocated beyond the size of the file.
func TestHostileHeaders(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(small, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	n := int(binary.LittleEndian.Uint64(raw)) + 8
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"-1", "1e99", "99999999999999999999", "[]", "null", "{}", "\"", ":", "0", "[[", "F16",
		"I64", "\x00"}
	refused := 0
	for range 400 {
		changed := bytes.Clone(raw)
		for range 1 + random.IntN(3) {
			piece := pieces[random.IntN(len(pieces))]
			copy(changed[8+random.IntN(n-24):], piece)
		}
		dir := copyOf(t, small, map[string]func([]byte) []byte{"model.safetensors": func([]byte) []byte { return changed }})
		if m, err := huggingface.Open(dir); err == nil {
			_, _, _ = m.Forward()
		} else {
			refused++
		}
	}
	if refused < 200 {
		t.Errorf("of 400 changed headers %d were refused", refused)
	}
}

// TestRefused: every folder of the collection that must not open gives an error.
func TestRefused(t *testing.T) {
	dir := os.Getenv(goldensVariable)
	if dir == "" {
		t.Skip("no " + goldensVariable)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "refused", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]string
	if err := json.Unmarshal(raw, &expected); err != nil {
		t.Fatal(err)
	}
	for name, says := range expected {
		_, err := huggingface.Open(filepath.Join(dir, "refused", name))
		opens := strings.HasPrefix(name, "tokenizer-") || name == "not-a-number" || name == "no-tokenizer" ||
			name == "float64-weights"
		if opens != (err == nil) {
			t.Errorf("%s: %v; wanted: %s", name, err, says)
		}
		t.Logf("%s: %v\n\twanted: %s", name, err, says)
	}
}

// TestFamiliesRefused: unsupported options of single families are rejected with the name of the field.
func TestFamiliesRefused(t *testing.T) {
	for wrong, config := range map[string]string{
		"rope_scaling = 3":         `"llama", "rope_scaling": 3`,
		"rope_parameters = [1]":    `"gemma3_text", "rope_parameters": [1]`,
		"partial_rotary_factor = ": `"stablelm", "partial_rotary_factor": 9`,
		"n_head = 1000":            `"gpt2", "n_head": 1000`,
		"slow_but_exact = true":    `"bloom", "slow_but_exact": true`,
		"head_dim = 7":             `"llama", "head_dim": 7`,
		"rotary_dim = 3":           `"gptj", "rotary_dim": 3`,
		"num_attention_heads = 12": `"starcoder2", "hidden_size": 36, "num_attention_heads": 12`,
	} {
		_, err := huggingface.ParseConfig([]byte(`{"model_type": ` + config + `}`))
		if err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

package huggingface_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/x448/float16"

	"attnatlas/engine/ad"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// reference is a case of package verify, whose weights are a state dict.
type reference struct {
	config  map[string]any
	weights *checkpoint.File
	io      *checkpoint.File
}

func open(t testing.TB, name string) reference {
	t.Helper()
	dir := filepath.Join("..", "verify", "testdata", name, "n10_b1")
	read := func(file string) []byte {
		raw, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	var c struct {
		Class string         `json:"class"`
		HF    map[string]any `json:"hf_config"`
	}
	if err := json.Unmarshal(read("config.json"), &c); err != nil {
		t.Fatal(err)
	}
	c.HF["architectures"] = []string{c.Class}
	r := reference{config: c.HF}
	for file, to := range map[string]**checkpoint.File{"weights.safetensors": &r.weights, "io.safetensors": &r.io} {
		f, err := checkpoint.Parse(read(file))
		if err != nil {
			t.Fatal(err)
		}
		*to = f
	}
	return r
}

// write makes a model folder; dtype is F32, F16 or BF16.
func (r reference) write(t testing.TB, dtype string) string {
	t.Helper()
	dir := t.TempDir()
	raw, err := json.Marshal(r.config)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"config.json": raw, "model.safetensors": r.file(t, dtype, r.weights.Names())} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// file is a safetensors file of some of the weights.
func (r reference) file(t testing.TB, dtype string, names []string) []byte {
	t.Helper()
	header, data := map[string]any{}, []byte{}
	for _, name := range names {
		a, from := r.weights.Arrays[name], len(data)
		for _, v := range a.Data {
			bits := math.Float32bits(float32(v))
			switch dtype {
			case "F32":
				data = binary.LittleEndian.AppendUint32(data, bits)
			case "F16":
				data = binary.LittleEndian.AppendUint16(data, float16.Fromfloat32(float32(v)).Bits())
			case "BF16":
				data = binary.LittleEndian.AppendUint16(data, uint16(bits>>16))
			}
		}
		header[name] = map[string]any{"dtype": dtype, "shape": append([]int{}, a.Shape...), "data_offsets": []int{from, len(data)}}
	}
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	head = append(head, strings.Repeat(" ", (8-len(head)%8)%8)...)
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, data)
}

var logits = map[string]string{"bert": "prediction_logits", "albert": "prediction_logits", "gpt2": "logits"}

// difference is how far the model's scores of the words are from the reference's.
func (r reference) difference(m *encoder.Model, want *tensor.T) float64 {
	in := encoder.Input{Count: 1}
	every := []int{}
	for i, id := range r.io.Ints["input_ids"].Data {
		in.IDs, every = append(in.IDs, int(id)), append(every, i)
	}
	if types, ok := r.io.Ints["token_type_ids"]; ok {
		for _, t := range types.Data {
			in.Types = append(in.Types, int(t))
		}
	}
	p := nn.NewPass(ad.NewFrozen())
	got := m.Words(p, m.Run(p, in), every).Value
	worst := 0.0
	for i, v := range want.Data {
		worst = max(worst, math.Abs(float64(got.Data[i]-v)))
	}
	return worst
}

// TestFoldersOpen: a folder in any precision gives the reference's logits, within what
// the precision leaves of the weights.
func TestFoldersOpen(t *testing.T) {
	for name, output := range logits {
		r := open(t, name)
		for dtype, tolerance := range map[string]float64{"F32": 2e-5, "F16": 2e-2, "BF16": 0.25} {
			m, err := huggingface.Open(r.write(t, dtype))
			if err != nil {
				t.Fatalf("%s %s: %v", name, dtype, err)
			}
			if d := r.difference(m.Model, r.io.Arrays[output]); !(d <= tolerance) || dtype == "BF16" && d == 0 {
				t.Errorf("%s %s: the logits differ by %g", name, dtype, d)
			}
			if len(m.Tied) == 0 {
				t.Errorf("%s: nothing is tied, though the file repeats the word embeddings", name)
			}
			for _, u := range m.Unused {
				if !strings.HasSuffix(u, "masked_bias") {
					t.Errorf("%s: %s is not used", name, u)
				}
			}
		}
	}
}

// TestFilesOfOtherVersions: tied tensors may be left out, whichever of the two;
// GPT-2's prefix too; and LayerNorm's parts may have their old names.
func TestFilesOfOtherVersions(t *testing.T) {
	rename := func(change func(string) string) func(reference) {
		return func(r reference) {
			for _, name := range r.weights.Names() {
				a := r.weights.Arrays[name]
				delete(r.weights.Arrays, name)
				if name = change(name); name != "" {
					r.weights.Arrays[name] = a
				}
			}
		}
	}
	without := func(names ...string) func(string) string {
		return func(s string) string {
			if slices.Contains(names, s) {
				return ""
			}
			return s
		}
	}
	for _, c := range []struct {
		name, what string
		change     func(string) string
	}{
		{"gpt2", "no lm_head", without("lm_head.weight")},
		{"gpt2", "no wte", without("transformer.wte.weight")},
		{"gpt2", "no prefix", func(s string) string { return strings.TrimPrefix(s, "transformer.") }},
		{"bert", "no decoder", without("cls.predictions.decoder.weight", "cls.predictions.decoder.bias")},
		{"bert", "no bias but the decoder's", without("cls.predictions.bias")},
		{"bert", "gamma and beta", strings.NewReplacer("LayerNorm.weight", "LayerNorm.gamma", "LayerNorm.bias", "LayerNorm.beta").Replace},
		{"albert", "no decoder", without("predictions.decoder.weight", "predictions.decoder.bias")},
	} {
		r := open(t, c.name)
		rename(c.change)(r)
		m, err := huggingface.Open(r.write(t, "F32"))
		if err != nil {
			t.Errorf("%s, %s: %v", c.name, c.what, err)
			continue
		}
		if d := r.difference(m.Model, r.io.Arrays[logits[c.name]]); !(d <= 2e-5) {
			t.Errorf("%s, %s: the logits differ by %g", c.name, c.what, d)
		}
	}
}

// TestMaskedLM: the class that has no head for sentences opens if its file has the
// head all the same; nothing is made up for one that has not.
func TestMaskedLM(t *testing.T) {
	for name, class := range map[string]string{"bert": "BertForMaskedLM", "albert": "AlbertForMaskedLM"} {
		r := open(t, name)
		r.config["architectures"] = []string{class}
		m, err := huggingface.Open(r.write(t, "F32"))
		if err != nil {
			t.Errorf("%s: %v", class, err)
			continue
		}
		if d := r.difference(m.Model, r.io.Arrays[logits[name]]); !(d <= 2e-5) || m.Library.Architecture() != class {
			t.Errorf("%s, opened as %s: the logits differ by %g", class, m.Library.Architecture(), d)
		}
		missing := map[string][]string{
			"bert":   {"bert.pooler.dense.bias", "bert.pooler.dense.weight", "cls.seq_relationship.bias", "cls.seq_relationship.weight"},
			"albert": {"albert.pooler.bias", "albert.pooler.weight", "sop_classifier.classifier.bias", "sop_classifier.classifier.weight"},
		}[name]
		for _, n := range missing {
			delete(r.weights.Arrays, n)
		}
		says := fmt.Sprintf("%s is opened as %[2]s, but 4 of the tensors of %[2]s are missing: %s", class, strings.Replace(class, "MaskedLM", "PreTraining", 1), strings.Join(missing, ", "))
		if _, err := huggingface.Open(r.write(t, "F32")); err == nil || !strings.HasSuffix(err.Error(), says) {
			t.Errorf("the error should say %s: %v", says, err)
		}
	}
}

// TestRefusals: what the engine would compute otherwise, or cannot find, is
// named.
func TestRefusals(t *testing.T) {
	set := func(field string, value any) func(reference) { return func(r reference) { r.config[field] = value } }
	more := func(name string) func(reference) {
		return func(r reference) { r.weights.Arrays[name] = tensor.New(1) }
	}
	for _, c := range []struct {
		name, says string
		change     func(reference)
	}{
		{"bert", "position_embedding_type", set("position_embedding_type", "relative_key")},
		{"bert", "is_decoder", set("is_decoder", true)},
		{"bert", "tie_word_embeddings", set("tie_word_embeddings", false)},
		{"bert", `hidden_act = "silu"`, set("hidden_act", "silu")},
		{"bert", "BertForPreTraining", set("architectures", []string{"T5ForConditionalGeneration"})},
		{"bert", "hidden_size = 48 does not fit the weights, where it is 24: bert.embeddings.word_embeddings.weight has shape [50 24]", set("hidden_size", 48)},
		{"gpt2", "scale_attn_by_inverse_layer_idx", set("scale_attn_by_inverse_layer_idx", true)},
		{"gpt2", "scale_attn_weights", set("scale_attn_weights", false)},
		{"gpt2", "add_cross_attention", set("add_cross_attention", true)},
		{"albert", "num_hidden_groups = 7, but the weights have 1: there is no albert.encoder.albert_layer_groups.1", set("num_hidden_groups", 7)},
		{"albert", "inner_group_num = 2, but the weights have 1", set("inner_group_num", 2)},
		{"bert", "num_hidden_layers = 3, but the weights have 2: there is no bert.encoder.layer.2", set("num_hidden_layers", 3)},
		{"bert", "num_hidden_layers = 1 leaves out 16 of the weights: bert.encoder.layer.1.attention.output.LayerNorm.bias, " +
			"bert.encoder.layer.1.attention.output.LayerNorm.weight, bert.encoder.layer.1.attention.output.dense.bias, …; num_hidden_layers = 2 would fit",
			set("num_hidden_layers", 1)},
		{"gpt2", "; n_layer = 2 would fit", func(r reference) { r.config["n_layer"], r.config["num_hidden_layers"] = 1, 1 }},
		{"bert", "; num_hidden_layers = 12 would fit", more("bert.encoder.layer.11.output.dense.bias")},
		{"albert", "; num_hidden_groups = 2 would fit", more("albert.encoder.albert_layer_groups.1.albert_layers.0.ffn.bias")},
		{"albert", "; inner_group_num = 2 would fit", more("albert.encoder.albert_layer_groups.0.albert_layers.1.ffn.bias")},
		{"bert", "does not account for 1 of the weights: bert.encoder.layer.0.attention.self.distance_embedding.weight",
			more("bert.encoder.layer.0.attention.self.distance_embedding.weight")},
		{"bert", "does not account for 1 of the weights: bert.embeddings.LayerNorm.gamma", more("bert.embeddings.LayerNorm.gamma")}, // beside its weight
		{"gpt2", "does not account for 1 of the weights: transformer.h.1.crossattention.c_attn.bias", more("transformer.h.1.crossattention.c_attn.bias")},
		{"albert", "albert.pooler.weight", func(r reference) { delete(r.weights.Arrays, "albert.pooler.weight") }},
		{"gpt2", "lm_head.weight differs", func(r reference) { r.weights.Arrays["lm_head.weight"].Data[3]++ }},
	} {
		r := open(t, c.name)
		c.change(r)
		if _, err := huggingface.Open(r.write(t, "F32")); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error should name %s: %v", c.name, c.says, err)
		}
	}
}

// TestSpareTensors: what changes nothing may be in a file.
func TestSpareTensors(t *testing.T) {
	for model, names := range map[string][]string{
		"bert":   {"bert.embeddings.position_ids", "bert.embeddings.token_type_ids", "classifier.weight", "lm_head.weight"},
		"albert": {"albert.embeddings.position_ids", "qa_outputs.bias", "cls.predictions.decoder.bias"},
		"gpt2":   {"transformer.h.0.attn.bias", "h.1.attn.masked_bias", "h.1.ln_1.bias", "multiple_choice_head.summary.weight"},
	} {
		for _, name := range names {
			r := open(t, model)
			r.weights.Arrays[name] = tensor.New(1)
			m, err := huggingface.Open(r.write(t, "F32"))
			if err != nil {
				t.Errorf("%s with %s: %v", model, name, err)
			} else if !slices.ContainsFunc(m.Unused, func(u string) bool { return strings.HasSuffix(u, name) }) {
				t.Errorf("%s: %s is not listed as unused: %q", model, name, m.Unused)
			}
		}
	}
}

// TestOtherWeights: a folder whose weights are kept in another way is a model all the
// same, and is told what to do.
func TestOtherWeights(t *testing.T) {
	for file, says := range map[string]string{
		"pytorch_model.bin":            "safe_serialization=True",        //nolint:misspell // the library spells it so
		"model.safetensors.index.json": "model.safetensors.index.json: ", // no JSON
		"notes.txt":                    "there is no model.safetensors beside config.json",
	} {
		dir := open(t, "bert").write(t, "F32")
		if err := os.Rename(filepath.Join(dir, "model.safetensors"), filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
		if !huggingface.Is(dir) {
			t.Errorf("with %s, the folder is not taken for a model", file)
		}
		if _, err := huggingface.Open(dir); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("with %s, the error should say %s: %v", file, says, err)
		}
	}
}

// TestDefaults: a field that is left out has the library's default.
func TestDefaults(t *testing.T) {
	for modelType, want := range map[string]string{
		"bert":   "12 768 12 3072 512 30522 768 gelu",
		"albert": "12 4096 64 16384 512 30000 128 gelu-tanh",
		"gpt2":   "12 768 12 3072 1024 50257 0 gelu-tanh",
	} {
		c, err := huggingface.ParseConfig([]byte(fmt.Sprintf(`{"model_type": %q}`, modelType)))
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Model()
		if err != nil {
			t.Fatal(err)
		}
		if modelType == "bert" {
			m.Embed = m.Width
		}
		if got := strings.TrimSpace(fmt.Sprintln(m.Layers, m.Width, m.Heads, m.Inner, m.Length, m.Vocab, m.Embed, m.Act)); got != want {
			t.Errorf("%s: %s, wanted %s", modelType, got, want)
		}
	}
}

package huggingface_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// TestSizes: a size that is not the weights' own is refused by its field's name
// before anything of that size is allocated.
func TestSizes(t *testing.T) {
	bits := 40 // a variable: where int has 32 bits, the test still compiles
	huge := 1 << bits
	for _, c := range []struct {
		name, field string
		value       any
		says        string
	}{
		{"bert", "hidden_size", -16, "hidden_size = -16 must be positive"},
		{"bert", "hidden_size", huge, "hidden_size = 1099511627776 does not fit the weights, where it is 24"},
		{"bert", "vocab_size", 2000000000, "vocab_size = 2000000000 does not fit the weights, where it is 50"},
		{"bert", "max_position_embeddings", huge, "where it is 32: bert.embeddings.position_embeddings.weight has shape [32 24]"},
		{"bert", "type_vocab_size", 0, "type_vocab_size = 0 must be positive"},
		{"bert", "type_vocab_size", 3, "type_vocab_size = 3 does not fit the weights, where it is 2"},
		{"bert", "intermediate_size", huge, "where it is 36: bert.encoder.layer.0.intermediate.dense.weight"},
		{"bert", "num_hidden_layers", huge, "num_hidden_layers = 1099511627776, but the weights have 2"},
		{"bert", "num_attention_heads", 7, "num_attention_heads = 7 does not divide hidden_size = 24"},
		{"bert", "num_attention_heads", 0, "num_attention_heads = 0 must be positive"},
		{"bert", "layer_norm_eps", 0, "epsilon"},
		{"albert", "embedding_size", huge, "where it is 16"},
		{"albert", "hidden_size", 16, "where it is 24: albert.encoder.embedding_hidden_mapping_in.weight has shape [24 16]"},
		{"albert", "intermediate_size", 1, "where it is 36: albert.encoder.albert_layer_groups.0.albert_layers.0.ffn.weight"},
		{"albert", "num_hidden_layers", huge, "num_hidden_layers = 1099511627776 is more than 1000"},
		{"albert", "num_hidden_groups", huge, "num_hidden_groups = 1099511627776, but the weights have 1"},
		{"albert", "inner_group_num", -1, "inner_group_num = -1 must be positive"},
		{"gpt2", "n_embd", int64(1 << 62), "hidden_size = 24 contradicts n_embd = 4611686018427387904"},
		{"gpt2", "n_inner", 24, "n_inner = 24 does not fit the weights, where it is 96: transformer.h.0.mlp.c_fc.weight has shape [24 96]"},
		{"gpt2", "n_inner", 0, "n_inner = 0 must be positive"},
		{"gpt2", "n_head", 5, "contradicts"},

		{"bert", "hidden_size", "24", `hidden_size = "24" must be a whole number`},
		{"bert", "hidden_size", 24.5, "hidden_size = 24.5 must be a whole number"},
		{"bert", "hidden_size", nil, "hidden_size = null must be a whole number"},
		{"bert", "hidden_size", []int{24}, "hidden_size = [24] must be a whole number"},
		{"bert", "hidden_size", 1e30, "hidden_size = 1e+30 must be a whole number"},
		{"bert", "layer_norm_eps", "1e-12", `layer_norm_eps = "1e-12" must be a number`},
		{"bert", "is_decoder", "no", `is_decoder = "no" must be true or false`},
		{"bert", "architectures", "BertForPreTraining", `architectures = "BertForPreTraining" must be a list of strings`},
		{"bert", "hidden_act", strings.Repeat("x", 100), "hidden_act"},
		{"gpt2", "n_inner", "96", `n_inner = "96" must be a whole number or null`},
	} {
		r := open(t, c.name)
		r.config[c.field] = c.value
		if _, err := huggingface.Open(r.write(t, "F32")); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error should say %s: %v", c.name, c.says, err)
		}
	}
}

// TestShapes: what the embeddings do not say is looked at too before it is made.
func TestShapes(t *testing.T) {
	for model, name := range map[string]string{
		"bert": "bert.encoder.layer.1.attention.self.query.weight", "albert": "predictions.dense.bias", "gpt2": "transformer.h.1.mlp.c_proj.weight",
	} {
		r := open(t, model)
		r.weights.Arrays[name] = tensor.New(3, 1)
		if _, err := huggingface.Open(r.write(t, "F32")); err == nil || !strings.Contains(err.Error(), name+" has shape [3 1], which does not fit") {
			t.Errorf("%s: the error should name %s: %v", model, name, err)
		}
	}
}

// TestNoObject: a config.json that is no object at all.
func TestNoObject(t *testing.T) {
	for raw, says := range map[string]string{
		"":                              "config.json is empty",
		" \n":                           "config.json is empty",
		"{}":                            "config.json names no architecture",
		"null":                          "config.json is null; it must be an object",
		"[1, 2]":                        "config.json is [1, 2]; it must be an object",
		`"bert"`:                        `config.json is "bert"; it must be an object`,
		`{"model_type": "bert"`:         "unexpected end",
		`{"model_type": "t5"}`:          `model_type "t5"`,
		`{"MODEL_TYPE": "bert"}`:        "names no architecture",
		`{"x": ` + nested(100_000):      "max depth",
		nested(100):                     "config.json is [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…; it must be an object",
		`{"hidden_size": ` + nested(99): "unexpected end",
	} {
		if _, err := huggingface.ParseConfig([]byte(raw)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40s: the error should say %s: %v", raw, says, err)
		}
	}
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// TestNamesOfGPT2: its sizes may have the names that other models have for them.
func TestNamesOfGPT2(t *testing.T) {
	r := open(t, "gpt2")
	for _, name := range []string{"n_embd", "n_layer", "n_head", "n_positions"} {
		delete(r.config, name)
	}
	m, err := huggingface.Open(r.write(t, "F32"))
	if err != nil {
		t.Fatal(err)
	}
	if d := r.difference(m.Model, r.io.Arrays["logits"]); !(d <= 2e-5) {
		t.Errorf("the logits differ by %g", d)
	}
}

// FuzzConfig: no config.json brings a real state dict to a panic or to a model of more
// numbers than it has.
func FuzzConfig(f *testing.F) {
	var files []reference
	for _, name := range slices.Sorted(maps.Keys(logits)) {
		r := open(f, name)
		files = append(files, r)
		raw, err := json.Marshal(r.config)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	for _, raw := range []string{"", "{}", "[]", "null", `{"model_type": "bert", "hidden_size": -16}`, `{"model_type": "albert", "num_hidden_layers": 1000000000}`} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := huggingface.ParseConfig(raw)
		if err != nil {
			return
		}
		for _, r := range files {
			m, err := huggingface.Load(c, r.weights)
			if err != nil {
				continue
			}
			numbers := 0
			for _, a := range r.weights.Arrays {
				numbers += a.Len()
			}
			if n := nn.Count(m.Params); n > numbers {
				t.Errorf("%d numbers of %d", n, numbers)
			}
			p := nn.NewPass(ad.NewFrozen())
			m.Run(p, encoder.Input{IDs: []int{0, 1}, Count: 1})
		}
	})
}

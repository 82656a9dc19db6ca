package huggingface

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"attnatlas/engine/tensor"
)

// Place is the location of one of our parameters in a state dict.
type Place struct {
	Name string // of the tensor: "bert.pooler.dense.weight"
	// Turned: the tensor is [in,out], ours [out,in] (the library's Conv1D).
	Turned bool
	// Part of Parts: ours is this slice, counted from 0, of the tensor's outputs.
	Part, Parts int
}

// modules are the library's names of our modules. # is a number of a layer or group, from
// 1 in our names and from 0 in theirs.
var modules = map[string]map[string]string{
	"bert": {
		"words": "bert.embeddings.word_embeddings", "positions": "bert.embeddings.position_embeddings",
		"segments": "bert.embeddings.token_type_embeddings", "norm": "bert.embeddings.LayerNorm",
		"layer #/mixer/Q": "bert.encoder.layer.#.attention.self.query", "layer #/mixer/K": "bert.encoder.layer.#.attention.self.key",
		"layer #/mixer/V": "bert.encoder.layer.#.attention.self.value", "layer #/mixer/O": "bert.encoder.layer.#.attention.output.dense",
		"layer #/mixer norm": "bert.encoder.layer.#.attention.output.LayerNorm",
		"layer #/ffn/1":      "bert.encoder.layer.#.intermediate.dense", "layer #/ffn/2": "bert.encoder.layer.#.output.dense",
		"layer #/ffn norm":  "bert.encoder.layer.#.output.LayerNorm",
		"masked word/guess": "cls.predictions.transform.dense", "masked word/norm": "cls.predictions.transform.LayerNorm",
		"masked word": "cls.predictions", "pooler/pool": "bert.pooler.dense", "next sentence/class": "cls.seq_relationship",
	},
	"albert": {
		"words": "albert.embeddings.word_embeddings", "positions": "albert.embeddings.position_embeddings",
		"segments": "albert.embeddings.token_type_embeddings", "norm": "albert.embeddings.LayerNorm",
		"embedding":                  "albert.encoder.embedding_hidden_mapping_in",
		"group #/layer #/mixer/Q":    "albert.encoder.albert_layer_groups.#.albert_layers.#.attention.query",
		"group #/layer #/mixer/K":    "albert.encoder.albert_layer_groups.#.albert_layers.#.attention.key",
		"group #/layer #/mixer/V":    "albert.encoder.albert_layer_groups.#.albert_layers.#.attention.value",
		"group #/layer #/mixer/O":    "albert.encoder.albert_layer_groups.#.albert_layers.#.attention.dense",
		"group #/layer #/mixer norm": "albert.encoder.albert_layer_groups.#.albert_layers.#.attention.LayerNorm",
		"group #/layer #/ffn/1":      "albert.encoder.albert_layer_groups.#.albert_layers.#.ffn",
		"group #/layer #/ffn/2":      "albert.encoder.albert_layer_groups.#.albert_layers.#.ffn_output",
		"group #/layer #/ffn norm":   "albert.encoder.albert_layer_groups.#.albert_layers.#.full_layer_layer_norm",
		"masked word/guess":          "predictions.dense", "masked word/norm": "predictions.LayerNorm", "masked word": "predictions",
		"pooler/pool": "albert.pooler", "sentence order/class": "sop_classifier.classifier",
	},
	"gpt2": {
		"words": "transformer.wte", "positions": "transformer.wpe", "norm": "transformer.ln_f",
		"layer #/mixer/Q": "transformer.h.#.attn.c_attn", "layer #/mixer/K": "transformer.h.#.attn.c_attn",
		"layer #/mixer/V": "transformer.h.#.attn.c_attn", "layer #/mixer/O": "transformer.h.#.attn.c_proj",
		"layer #/mixer norm": "transformer.h.#.ln_1", "layer #/ffn norm": "transformer.h.#.ln_2",
		"layer #/ffn/1": "transformer.h.#.mlp.c_fc", "layer #/ffn/2": "transformer.h.#.mlp.c_proj",
	},
}

var number = regexp.MustCompile(`(layer|group) (\d+)`)

// PlaceOf finds a parameter by our name in the state dict of a model type.
func PlaceOf(modelType, param string) (Place, error) {
	pattern := number.ReplaceAllString(param, "$1 #")
	at := strings.LastIndexByte(pattern, '/')
	module, leaf := pattern[:max(at, 0)], pattern[at+1:]
	kind := "weight"
	switch {
	case leaf == "beta", leaf == "b":
		kind = "bias"
	case leaf == "gamma":
	case strings.HasPrefix(leaf, "W_"):
		module += "/" + leaf[2:]
	case strings.HasPrefix(leaf, "b_"):
		module, kind = module+"/"+leaf[2:], "bias"
	default:
		module = pattern
	}
	name, ok := modules[modelType][strings.TrimPrefix(module, "/")]
	if !ok {
		return Place{}, fmt.Errorf("huggingface: %s has nothing like the parameter %q", modelType, param)
	}
	for _, found := range number.FindAllStringSubmatch(param, -1) {
		n, _ := strconv.Atoi(found[2]) // digits
		name = strings.Replace(name, "#", strconv.Itoa(n-1), 1)
	}
	p := Place{Name: name + "." + kind, Parts: 1}
	if modelType == "gpt2" && strings.HasPrefix(pattern, "layer #/") && !strings.Contains(pattern, "norm/") {
		p.Turned = kind == "weight"
		if part := strings.IndexByte("QKV", leaf[len(leaf)-1]); part >= 0 {
			p.Part, p.Parts = part, 3
		}
	}
	return p, nil
}

// Fits says whether a tensor has the shape that a parameter of ours needs there.
func (p Place) Fits(theirs, ours []int) bool {
	if len(theirs) != len(ours) {
		return false
	}
	want := append([]int{}, ours...)
	want[0] *= p.Parts
	if p.Turned {
		want[0], want[1] = want[1], want[0]
	}
	for i := range want {
		if theirs[i] != want[i] {
			return false
		}
	}
	return true
}

// Read copies our parameter out of the tensor: the number i of ours is the number j of theirs.
func (p Place) Read(ours, theirs *tensor.T) {
	if !p.Fits(theirs.Shape, ours.Shape) {
		panic(tensor.ShapeError{Op: "huggingface: " + p.Name, Want: fmt.Sprint(ours.Shape), Got: fmt.Sprint(theirs.Shape)})
	}
	from := p.Part * ours.Len()
	for i := range ours.Data {
		j := from + i
		if p.Turned {
			in := ours.Dim(1)
			out := p.Part*ours.Dim(0) + i/in
			j = i%in*ours.Dim(0)*p.Parts + out
		}
		ours.Data[i] = theirs.Data[j]
	}
}

package huggingface

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
)

// Config holds the fields of a config.json that change the computation. Fields that a
// file leaves out have the library's defaults.
type Config struct {
	Architectures []string `json:"architectures"`
	ModelType     string   `json:"model_type"`

	// BERT and ALBERT
	Width     int     `json:"hidden_size"`
	Layers    int     `json:"num_hidden_layers"`
	Heads     int     `json:"num_attention_heads"`
	Inner     int     `json:"intermediate_size"`
	Act       string  `json:"hidden_act"`
	Eps       float64 `json:"layer_norm_eps"`
	Vocab     int     `json:"vocab_size"`
	Types     int     `json:"type_vocab_size"`
	Length    int     `json:"max_position_embeddings"`
	Positions string  `json:"position_embedding_type"`
	Pad       *int    `json:"pad_token_id"`
	Decoder   bool    `json:"is_decoder"`
	Cross     bool    `json:"add_cross_attention"`
	Tied      *bool   `json:"tie_word_embeddings"`

	// ALBERT
	Embed  int `json:"embedding_size"`
	Groups int `json:"num_hidden_groups"`
	InEach int `json:"inner_group_num"`

	// GPT-2
	GPTWidth  int     `json:"n_embd"`
	GPTHeads  int     `json:"n_head"`
	GPTLayers int     `json:"n_layer"`
	GPTInner  *int    `json:"n_inner"` // null: 4·n_embd
	GPTLength int     `json:"n_positions"`
	GPTAct    string  `json:"activation_function"`
	GPTEps    float64 `json:"layer_norm_epsilon"`
	Scaled    *bool   `json:"scale_attn_weights"`
	ByLayer   bool    `json:"scale_attn_by_inverse_layer_idx"`
}

// classes are the known classes of the library, with their model types. The first
// of a type has every tensor that the engine needs. The others have fewer heads, though
// files of theirs often keep those of the model that they were made from.
var classes = []struct{ name, modelType string }{
	{"BertForPreTraining", "bert"}, {"AlbertForPreTraining", "albert"}, {"GPT2LMHeadModel", "gpt2"},
	{"BertForMaskedLM", "bert"}, {"AlbertForMaskedLM", "albert"},
}

// defaults are the library's, by model type.
var defaults = map[string]Config{
	"bert": {Width: 768, Layers: 12, Heads: 12, Inner: 3072, Act: "gelu", Eps: 1e-12, Vocab: 30522, Types: 2, Length: 512},
	"albert": {Width: 4096, Layers: 12, Heads: 64, Inner: 16384, Act: "gelu_new", Eps: 1e-12, Vocab: 30000, Types: 2,
		Length: 512, Embed: 128, Groups: 1, InEach: 1},
	"gpt2": {GPTWidth: 768, GPTHeads: 12, GPTLayers: 12, GPTLength: 1024, GPTAct: "gelu_new", GPTEps: 1e-5, Vocab: 50257},
}

// ParseConfig reads a config.json.
func ParseConfig(raw []byte) (Config, error) {
	var asked Config
	o, err := parseObject(configFile, raw)
	if err != nil {
		return asked, err
	}
	if err := asked.set(o); err != nil {
		return asked, err
	}
	name, modelType, err := asked.architecture()
	if err != nil {
		return asked, err
	}
	c := defaults[modelType]
	if err := c.set(o); err != nil {
		return c, err
	}
	c.Architectures, c.ModelType = []string{name}, modelType
	if err := c.alias(asked); err != nil {
		return c, err
	}
	return c, c.check()
}

// alias reads GPT-2's sizes under the names of other models, as the library does.
func (c *Config) alias(asked Config) error {
	if c.ModelType != "gpt2" {
		return nil
	}
	for _, a := range []struct {
		other, name       string
		otherAsked, asked int
		to                *int
	}{
		{"hidden_size", "n_embd", asked.Width, asked.GPTWidth, &c.GPTWidth},
		{"num_hidden_layers", "n_layer", asked.Layers, asked.GPTLayers, &c.GPTLayers},
		{"num_attention_heads", "n_head", asked.Heads, asked.GPTHeads, &c.GPTHeads},
		{"max_position_embeddings", "n_positions", asked.Length, asked.GPTLength, &c.GPTLength},
	} {
		switch {
		case a.otherAsked == 0 || a.otherAsked == a.asked:
		case a.asked != 0:
			return messages.Errorf("huggingface.contradiction", "field", a.other, "value", strconv.Itoa(a.otherAsked), "same", a.name, "given", strconv.Itoa(a.asked))
		default:
			*a.to = a.otherAsked
		}
	}
	return nil
}

// architecture is the class that the file names, or the first of its model type, and
// the type.
func (c Config) architecture() (name, modelType string, err error) {
	var known messages.List
	for _, class := range classes {
		if slices.Contains(c.Architectures, class.name) || len(c.Architectures) == 0 && class.modelType == c.ModelType {
			return class.name, class.modelType, nil
		}
		known = append(known, class.name)
	}
	if len(c.Architectures) == 0 && c.ModelType == "" {
		return "", "", messages.Errorf("huggingface.architectures", "known", known)
	}
	return "", "", messages.Errorf("huggingface.architecture", "given", messages.List(c.Architectures), "type", messages.Quote(c.ModelType), "known", known)
}

// full is the class of the model type that has every tensor that the engine needs.
func (c Config) full() string {
	for _, class := range classes {
		if class.modelType == c.ModelType {
			return class.name
		}
	}
	panic("huggingface: no class has the model type " + c.ModelType) // architecture has found one
}

// Architecture is the name of the library's class: "BertForPreTraining".
func (c Config) Architecture() string { return c.Architectures[0] }

// check refuses values that the engine does not support.
func (c Config) check() error {
	refuse := func(field string, value any, right string) error {
		return messages.Errorf("huggingface.field", "field", field, "value", fmt.Sprint(value), "right", right)
	}
	switch {
	case c.Positions != "" && c.Positions != "absolute":
		return refuse("position_embedding_type", strconv.Quote(c.Positions), `"absolute"`)
	case c.Decoder && c.ModelType != "gpt2":
		return refuse("is_decoder", true, "false")
	case c.Cross:
		return refuse("add_cross_attention", true, "false")
	case c.Tied != nil && !*c.Tied:
		return refuse("tie_word_embeddings", false, "true")
	case c.Scaled != nil && !*c.Scaled:
		return refuse("scale_attn_weights", false, "true")
	case c.ByLayer:
		return refuse("scale_attn_by_inverse_layer_idx", true, "false")
	}
	return c.checkSizes()
}

// activations are ours by the library's names.
var activations = map[string]encoder.Activation{
	"gelu": encoder.GELU, "gelu_python": encoder.GELU, "relu": encoder.ReLU,
	"gelu_new": encoder.GELUTanh, "gelu_pytorch_tanh": encoder.GELUTanh,
}

func (c Config) activation() (encoder.Activation, error) {
	field, name := "hidden_act", c.Act
	if c.ModelType == "gpt2" {
		field, name = "activation_function", c.GPTAct
	}
	act, ok := activations[name]
	if !ok {
		return "", messages.Errorf("huggingface.activation", "field", field, "value", messages.Quote(name), "known", messages.List(slices.Sorted(maps.Keys(activations))))
	}
	return act, nil
}

// Model converts the configuration into ours.
func (c Config) Model() (encoder.Config, error) {
	act, err := c.activation()
	if err != nil {
		return encoder.Config{}, err
	}
	m := encoder.Config{Stack: c.ModelType, Mechanism: attention.DotProduct.ID, Vocab: c.Vocab, Act: act, Tasks: []encoder.Task{}}
	if c.ModelType == "gpt2" {
		m.Objective, m.Norm = encoder.NextWord, encoder.PreNorm
		m.Width, m.Heads, m.Layers, m.Length, m.Eps, m.Inner = c.GPTWidth, c.GPTHeads, c.GPTLayers, c.GPTLength, c.GPTEps, 4*c.GPTWidth
		if c.GPTInner != nil {
			m.Inner = *c.GPTInner
		}
		return m, nil
	}
	m.Objective, m.Norm, m.Types, m.Tasks = encoder.MaskedWords, encoder.PostNorm, c.Types, []encoder.Task{encoder.NextSentence}
	m.Width, m.Heads, m.Layers, m.Length, m.Eps, m.Inner = c.Width, c.Heads, c.Layers, c.Length, c.Eps, c.Inner
	if c.ModelType == "albert" {
		m.Embed, m.Tasks = c.Embed, []encoder.Task{encoder.SentenceOrder}
		m.Options = map[string]string{"groups": strconv.Itoa(c.Groups), "inner": strconv.Itoa(c.InEach)}
	}
	return m, nil
}

package huggingface

import (
	"fmt"
	"slices"
	"strconv"

	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
)

// size is a positive number of config.json. Where the weights have it too, it is one axis
// of a parameter of ours.
type size struct {
	field string
	value int
	param string // empty: it is no axis of a weight
	axis  int
}

// sizes are the sizes of a model, with the field names of its type.
func (c Config) sizes(m encoder.Config) []size {
	if c.ModelType == "gpt2" {
		return []size{
			{"vocab_size", m.Vocab, "words", 0}, {"n_embd", m.Width, "words", 1}, {"n_positions", m.Length, "positions", 0},
			{"n_inner", m.Inner, "layer 1/ffn/W_1", 0}, {field: "n_layer", value: m.Layers}, {field: "n_head", value: m.Heads},
		}
	}
	out := []size{
		{"vocab_size", m.Vocab, "words", 0}, {"max_position_embeddings", m.Length, "positions", 0}, {"type_vocab_size", m.Types, "segments", 0},
		{field: "num_hidden_layers", value: m.Layers}, {field: "num_attention_heads", value: m.Heads},
	}
	if c.ModelType == "albert" {
		return append(out, size{"embedding_size", m.Embed, "words", 1}, size{"hidden_size", m.Width, "W_embedding", 0},
			size{"intermediate_size", m.Inner, "group 1/layer 1/ffn/W_1", 0},
			size{field: "num_hidden_groups", value: c.Groups}, size{field: "inner_group_num", value: c.InEach})
	}
	return append(out, size{"hidden_size", m.Width, "words", 1}, size{"intermediate_size", m.Inner, "layer 1/ffn/W_1", 0})
}

// deepest is the largest depth of ALBERT, which its weights do not limit.
const deepest = 1000

// checkSizes refuses sizes that no weights can have.
func (c Config) checkSizes() error {
	m, err := c.Model()
	if err != nil {
		return err
	}
	width, heads := "hidden_size", "num_attention_heads"
	if c.ModelType == "gpt2" {
		width, heads = "n_embd", "n_head"
	}
	for _, s := range c.sizes(m) {
		if s.value < 1 {
			return messages.Errorf("huggingface.positive", "field", s.field, "value", strconv.Itoa(s.value))
		}
	}
	switch {
	case m.Width%m.Heads != 0:
		return messages.Errorf("huggingface.divides", "heads", heads, "value", strconv.Itoa(m.Heads), "width", width, "given", strconv.Itoa(m.Width))
	case m.Eps <= 0:
		return messages.Errorf("huggingface.epsilon", "value", fmt.Sprint(m.Eps))
	case c.ModelType == "albert" && m.Layers > deepest:
		return messages.Errorf("huggingface.deep", "value", strconv.Itoa(m.Layers), "most", deepest)
	}
	return nil
}

// check compares the size with the weights, where they have the parameter.
func (s size) check(l *loader) error {
	if s.param == "" {
		return nil
	}
	place, err := PlaceOf(l.model.Library.ModelType, s.param)
	if err != nil {
		return err
	}
	name, a := l.find(place.Name)
	if a == nil || a.Rank() != 2 {
		return nil // shapes say so
	}
	axis := s.axis
	if place.Turned {
		axis = 1 - axis
	}
	if n := a.Dim(axis); n != s.value {
		return messages.Errorf("huggingface.size", "field", s.field, "value", strconv.Itoa(s.value), "size", strconv.Itoa(n), "array", name, "shape", fmt.Sprint(a.Shape))
	}
	return nil
}

// param is the name and shape of a parameter of ours.
type param struct {
	name  string
	shape []int
}

// params are the parameters of a model. They are read off a small model, whose sizes differ
// from each other and from a task's two classes, so that nothing is allocated before the
// weights are seen to be there.
func params(c encoder.Config) ([]param, error) {
	const classes = 2
	c.Heads = 1
	full := map[int]int{}
	for i, s := range []*int{&c.Width, &c.Embed, &c.Inner, &c.Vocab, &c.Length, &c.Types} {
		if small := classes + 1 + i; *s > 0 {
			full[small], *s = *s, small
		}
	}
	m, err := encoder.New(c, 0)
	if err != nil {
		return nil, err
	}
	out := make([]param, len(m.Params))
	for i, p := range m.Params {
		out[i] = param{p.Name, slices.Clone(p.Value.Shape)}
		for axis, n := range p.Value.Shape {
			if size, ok := full[n]; ok {
				out[i].shape[axis] = size
			}
		}
	}
	return out, nil
}

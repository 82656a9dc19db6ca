package verify

import (
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
)

// What references have in common that put another mixer into BERT.

type knobs = map[string]string

// layerByLayer builds another mixer for every layer.
func layerByLayer(of func(layer int) (attention.Entry, knobs)) encoder.Builder {
	l := -1
	return func(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
		l++
		entry, choices := of(l)
		c.Knobs = choices
		return entry.New(s, c)
	}
}

// bertConfig is that of a model around BERT's embeddings and layers, which has the
// library's names without the model's prefix.
func (c *Case) bertConfig(length int) (encoder.Config, error) {
	words, err := c.weight("embeddings.word_embeddings.weight")
	if err != nil {
		return encoder.Config{}, err
	}
	inner, err := c.weight("encoder.layer.0.intermediate.dense.bias")
	if err != nil {
		return encoder.Config{}, err
	}
	types, err := c.weight("embeddings.token_type_embeddings.weight")
	if err != nil {
		return encoder.Config{}, err
	}
	hf := c.Config.HF
	m := encoder.Config{
		Stack: encoder.BERT.ID, Norm: encoder.PostNorm, Layers: hf.Layers, Width: words.Dim(1), Heads: hf.Heads, Inner: inner.Len(),
		Length: length, Vocab: words.Dim(0), Types: types.Dim(0), Eps: hf.Eps,
	}
	if hf.Act == "gelu_new" {
		m.Act = encoder.GELUTanh
	}
	return m, nil
}

// bertPlace finds parameters among BERT's names without its prefix, and those of
// global positions.
func bertPlace(c *Case) func(param string) (huggingface.Place, error) {
	return func(param string) (huggingface.Place, error) {
		plain := strings.TrimSuffix(param, "'")
		p, err := huggingface.PlaceOf("bert", plain)
		p.Name = strings.TrimPrefix(p.Name, "bert.")
		if plain != param {
			at := strings.LastIndexByte(p.Name, '.')
			p.Name = p.Name[:at] + "_global" + p.Name[at:]
		}
		if short := strings.Replace(p.Name, "pooler.dense.", "pooler.", 1); c.Weights.Arrays[short] != nil {
			p.Name = short
		}
		return p, err
	}
}

// pooled is the pooler's output, where the reference has one.
func (c *Case) pooled(m *encoder.Model, p *nn.Pass, x *ad.Var) map[string]*ad.Var {
	if c.Weights.Arrays["pooler.weight"] == nil && c.Weights.Arrays["pooler.dense.weight"] == nil {
		return map[string]*ad.Var{}
	}
	return map[string]*ad.Var{"pooler_output": m.Pool(p, x)}
}

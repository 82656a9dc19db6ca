package verify

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// model is a whole model of the engine (encoder.Model). Every sequence gets its own model, because
// some mechanisms depend on the layout of a sequence.
type model struct {
	config    encoder.Config                                // its length is the length of a padded text
	pad       int                                           // the id of padding
	untrained bool                                          // embedding padding does not train the word embeddings
	positions []int                                         // rows of the table, -1: not trained; nil: 0, 1, 2, …
	mixer     func(layer int) (attention.Entry, options)    // nil: mechanism of the configuration
	place     func(param string) (huggingface.Place, error) // place of a parameter in the reference's weights
	outputs   func(m *encoder.Model, p *nn.Pass, x *ad.Var) map[string]*ad.Var
}

// model runs a model on a sequence.
func (r *run) model(m model) forward {
	in := encoder.Input{Count: 1, IDs: r.row("input_ids", m.config.Length, m.pad)}
	if r.shape("token_type_ids") != nil {
		in.Types = r.row("token_type_ids", m.config.Length, 0)
	}
	if m.positions == nil {
		m.positions = upTo(m.config.Length)
	}
	rows := map[string][]int{"positions": m.positions}
	if m.untrained { // one more row of the table represents embedded padding
		rows["words"] = append(upTo(m.config.Vocab), -1)
		rows["masked word/b"] = rows["words"]
		for i, id := range in.IDs {
			if id == m.pad {
				in.IDs[i] = m.config.Vocab
			}
		}
		m.config.Vocab++
	}
	built := m.build()
	r.params, r.slots = built.Params, func(p *nn.Param) []slot { return r.inModel(m, p, rows[p.Name]) }
	show := r.show
	r.show = func(shown *trace.Run) {
		r.hidden(m.config, shown)
		show(shown)
	}
	return func(p *nn.Pass) map[string]*ad.Var {
		if keys := r.filledKeys(r.words(), m.config.Length); keys != nil {
			p.Mask = nn.Mask{Keys: keys, N: m.config.Length, Added: true}
		}
		x := built.Run(p, in)
		outputs := m.outputs(built, p, x)
		outputs["last_hidden_state"] = x
		return outputs
	}
}

func (m model) build() *encoder.Model {
	check(m.config.Affordable())
	if m.mixer == nil {
		return must(encoder.New(m.config, 0))
	}
	layer := -1
	return must(encoder.NewWith(m.config, 0, func(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
		layer++
		entry, o := m.mixer(layer)
		c.Options = o
		return entry.New(s, c)
	}))
}

// inModel finds a parameter in the reference's weights. rows are the rows of a table, with -1 for
// the untrained padding. Parameters of our output heads are not part of a case whose reference has
// no heads.
func (r *run) inModel(m model, p *nn.Param, rows []int) []slot {
	place := must(m.place(p.Name))
	if r.Weights.Arrays[place.Names[0]] == nil && m.mixer != nil &&
		(strings.HasPrefix(p.Name, "masked word/") || strings.HasPrefix(p.Name, "pooler/")) {
		return nil
	}
	w := r.array(place.Names[0])
	if rows == nil {
		if !place.Fits(w.Shape, p.Value.Shape) {
			misfit(place.Names[0], w, p)
		}
		how := fmt.Sprintf("%d/%d", place.Part, place.Parts)
		if place.Turned {
			how += " @10"
		}
		return []slot{{place.Names[0], arranged(w.Shape, how)}}
	}
	if !slices.Equal(w.Shape[1:], p.Value.Shape[1:]) {
		misfit(place.Names[0], w, p)
	}
	s, width := slot{name: place.Names[0]}, tensor.Size(w.Shape[1:]...)
	for _, row := range rows {
		for i := range width {
			if row < 0 {
				s.at = append(s.at, ^(m.pad*width + i))
			} else {
				s.at = append(s.at, row*width+i)
			}
		}
	}
	return []slot{s}
}

// hidden files the input of the first layer and the output of each layer.
func (r *run) hidden(c encoder.Config, shown *trace.Run) {
	if m, ok := shown.Find("embedded"); ok {
		r.put("hidden.0", m.Value)
	}
	each := len(shown.Parts) / c.Layers // layers in a group
	for l := range c.Layers {
		if m, ok := shown.Parts[(l+1)*each-1].Find("layer output"); ok {
			r.put(fmt.Sprintf("hidden.%d", l+1), m.Value)
		}
	}
	if m, ok := shown.Find("output"); ok && c.Norm == encoder.PreNorm { // the library normalises its last one
		r.put(fmt.Sprintf("hidden.%d", c.Layers), m.Value)
	}
}

// library reads BERT, ALBERT and GPT-2 of the transformers library, from input_ids to logits.
func library(r *run) forward {
	lib := r.libraryConfig()
	m := model{config: stackOf(lib), pad: lib.Form.Pad,
		place: func(param string) (huggingface.Place, error) { return huggingface.PlaceOf(lib.ModelType, param) }}
	m.config.Length = r.words()
	m.untrained = lib.ModelType != "gpt2"
	m.outputs = func(built *encoder.Model, p *nn.Pass, x *ad.Var) map[string]*ad.Var {
		words := built.Words(p, x, upTo(x.Dim(-2)))
		class, ok := map[string]string{"bert": "seq_relationship_logits", "albert": "sop_logits"}[lib.ModelType]
		if !ok {
			return map[string]*ad.Var{"logits": words}
		}
		return map[string]*ad.Var{"prediction_logits": words, "pooler_output": built.Pool(p, x),
			class: built.Classify(p, x, 0)}
	}
	r.show = func(shown *trace.Run) { r.calls(lib, m.config.Layers, shown) }
	return r.model(m)
}

// libraryConfig returns the configuration as a config.json of the library.
func (r *run) libraryConfig() huggingface.Config {
	var class struct{ Class string }
	r.read(&class)
	config := map[string]any{}
	r.hf(&config)
	if class.Class == "" { // cases of an attribution method leave the class out
		config["model_type"] = r.baseOf()
	} else {
		config["architectures"] = []string{class.Class}
	}
	return must(huggingface.ParseConfig(must(json.Marshal(config))))
}

// stackOf returns the configuration of the engine's architecture that computes the same as the
// model type.
func stackOf(lib huggingface.Config) encoder.Config {
	f := lib.Form
	c := encoder.Config{
		Stack: lib.ModelType, Mechanism: attention.DotProduct.ID, Act: activation(f.Act), Norm: encoder.PostNorm, Eps: f.Eps,
		Vocab: f.Vocab, Width: f.Width, Heads: f.Heads, Layers: f.Layers, Inner: f.Inner, Length: f.Length, Embed: f.Embed,
		Types: f.Segments,
	}
	switch lib.ModelType {
	case encoder.GPT2.ID:
		c.Objective, c.Norm, c.Tasks = encoder.NextWord, encoder.PreNorm, []encoder.Task{}
	case encoder.ALBERT.ID:
		c.Tasks = []encoder.Task{encoder.SentenceOrder}
		c.Options = map[string]string{"groups": strconv.Itoa(f.Groups), "inner": strconv.Itoa(f.InEach)}
	default:
		c.Tasks = []encoder.Task{encoder.NextSentence}
	}
	return c
}

// calls files the recorded values of each attention call.
func (r *run) calls(lib huggingface.Config, layers int, shown *trace.Run) {
	inner := len(shown.Parts) / layers
	count := map[int]int{} // number of calls of a shared layer
	for i, part := range shown.Parts {
		if m, ok := part.Find("masked"); ok {
			r.put(fmt.Sprintf("scores_masked.%d", i), forbidden(m.Value))
		}
		var qkv [3]*tensor.T
		for k, name := range [...]string{"q", "k", "v"} {
			m, _ := part.Find(name)
			qkv[k] = m.Value
		}
		switch lib.ModelType {
		case "gpt2":
			r.put(fmt.Sprintf("transformer.h.%d.attn.c_attn.0", i), concatColumns(qkv[:]))
		case "albert":
			layer := i/inner*lib.Form.Groups/layers*inner + i%inner
			for k, name := range [...]string{"query", "key", "value"} {
				r.put(fmt.Sprintf("albert.encoder.albert_layer_groups.%d.albert_layers.%d.attention.%s.%d", layer/inner,
					layer%inner, name, count[layer]), qkv[k])
			}
			count[layer]++
		}
	}
}

// forbidden returns scores with the library's numbers for masked-out cells: the smallest float32,
// and −∞ if it was added to itself.
func forbidden(scores *tensor.T) *tensor.T {
	out := scores.Clone()
	for i, v := range out.Data {
		switch {
		case v <= 2*nn.Masked:
			out.Data[i] = tensor.Elem(math.Inf(-1))
		case v <= nn.Masked:
			out.Data[i] = -math.MaxFloat32
		}
	}
	return out
}

// concatColumns joins arrays [N,d] along their columns.
func concatColumns(parts []*tensor.T) *tensor.T {
	d := parts[0].Dim(-1)
	out := tensor.New(parts[0].Len()/d, len(parts)*d)
	for i := range out.Dim(0) {
		for k, part := range parts {
			copy(out.Sub(i).Data[k*d:], part.Data[i*d:][:d])
		}
	}
	return out
}

package verify

import (
	"fmt"
	"math"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The references of package huggingface's models, from input_ids to logits.

var libraryInputs = []string{"input_ids", "attention_mask", "token_type_ids"}

// libraryRun is a case of BERT, ALBERT or GPT-2.
type libraryRun struct {
	modelRun
	library huggingface.Config
}

func computeLibrary(c *Case) (computed, error) {
	lib, err := huggingface.ParseConfig(c.Library)
	if err != nil {
		return nil, fmt.Errorf("verify: %s/%s: %w", c.Mechanism, c.Name, err)
	}
	config, err := lib.Model()
	if err != nil {
		return nil, fmt.Errorf("verify: %s/%s: %w", c.Mechanism, c.Name, err)
	}
	_, n, err := c.size()
	if err != nil {
		return nil, err
	}
	config.Length = n
	r := &libraryRun{modelRun: modelRun{c: c, config: config}, library: lib}
	r.place = func(param string) (huggingface.Place, error) { return huggingface.PlaceOf(lib.ModelType, param) }
	if words, err := r.place("words"); err == nil && lib.ModelType != "gpt2" {
		r.padRows = []string{words.Name}
	}
	r.show, r.outputs = r.maps, r.logits
	return r.run()
}

// logits are what the heads say, by the reference's names.
func (r *libraryRun) logits(m *encoder.Model, p *nn.Pass, x *ad.Var) map[string]*ad.Var {
	every := make([]int, x.Dim(-2))
	for i := range every {
		every[i] = i
	}
	words := m.Words(p, x, every)
	switch r.library.ModelType {
	case "gpt2":
		return map[string]*ad.Var{"logits": words}
	case "bert":
		return map[string]*ad.Var{"prediction_logits": words, "pooler_output": m.Pool(p, x), "seq_relationship_logits": m.Classify(p, x, 0)}
	}
	return map[string]*ad.Var{"prediction_logits": words, "pooler_output": m.Pool(p, x), "sop_logits": m.Classify(p, x, 0)}
}

// maps files what each call of the attention showed.
func (r *libraryRun) maps(b int, run *trace.Run) {
	calls := map[string]int{} // of a module: shared layers have several
	for i, part := range run.Parts {
		if m, ok := part.Find("weights"); ok {
			r.put(fmt.Sprintf("attn.%d", i), b, m.Value)
		}
		if m, ok := part.Find("masked"); ok {
			r.put(fmt.Sprintf("scores_masked.%d", i), b, r.forbidden(m.Value))
		}
		module := r.module(i, len(run.Parts))
		if r.library.ModelType == "gpt2" {
			r.put(module+".c_attn.0", b, fused(part))
			continue
		}
		for ours, theirs := range map[string]string{"q": "query", "k": "key", "v": "value"} {
			if m, ok := part.Find(ours); ok {
				r.put(fmt.Sprintf("%s.%s.%d", module, theirs, calls[module]), b, m.Value)
			}
		}
		calls[module]++
	}
}

// module is the library's name of the attention of call i.
func (r *libraryRun) module(i, calls int) string {
	switch r.library.ModelType {
	case "gpt2":
		return fmt.Sprintf("transformer.h.%d.attn", i)
	case "bert":
		return fmt.Sprintf("bert.encoder.layer.%d.attention.self", i)
	}
	inner := calls / r.config.Layers
	group := i / inner * r.library.Groups / r.config.Layers
	return fmt.Sprintf("albert.encoder.albert_layer_groups.%d.albert_layers.%d.attention", group, i%inner)
}

// forbidden writes the library's numbers for scores that a mask forbids: the
// smallest float32, and −∞ where it was added to itself.
func (r *libraryRun) forbidden(scores *tensor.T) *tensor.T {
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

// fused puts queries, keys and values beside each other [N,3d].
func fused(part *trace.Run) *tensor.T {
	var rows [][]tensor.Elem
	width := 0
	for _, name := range [...]string{"q", "k", "v"} {
		m, _ := part.Find(name)
		width = m.Value.Dim(-1)
		for i := range m.Value.Dim(-2) {
			row := m.Value.Data[i*width:][:width]
			if name == "q" {
				rows = append(rows, nil)
			}
			rows[i] = append(rows[i], row...)
		}
	}
	return tensor.From(slices.Concat(rows...), len(rows), 3*width)
}

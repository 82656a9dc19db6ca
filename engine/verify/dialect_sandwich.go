package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// computeSandwich reads TransformerSeq of ofirpress/sandwich_transformer: a language model
// of span attention that goes on after an earlier block, from words to the logarithms
// of the probabilities of next words.
func computeSandwich(c *Case) (computed, error) {
	words, err := c.weight("in_emb.weight")
	if err != nil {
		return nil, err
	}
	order := strings.ReplaceAll(c.Config.Architecture, ".", "")
	cfg := encoder.Config{
		Layers: strings.Count(order, "s"), Width: words.Dim(1), Heads: c.Config.Heads, Norm: encoder.PostNorm, Act: encoder.ReLU,
		Options: map[string]string{"order": order, "attention": "span", "span": strconv.Itoa(c.Config.Span)},
	}
	for name, w := range c.Weights.Arrays {
		if strings.HasSuffix(name, "ff.fc1.weight") {
			cfg.Inner = w.Dim(0)
		}
	}
	s := nn.NewScope(0)
	stack, err := encoder.Sandwich.New(s, cfg, attention.DotProduct.New)
	if err != nil {
		return nil, fmt.Errorf("verify: %s/%s: %w", c.Mechanism, c.Name, err)
	}
	in := s.Param("in", nn.Zeros, words.Shape...)
	out := nn.Linear{W: s.Param("out", nn.Zeros, words.Shape...), B: s.Param("bias", nn.Zeros, words.Dim(0))}
	names := sandwichNames(c.Config.Architecture)
	r, err := newStackRun(c, s.Params(), func(name string) place {
		if name == "span/u" {
			return turned("key_pe", c.Config.Span, cfg.Width/cfg.Heads)
		}
		return place{name: names[name]}
	})
	if err != nil {
		return nil, err
	}
	return r.language(stack.(encoder.Continuing), in, out)
}

// sandwichNames are the reference's names of our parameters. Sublayers belong to pairs
// of two letters; ours are counted by kind.
func sandwichNames(architecture string) map[string]string {
	names := map[string]string{"in": "in_emb.weight", "out": "out_emb.weight", "bias": "out_emb.bias"}
	count := map[rune]int{}
	for i, kind := range architecture {
		count[kind]++
		ours, pair := fmt.Sprintf("layer %d/", count[kind]), fmt.Sprintf("layers.%d.", i/2)
		switch kind {
		case 's':
			for w, theirs := range map[string]string{"W_Q": "query", "W_K": "key", "W_V": "val", "W_O": "out"} {
				names[ours+"mixer/"+w] = pair + "attn.proj_" + theirs + ".weight"
			}
			names[ours+"mixer norm/gamma"], names[ours+"mixer norm/beta"] = pair+"norm1.weight", pair+"norm1.bias"
		case 'f':
			for w, theirs := range map[string]string{"W_1": "fc1.weight", "b_1": "fc1.bias", "W_2": "fc2.weight", "b_2": "fc2.bias"} {
				names[ours+"ffn/"+w] = pair + "ff." + theirs
			}
			names[ours+"ffn norm/gamma"], names[ours+"ffn norm/beta"] = pair+"norm2.weight", pair+"norm2.bias"
		}
	}
	return names
}

// language runs the model, forwards and backwards.
func (r *stackRun) language(stack encoder.Continuing, in *nn.Param, out nn.Linear) (computed, error) {
	batch, n, err := r.c.size()
	if err != nil {
		return nil, err
	}
	ids := make([]int, batch*n)
	for i, id := range r.c.IO.Ints["input_ids"].Data {
		if ids[i] = int(id); ids[i] < 0 || ids[i] >= in.Value.Dim(0) {
			return nil, fmt.Errorf("verify: %s/%s: input_ids has %d, and there are %d words", r.c.Mechanism, r.c.Name, id, in.Value.Dim(0))
		}
	}
	d := in.Value.Dim(1)
	var before []*tensor.T
	for i := range strings.Count(r.c.Config.Architecture, "s") {
		past, err := r.c.input(fmt.Sprintf("h_cache.%d", i))
		if err != nil {
			return nil, err
		}
		if want := []int{batch, r.c.Config.Span, d}; !slices.Equal(past.Shape, want) {
			return nil, fmt.Errorf("verify: %s/%s: h_cache.%d has shape %v, wanted %v", r.c.Mechanism, r.c.Name, i, past.Shape, want)
		}
		before = append(before, past)
	}
	p := nn.NewPass(ad.NewTape())
	p.Run = &trace.Run{}
	x := ad.Reshape(ad.Rows(p.Use(in), ids), batch, n, d) // [N,d]
	x, after := stack.Continue(p, x, before)
	logs := ad.LogSoftmax(out.Apply(p, x)) // [N,V]
	r.put("log_probs", logs.Value)
	for i, v := range after {
		r.put(fmt.Sprintf("h_cache_next.%d", i), v)
	}
	r.between(p.Run)
	if w, ok := r.c.IO.Arrays["loss_w"]; ok && w.Len() == logs.Value.Len() {
		p.Tape.Backward(logs, w.Reshape(logs.Shape()...))
		r.gradients(p)
	}
	return r.out, nil
}

// between files what the sublayers showed, by their places in the architecture.
func (r *stackRun) between(run *trace.Run) {
	results, _ := run.Find("sublayer outputs")
	states, _ := run.Find("residual stream")
	sub, layer := 0, 0
	for i, kind := range r.c.Config.Architecture {
		if kind == '.' {
			continue
		}
		r.put(fmt.Sprintf("pos%d.%c.out.0", i, kind), sublayerOf(results, sub))
		r.put(fmt.Sprintf("pair%d.h_out.0", i/2), sublayerOf(states, sub)) // the second of a pair replaces the first
		if kind == 's' {
			if a, ok := run.Parts[layer].Find("window weights"); ok {
				r.put(fmt.Sprintf("pos%d.s.attn_BhxMxL.0", i), a.Value)
				r.put(fmt.Sprintf("pos%d.s.attn_dense.0", i), spread(a.Value))
			}
			layer++
		}
		sub++
	}
}

// sublayerOf is the part [B,N,d] or [N,d] of a map [B,S,N,d] or [S,N,d].
func sublayerOf(m trace.Map, sub int) *tensor.T {
	at, _ := m.Has(trace.Layer)
	if at == 0 {
		return m.Value.Sub(sub)
	}
	size := tensor.Size(m.Value.Shape[2:]...)
	out := tensor.New(m.Value.Dim(0), size)
	for b := range m.Value.Dim(0) {
		copy(out.Data[b*size:][:size], m.Value.Sub(b).Sub(sub).Data)
	}
	return out
}

// spread lays the weights of the words before each, [H,M,L], over all columns [H,M,L+M].
func spread(a *tensor.T) *tensor.T {
	n, span := a.Dim(-2), a.Dim(-1)
	rows := a.Len() / span
	out := tensor.New(rows, span+n)
	for i := range rows {
		copy(out.Data[i*(span+n)+i%n:][:span], a.Data[i*span:])
	}
	return out
}

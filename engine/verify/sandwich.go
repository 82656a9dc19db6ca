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

// sandwich reads TransformerSeq of ofirpress/sandwich_transformer. It is a language model with span
// attention that continues an earlier block, from tokens to log probabilities of the next tokens.
func sandwich(r *run) forward {
	var config struct {
		Architecture string `json:"architecture"` // pairs of sublayers, "." for a missing one
		Span         int    `json:"attn_span"`
	}
	r.read(&config)
	words, ids := r.array("in_emb.weight"), r.input("input_ids")
	order := strings.ReplaceAll(config.Architecture, ".", "")
	c := encoder.Config{
		Layers: strings.Count(order, "s"), Width: words.Dim(1), Heads: r.Config.Heads, Norm: encoder.PostNorm,
		Act:     encoder.ReLU,
		Options: options{"order": order, "attention": "span", "span": strconv.Itoa(config.Span)},
	}
	for name, w := range r.Weights.Arrays {
		if strings.HasSuffix(name, "ff.fc1.weight") {
			c.Inner = w.Dim(0)
		}
	}
	stack := must(encoder.Sandwich.New(r.scope, c, attention.DotProduct.New)).(encoder.Continuing)
	in := r.scope.Param("in", nn.Zeros, words.Shape...)
	out := nn.Linear{W: r.scope.Param("out", nn.Zeros, words.Shape...), B: r.scope.Param("bias", nn.Zeros, words.Dim(0))}
	r.weight = func(param string) []string { return r.names.weight(ofPair(param, config.Architecture)) }
	r.show = func(shown *trace.Run) { r.sublayers(shown, config.Architecture) }
	batch, n := ids.Shape[0], ids.Shape[1]
	before, indices := r.cache(c.Layers, batch, config.Span, c.Width), make([]int, batch*n)
	for i, id := range ids.Data {
		indices[i] = int(id)
	}
	return func(p *nn.Pass) map[string]*ad.Var {
		x := ad.Reshape(ad.Rows(p.Use(in), indices), batch, n, c.Width) // [N,d]
		x, after := stack.Continue(p, x, before)
		for i, v := range after {
			r.put(fmt.Sprintf("h_cache_next.%d", i), v)
		}
		return map[string]*ad.Var{"log_probs": ad.LogSoftmax(out.Apply(p, x))} // [N,V]
	}
}

// cache returns the arrays that the layers read from the earlier block; each must have the shape.
func (r *run) cache(layers int, shape ...int) []*tensor.T {
	all := make([]*tensor.T, layers)
	for i := range all {
		name := fmt.Sprintf("h_cache.%d", i)
		if all[i] = r.input(name); !slices.Equal(all[i].Shape, shape) {
			fail("shape", "name", name, "shape", all[i].Shape, "want", shape)
		}
	}
	return all
}

// ofPair renames one of our parameters by pairs. The reference numbers sublayers by pairs of two
// letters; we number them by kind.
func ofPair(param, architecture string) string {
	_, numbers := unnumbered(param)
	kind := 'f'
	if strings.Contains(param, "/mixer") {
		kind = 's'
	}
	for i, letter := range architecture {
		if len(numbers) == 1 && letter == kind {
			if numbers[0]--; numbers[0] == 0 {
				_, rest, _ := strings.Cut(param, "/")
				return fmt.Sprintf("layer %d/%s", i/2+1, rest)
			}
		}
	}
	return param
}

// sublayers files the recorded values of the sublayers, by their places in the architecture.
func (r *run) sublayers(shown *trace.Run, architecture string) {
	results, _ := shown.Find("sublayer outputs")
	states, _ := shown.Find("residual stream")
	sub, layer := 0, 0
	for i, kind := range architecture {
		if kind == '.' {
			continue
		}
		r.put(fmt.Sprintf("pos%d.%c.out.0", i, kind), sublayer(results, sub))
		r.put(fmt.Sprintf("pair%d.h_out.0", i/2), sublayer(states, sub)) // the second of a pair replaces the first
		if kind == 's' {
			if a, ok := shown.Parts[layer].Find("window weights"); ok {
				r.put(fmt.Sprintf("pos%d.s.attn_BhxMxL.0", i), a.Value)
				r.put(fmt.Sprintf("pos%d.s.attn_dense.0", i), spread(a.Value))
			}
			layer++
		}
		sub++
	}
}

// sublayer returns part i, [B,N,d] or [N,d], of a map [B,S,N,d] or [S,N,d].
func sublayer(m trace.Map, i int) *tensor.T {
	if at, _ := m.Has(trace.Layer); at == 1 {
		m.Value = permuted(m.Value, 1, 0)
	}
	return m.Value.Sub(i)
}

// spread moves the weights of the preceding tokens, [H,M,L], to their columns in [H,M,L+M].
func spread(a *tensor.T) *tensor.T {
	n, span := a.Dim(-2), a.Dim(-1)
	out := tensor.New(a.Len()/span, span+n)
	for i := range out.Dim(0) {
		copy(out.Data[i*(span+n)+i%n:][:span], a.Data[i*span:])
	}
	return out
}

package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// reformer is a Reformer configuration of the transformers library.
type reformer struct {
	Heads       int             `json:"num_attention_heads"`
	HeadWidth   int             `json:"attention_head_size"`
	Causal      bool            `json:"is_decoder"`
	Pad         int             `json:"pad_token_id"`
	Act         string          `json:"hidden_act"`
	Eps         float64         `json:"layer_norm_eps"`
	MaxLen      int             `json:"max_position_embeddings"`
	Rounds      int             `json:"num_hashes"`
	Buckets     json.RawMessage `json:"num_buckets"` // a number or its factors
	LSHChunk    int             `json:"lsh_attn_chunk_length"`
	LSHBefore   int             `json:"lsh_num_chunks_before"`
	LSHAfter    int             `json:"lsh_num_chunks_after"`
	LocalChunk  int             `json:"local_attn_chunk_length"`
	LocalBefore int             `json:"local_num_chunks_before"`
	LocalAfter  int             `json:"local_num_chunks_after"`
	Kinds       []string        `json:"attn_layers"` // lsh or local, for each layer
	Inner       int             `json:"feed_forward_size"`
	InnerChunk  int             `json:"chunk_size_feed_forward"` // 0: all tokens at once
	Axial       bool            `json:"axial_pos_embds"`
}

const (
	lsh   = "lsh"
	local = "local"
)

func (c *Case) reformer() (h reformer) {
	if c.hf(&h); h.Axial {
		fail("axial")
	}
	return h
}

// factors returns the number of buckets per round, as factors.
func (h reformer) factors() (factors []int) {
	var one int
	if json.Unmarshal(h.Buckets, &one) == nil && one > 0 {
		return []int{one}
	}
	if json.Unmarshal(h.Buckets, &factors) != nil || len(factors) == 0 {
		fail("buckets", "value", string(h.Buckets))
	}
	return factors
}

// reformerCore builds the attention of a layer without its output projection. i counts the hashing
// layers, whose rotations are given.
func (r *run) reformerCore(s *nn.Scope, c attention.Config, kind string, i int) attention.Mixer {
	h := r.reformer()
	number := strconv.Itoa
	if kind == local {
		c.Options = options{"attention": kind, "chunk": number(h.LocalChunk), "before": number(h.LocalBefore),
			"after": number(h.LocalAfter)}
		return must(attention.NewReformerCore(s, c, h.HeadWidth, nil))
	}
	c.Options = options{"attention": kind, "rounds": number(h.Rounds), "chunk": number(h.LSHChunk),
		"before": number(h.LSHBefore), "after": number(h.LSHAfter)}
	factors, half := h.factors(), 0
	m := must(attention.NewReformerCore(s, c, h.HeadWidth, factors))
	rotations, ok := r.IO.Arrays[fmt.Sprintf("rotations.%d", i)]
	if !ok {
		return m
	}
	for _, f := range factors {
		half += f / 2
	}
	if want := []int{h.Heads, h.HeadWidth, h.Rounds, half}; !slices.Equal(rotations.Shape, want) {
		fail("shape", "name", fmt.Sprintf("rotations.%d", i), "shape", rotations.Shape, "want", want)
	}
	return attention.WithRotations(m, rotations)
}

// reformerLayer reads LSHSelfAttention and LocalSelfAttention of the transformers library: the
// layer without its output projection.
func reformerLayer(kind string) func(*run) forward {
	return func(r *run) forward {
		h := r.reformer()
		r.Config.Causal = h.Causal
		r.show = func(shown *trace.Run) {
			if kind == lsh {
				r.hashed(shown, 0, r.padded("attention_mask"))
			}
		}
		x := r.input("x")
		return r.mixer(func(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
			return r.reformerCore(s, c, kind, 0), nil
		}, attention.Config{Width: x.Dim(-1), Heads: h.Heads, Length: h.MaxLen})
	}
}

// padded reports whether a mask hides any position of any sequence.
func (r *run) padded(mask string) bool {
	return r.shape(mask) != nil && slices.Contains(r.input(mask).Data, 0)
}

// hashed files the recorded values of hashing attention number i. The reference numbers the buckets
// and the positions of all rounds consecutively. Padding has its own bucket.
func (r *run) hashed(shown *trace.Run, i int, padded bool) {
	call := func(name string) string { return fmt.Sprintf("%s.%d", name, i) }
	for ours, theirs := range map[string]string{"qk": "query_key", "v": "value", "round logits": "lsh_logits_sorted",
		"window weights": "lsh_probs"} {
		if m, ok := shown.Find(ours); ok {
			r.put(call(theirs), m.Value)
		}
	}
	if m, ok := shown.Find("buckets"); ok { // [H,R,N]
		count := 1
		for _, f := range r.reformer().factors() {
			count *= f
		}
		if padded {
			count++
		}
		v := byRound(m.Value, count)
		r.put("buckets", v)
		r.put(call("buckets_flat"), v)
	}
	if m, ok := shown.Find("order"); ok { // [H,R,N], because chunks are full
		place := byRound(m.Value, m.Value.Dim(-1))
		undo, plane := tensor.New(place.Shape...), place.Dim(1)*place.Dim(2)
		for k, from := range place.Data {
			undo.Data[k/plane*plane+int(from)] = tensor.Elem(k % plane)
		}
		r.put(call("token_idx_sorted"), m.Value)
		r.put(call("sorted_idx"), place)
		r.put(call("undo_idx"), undo)
	}
}

// byRound adds k·step to the values of round k: [H,R,N].
func byRound(v *tensor.T, step int) *tensor.T {
	v = v.Clone()
	for i := range v.Data {
		v.Data[i] += tensor.Elem(i / v.Dim(2) % v.Dim(1) * step)
	}
	return v
}

// reformerModel reads ReformerModel of the transformers library.
func reformerModel(r *run) forward {
	h, n := r.reformer(), r.words()
	words, length := r.array("embeddings.word_embeddings.weight"), h.filled(n)
	config := encoder.Config{
		Stack: encoder.Reversible.ID, Layers: len(h.Kinds), Width: words.Dim(1), Heads: h.Heads, Inner: h.Inner,
		Length: h.MaxLen,
		Vocab:  words.Dim(0), Norm: encoder.PreNorm, Act: activation(h.Act), Eps: h.Eps, Options: options{},
	}
	if h.InnerChunk > 0 {
		config.Options["chunk"] = strconv.Itoa(h.InnerChunk)
	}
	layer, hashing := 0, 0
	m := must(encoder.NewWith(config, 0, func(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
		core := r.reformerCore(s, c, h.Kinds[layer], hashing)
		if h.Kinds[layer] == lsh {
			hashing++
		}
		layer++
		return projected{core, nn.Linear{W: s.Param("W_O", nn.Zeros, c.Width, c.Heads*h.HeadWidth)}}, nil
	}))
	r.params = m.Params
	r.show = func(shown *trace.Run) {
		i := 0
		for l, kind := range h.Kinds {
			if kind == lsh {
				r.hashed(shown.Parts[l], i, length > n || r.padded("attention_mask"))
				i++
			}
		}
	}
	return func(p *nn.Pass) map[string]*ad.Var {
		p.Mask = nn.Mask{Keys: r.filledKeys(n, length), N: length}
		if h.Causal {
			p.Mask.Kind = nn.Causal
		}
		x := m.Run(p, encoder.Input{IDs: r.row("input_ids", length, h.Pad), Count: 1})
		return map[string]*ad.Var{"last_hidden_state": ad.Narrow(x, -2, n)} // [N,2d]
	}
}

// activation returns the activation with a name of the transformers library.
func activation(name string) encoder.Activation {
	act, ok := map[string]encoder.Activation{"relu": encoder.ReLU, "gelu": encoder.GELU,
		"gelu_new": encoder.GELUTanh}[name]
	if !ok {
		fail("activation", "name", name)
	}
	return act
}

// filled returns the length of a text of n tokens after padding: a multiple of all chunk lengths in
// use, unless the text fits into the shortest chunk.
func (h reformer) filled(n int) int {
	chunks, shortest := 1, 0
	for _, kind := range h.Kinds {
		chunk := max(h.LSHChunk, 1)
		if kind == local {
			chunk = max(h.LocalChunk, 1)
		}
		shortest = min(cmp.Or(shortest, chunk), chunk)
		for each := chunks; chunks%chunk != 0; {
			chunks += each
		}
	}
	if n <= shortest {
		return n
	}
	return multiple(n, chunks)
}

// With several rounds, a token that finds only itself has the score −10⁵. At this size, float32 has
// a resolution of 0.0078, which limits the precision of the reference's own weights in this row.
// Its float64 result, out_f64, is as exact as everything else.
const (
	aloneScore = -9e4
	aloneLimit = 1.4e-2
)

// aloneInside excepts the rows of tokens that find only themselves: in this round or, for an array
// without rounds, in every round.
func aloneInside(c *Case, name string, rule limit) limit {
	rounds := c.reformer().Rounds
	rows := c.alone(rounds)[name]
	if rows == nil {
		return rule
	}
	width := c.IO.Arrays[name].Len() / rows.Len()
	return func(i int) float64 {
		if rows.Data[i/width] == tensor.Elem(rounds) {
			return aloneLimit
		}
		return rule(i)
	}
}

// alone returns, for every row of the excepted arrays, in how many rounds its token finds only
// itself. For a row of one round, the result is 0 or the number of all rounds.
func (c *Case) alone(rounds int) map[string]*tensor.T {
	logits, at := c.IO.Arrays["lsh_logits_sorted.0"], c.IO.Arrays["token_idx_sorted.0"]
	if rounds < 2 || logits == nil || at == nil || logits.Len() != at.Len() || logits.Rank() != 3 {
		return nil
	}
	batch, heads, n := logits.Dim(0), logits.Dim(1), logits.Dim(2)/rounds
	sorted, byRound, all, inAll := tensor.New(logits.Shape...), tensor.New(logits.Shape...), tensor.New(logits.Shape...),
		tensor.New(batch, heads, n)
	for i, z := range logits.Data {
		if z < aloneScore {
			sorted.Data[i], byRound.Data[i/n*n+int(at.Data[i])] = tensor.Elem(rounds), tensor.Elem(rounds)
		}
	}
	of := func(i int) int { return i/(rounds*n)*n + i%n }
	for i, alone := range byRound.Data {
		inAll.Data[of(i)] += alone / tensor.Elem(rounds)
	}
	for i := range all.Data {
		all.Data[i] = inAll.Data[of(i)]
	}
	return map[string]*tensor.T{
		"lsh_probs.0": sorted, "dense_per_round": byRound, "round_weights": all, "dense": inAll,
		"out": permuted(inAll, 0, 2, 1),
	}
}

// aloneSomewhere excepts everything if a causal model with several rounds has read such rows.
// Recomputed inputs are as inexact as the reference's own recomputation.
func aloneSomewhere(c *Case, name string, rule limit) limit {
	var config struct {
		Backwards float64 `json:"reversible_reconstruction_max_err"`
	}
	c.read(&config)
	h, want := c.reformer(), c.IO.Arrays[name]
	switch {
	case h.Causal && h.Rounds > 1:
		return func(int) float64 { return aloneLimit * max(1, largest(want)) }
	case matches([]string{"recon.*"}, name):
		return func(int) float64 { return max(valueTolerance, roundingFactor*config.Backwards) }
	}
	return rule
}

package verify

import (
	"cmp"
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

// reformerModelTolerance is that of reformerTolerance; what is computed backwards is as
// inexact as the reference's own way back. In a causal model with several rounds,
// words that are alone in every round are inexact in the reference, and everything
// that reads them.
func reformerModelTolerance(c *Case, name string, want *tensor.T) func(i int) float64 {
	lonely := 0.0
	if c.Config.HF.Decoder && c.Config.HF.Rounds > 1 {
		lonely = lonelyTolerance
	}
	switch {
	case lonely > 0:
		return func(int) float64 { return lonely * max(1, largest(want)) }
	case strings.HasPrefix(name, "recon."):
		return func(int) float64 { return max(valueTolerance, roundingFactor*c.Config.Backwards) }
	case strings.HasPrefix(name, "grad."):
		rounding := max(gradientTolerance*largest(want), vanishing*c.steepest())
		return func(int) float64 { return rounding }
	case strings.HasPrefix(name, "lsh_probs."), strings.HasPrefix(name, "attn_chunked."):
		return func(int) float64 { return mapTolerance }
	}
	return nil
}

// computeReformer reads ReformerModel of the transformers library.
func computeReformer(c *Case) (computed, error) {
	r := &reformerRun{mixerRun: mixerRun{c: c, out: computed{}}, hf: c.Config.HF}
	if err := r.model(); err != nil {
		return nil, err
	}
	batch, _, err := c.size()
	for b := 0; b < batch && err == nil; b++ {
		err = r.sequence(b)
	}
	return r.out, err
}

type reformerRun struct {
	mixerRun
	hf     HF
	stack  *encoder.Model
	length int // of a text as it is run, filled up to whole chunks
	layers int // whose mixers were made
	hashed int // of these, those that hash
}

// model builds the model and fills in the reference's weights.
func (r *reformerRun) model() error {
	words, err := r.c.weight("embeddings.word_embeddings.weight")
	if err != nil {
		return err
	}
	if r.hf.Axial {
		return fmt.Errorf("verify: %s/%s: axial positions are not known here", r.c.Mechanism, r.c.Name)
	}
	_, n, err := r.c.size()
	if err != nil {
		return err
	}
	r.length = r.filled(n)
	act, ok := hfActivations[r.hf.Act]
	if !ok {
		return fmt.Errorf("verify: %s/%s: the activation %q is not known here", r.c.Mechanism, r.c.Name, r.hf.Act)
	}
	config := encoder.Config{
		Stack: encoder.Reversible.ID, Layers: len(r.hf.Kinds), Width: words.Dim(1), Heads: r.hf.Heads, Inner: r.hf.Inner, Length: r.hf.MaxLen,
		Vocab: words.Dim(0), Norm: encoder.PreNorm, Act: act, Eps: r.hf.Eps, Options: map[string]string{},
	}
	if r.hf.InnerChunk > 0 {
		config.Options["chunk"] = strconv.Itoa(r.hf.InnerChunk)
	}
	if r.stack, err = encoder.NewWith(config, 0, r.mixer); err != nil {
		return fmt.Errorf("verify: %s/%s: %w", r.c.Mechanism, r.c.Name, err)
	}
	return r.adopt(r.stack.Params, reformerWeights)
}

var hfActivations = map[string]encoder.Activation{"relu": encoder.ReLU, "gelu": encoder.GELU, "gelu_new": encoder.GELUTanh}

// filled is the length of a text of n words after it was filled up: to a multiple of all
// chunk lengths in use, unless the shortest chunk holds it.
func (r *reformerRun) filled(n int) int {
	multiple, shortest := 1, 0
	for _, kind := range r.hf.Kinds {
		chunk := r.hf.LSHChunk
		if kind == "local" {
			chunk = r.hf.LocalChunk
		}
		multiple, shortest = leastMultiple(multiple, max(chunk, 1)), cmp.Or(shortest, chunk)
		shortest = min(shortest, chunk)
	}
	if n <= shortest {
		return n
	}
	return (n + multiple - 1) / multiple * multiple
}

func leastMultiple(a, b int) int {
	m := a
	for m%b != 0 {
		m += a
	}
	return m
}

// mixer makes the attention of the next layer.
func (r *reformerRun) mixer(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
	kind := r.hf.Kinds[r.layers]
	r.layers++
	c.Knobs = map[string]string{"attention": kind}
	knob := func(name string, value int) { c.Knobs[name] = strconv.Itoa(value) }
	var factors []int
	if kind == "local" {
		knob("chunk", r.hf.LocalChunk)
		knob("before", r.hf.LocalBefore)
		knob("after", r.hf.LocalAfter)
	} else {
		knob("chunk", r.hf.LSHChunk)
		knob("before", r.hf.LSHBefore)
		knob("after", r.hf.LSHAfter)
		knob("rounds", r.hf.Rounds)
		var err error
		if factors, err = bucketFactors(r.hf.Buckets); err != nil {
			return nil, err
		}
	}
	core, err := attention.NewReformerCore(s, c, r.hf.HeadWidth, factors)
	if err != nil {
		return nil, err
	}
	if kind != "local" {
		if rotations, ok := r.c.IO.Arrays[fmt.Sprintf("rotations.%d", r.hashed)]; ok {
			core = attention.WithRotations(core, rotations)
		}
		r.hashed++
	}
	return projected{core, nn.Linear{W: s.Param("W_O", nn.Zeros, c.Width, c.Heads*r.hf.HeadWidth)}}, nil
}

var reformerPlaces = map[string]string{
	"mixer/W_QK": "attention.self_attention.query_key.weight", "mixer/W_Q": "attention.self_attention.query.weight",
	"mixer/W_K": "attention.self_attention.key.weight", "mixer/W_V": "attention.self_attention.value.weight", "mixer/W_O": "attention.output.dense.weight",
	"mixer norm/gamma": "attention.layer_norm.weight", "mixer norm/beta": "attention.layer_norm.bias",
	"ffn norm/gamma": "feed_forward.layer_norm.weight", "ffn norm/beta": "feed_forward.layer_norm.bias",
	"ffn/W_1": "feed_forward.dense.dense.weight", "ffn/b_1": "feed_forward.dense.dense.bias",
	"ffn/W_2": "feed_forward.output.dense.weight", "ffn/b_2": "feed_forward.output.dense.bias",
}

var reformerEnds = map[string]string{
	"words": "embeddings.word_embeddings.weight", "positions": "embeddings.position_embeddings.embedding.weight",
	"norm/gamma": "encoder.layer_norm.weight", "norm/beta": "encoder.layer_norm.bias",
}

func reformerWeights(param string) []string {
	if name, ok := reformerEnds[param]; ok {
		return []string{name}
	}
	if layer, place, ok := layerPlace(param, "layer "); ok {
		return []string{fmt.Sprintf("encoder.layers.%d.%s", layer, reformerPlaces[place])}
	}
	return []string{unused} // heads, which the reference has not
}

// layerPlace takes "layer 2/ffn/W_1" apart: layer 1, counted from 0, and "ffn/W_1".
func layerPlace(param, prefix string) (layer int, place string, ok bool) {
	rest, ok := strings.CutPrefix(param, prefix)
	if !ok {
		return 0, "", false
	}
	number, place, _ := strings.Cut(rest, "/")
	layer, err := strconv.Atoi(number)
	return layer - 1, place, err == nil
}

// sequence runs text b forwards and backwards.
func (r *reformerRun) sequence(b int) error {
	ids, err := r.c.row("input_ids", b, r.length, r.hf.Pad)
	if err != nil {
		return err
	}
	_, n, _ := r.c.size()
	p := nn.NewPass(ad.NewTape())
	p.Run = &trace.Run{}
	mask, err := r.c.hfMask(b, n)
	if err != nil {
		return err
	}
	if r.length > n && mask.Keys == nil {
		mask.Keys, mask.N = slices.Repeat([]bool{true}, n), n
	}
	if mask.Keys != nil {
		mask.Keys, mask.N = append(mask.Keys, make([]bool, r.length-n)...), r.length
	}
	p.Mask = mask
	h := ad.Crop(r.stack.Run(p, encoder.Input{IDs: ids, Count: 1}), -2, n) // [N,2d]
	r.put("last_hidden_state", b, h.Value)
	r.layersOf(b, p.Run, slices.Contains(mask.Keys, false))
	if w, ok := r.c.IO.Arrays["loss_w"]; ok {
		p.Tape.Backward(h, tensor.From(w.Sub(b).Data, h.Shape()...))
		r.slopes(p)
	}
	return nil
}

// layersOf files what the layers showed.
func (r *reformerRun) layersOf(b int, run *trace.Run, padded bool) {
	buckets := 1 // with that of padding, if there is padding
	if factors, err := bucketFactors(r.hf.Buckets); err == nil {
		for _, f := range factors {
			buckets *= f
		}
	}
	if padded {
		buckets++
	}
	r.show(b, run, "embedded", "hidden.0")
	hash := 0
	for l, kind := range r.hf.Kinds {
		at := fmt.Sprintf("layer %d/", l+1)
		for ours, theirs := range map[string]string{
			"f": "layer%d.F_attn_out.0", "g": "layer%d.G_ffn_out.0", "y1": "layer%d.attn_output_Y1.0", "y2": "layer%d.hidden_states_Y2.0",
			"x1 again": "recon.layer%d.X1", "x2 again": "recon.layer%d.X2", "window weights": "attn_chunked.%d",
		} {
			r.show(b, run, at+ours, fmt.Sprintf(theirs, l))
		}
		r.show(b, run, at+"y2", fmt.Sprintf("hidden.%d", l+1))
		if kind == "local" {
			continue
		}
		for _, m := range run.Parts[l].Steps {
			for name, value := range lshNames(m, buckets) {
				r.put(strings.TrimSuffix(name, "0")+strconv.Itoa(hash), b, value)
			}
		}
		hash++
	}
}

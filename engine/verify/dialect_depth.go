package verify

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// depthDialects are the references of stacks that repeat or reorder their layers, and of
// the waves that tell positions apart.
var depthDialects = map[string]dialect{
	"positional_encoding":   {run: computeWaves},
	"universal_transformer": {run: computeUniversal, elementwise: recurrentTolerance},
	"act_t2t":               {run: computeACT, elementwise: recurrentTolerance},
	"sandwich":              {run: computeSandwich, inputs: []string{"input_ids", "h_cache."}},
}

// recurrentTolerance: every step works on the roundings of the steps before it and adds its
// own, so that what step k (from 0) computed may differ by the rule's tolerance k + 1
// times, and their result by that of the last.
func recurrentTolerance(c *Case, name string, want *tensor.T) func(i int) float64 {
	steps := max(c.Config.MaxHop, c.Config.MaxSteps)
	switch array, k, numbered := strings.Cut(name, "."); {
	case name == "out":
	case array == "grad" || !numbered:
		return nil
	default:
		k, err := strconv.Atoi(k[strings.LastIndex(k, ".")+1:])
		if err != nil {
			return nil
		}
		steps = k + 1
	}
	return func(int) float64 { return float64(steps) * c.tolerance(name, want) }
}

var waveName = regexp.MustCompile(`^(interleaved|t2t_concat)_(\d+)x(\d+)$`)

// computeWaves: every array of the case is a table whose name says its layout and size.
func computeWaves(c *Case) (computed, error) {
	out := computed{}
	for name := range c.IO.Arrays {
		m := waveName.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		length, _ := strconv.Atoi(m[2])
		width, _ := strconv.Atoi(m[3])
		if m[1] == "interleaved" {
			out[name] = encoder.Sinusoids(length, width)
		} else {
			out[name] = encoder.SinusoidHalves(length, width)
		}
	}
	return out, nil
}

// computeUniversal reads two models of andreamad8/Universal-Transformer-Pytorch: its
// Encoder, and its adaptive computation around a layer of torch.
func computeUniversal(c *Case) (computed, error) {
	x, err := c.input("x")
	if err != nil {
		return nil, err
	}
	cfg, find := madottoModel(c, x)
	s := nn.NewScope(0)
	stack, err := encoder.Universal.New(s, cfg, attention.DotProduct.New)
	if err != nil {
		return nil, fmt.Errorf("verify: %s/%s: %w", c.Mechanism, c.Name, err)
	}
	r, err := newStackRun(c, s.Params(), find)
	if err != nil {
		return nil, err
	}
	run, err := r.run(stack, x)
	if err != nil {
		return nil, err
	}
	for i, step := range run.Parts {
		r.step(i, step, map[string]string{"weights": "attn.%d", "halting logits": "act.p_logit.%d", "state in": "act.state_in.%d", "state out": "act.state_out.%d"})
		r.step(i, step, map[string]string{"weights": "mha_weights.%d"})
	}
	batch, n := x.Dim(0), x.Dim(1)
	for _, m := range run.Steps {
		if _, ok := m.Has(trace.Ponder); ok && m.Name != "state norms" {
			r.ponder(m.Name, lastAxis(m.Value.Reshape(batch, m.Value.Len()/(batch*n), n)))
		}
	}
	r.halting(run)
	for _, name := range []string{"timing_signal_positions", "timing_signal_steps"} {
		if want, ok := c.IO.Arrays[name]; ok {
			r.put(name, encoder.SinusoidHalves(want.Dim(0), want.Dim(1)))
		}
	}
	return r.out, nil
}

// madottoModel is the configuration of the model that the case's weights belong to, and
// where they lie.
func madottoModel(c *Case, x *tensor.T) (encoder.Config, func(string) place) {
	d := x.Dim(2)
	options := map[string]string{"signal": string(encoder.SinusoidalHalves), "halting": "none", "input": "embeddings"}
	if c.Config.Threshold != nil {
		options["halting"] = string(encoder.Basic)
		options["threshold"] = strconv.FormatFloat(*c.Config.Threshold, 'g', -1, 64)
	}
	cfg := encoder.Config{Layers: c.Config.MaxHop, Width: d, Heads: c.Config.Heads, Length: x.Dim(1), Act: encoder.ReLU, Options: options}
	if w, ok := c.Weights.Arrays["enc.linear1.weight"]; ok { // torch.nn.TransformerEncoderLayer
		cfg.Norm, cfg.Inner = encoder.PostNorm, w.Dim(0)
		return cfg, func(name string) place { return torchPlace(name, d) }
	}
	cfg.Norm, cfg.Eps = encoder.PreNorm, 1e-6
	options["transition"], options["normalisation"], options["output"] = "convolution", "deviation", "state" // its last norm has no part in it
	if w, ok := c.Weights.Arrays["enc.positionwise_feed_forward.layers.0.conv.weight"]; ok {
		cfg.Inner = w.Dim(0)
	}
	if _, ok := c.Weights.Arrays["embedding_proj.weight"]; ok {
		options["input"] = "projected"
	}
	return cfg, func(name string) place { return madottoPlace(name, d, cfg.Inner) }
}

var madottoNames = map[string]string{
	"W_input": "embedding_proj.weight", "halting/W_p": "act_fn.p.weight", "halting/b_p": "act_fn.p.bias",
	"transition/mixer norm/gamma": "enc.layer_norm_mha.gamma", "transition/mixer norm/beta": "enc.layer_norm_mha.beta",
	"transition/ffn norm/gamma": "enc.layer_norm_ffn.gamma", "transition/ffn norm/beta": "enc.layer_norm_ffn.beta",
	"transition/mixer/W_Q": "enc.multi_head_attention.query_linear.weight", "transition/mixer/W_K": "enc.multi_head_attention.key_linear.weight",
	"transition/mixer/W_V": "enc.multi_head_attention.value_linear.weight", "transition/mixer/W_O": "enc.multi_head_attention.output_linear.weight",
	"transition/ffn/b_1": "enc.positionwise_feed_forward.layers.0.conv.bias", "transition/ffn/b_2": "enc.positionwise_feed_forward.layers.1.conv.bias",
}

// madottoPlace: the projections of that attention have no biases; a convolution's weights
// are [out,in,3].
func madottoPlace(name string, d, inner int) place {
	kernel := func(in int) func(i int) int {
		return func(i int) int { return i/(3*in)*3*in + i%in*3 + i/in%3 }
	}
	switch name {
	case "transition/ffn/W_1":
		return place{"enc.positionwise_feed_forward.layers.0.conv.weight", kernel(d)}
	case "transition/ffn/W_2":
		return place{"enc.positionwise_feed_forward.layers.1.conv.weight", kernel(inner)}
	}
	return place{name: madottoNames[name]}
}

var torchNames = map[string]string{
	"halting/W_p": "act.p.weight", "halting/b_p": "act.p.bias",
	"transition/mixer norm/gamma": "enc.norm1.weight", "transition/mixer norm/beta": "enc.norm1.bias",
	"transition/ffn norm/gamma": "enc.norm2.weight", "transition/ffn norm/beta": "enc.norm2.bias",
	"transition/mixer/W_O": "enc.self_attn.out_proj.weight", "transition/mixer/b_O": "enc.self_attn.out_proj.bias",
	"transition/ffn/W_1": "enc.linear1.weight", "transition/ffn/b_1": "enc.linear1.bias",
	"transition/ffn/W_2": "enc.linear2.weight", "transition/ffn/b_2": "enc.linear2.bias",
}

// torchPlace: queries, keys and values lie below each other.
func torchPlace(name string, d int) place {
	if kind, ok := strings.CutPrefix(name, "transition/mixer/"); ok && !strings.HasSuffix(kind, "O") {
		row := strings.Index("QKV", kind[2:]) * d
		if kind[0] == 'b' {
			return part("enc.self_attn.in_proj_bias", row)
		}
		return part("enc.self_attn.in_proj_weight", row*d)
	}
	return place{name: torchNames[name]}
}

// run runs the stack on x [B,N,d], forwards and backwards.
func (r *stackRun) run(stack encoder.Stack, x *tensor.T) (*trace.Run, error) {
	p := nn.NewPass(ad.NewTape())
	p.Run = &trace.Run{}
	if r.c.Config.Causal {
		p.Mask.Kind = nn.Causal
	}
	in := p.Tape.Leaf(x)
	y := stack.Apply(p, in)
	r.put("out", y.Value)
	if w, ok := r.c.IO.Arrays["loss_w"]; ok {
		if w.Len() != y.Value.Len() {
			return nil, fmt.Errorf("verify: %s/%s: loss_w has shape %v, wanted %v", r.c.Mechanism, r.c.Name, w.Shape, y.Shape())
		}
		p.Tape.Backward(y, w.Reshape(y.Shape()...))
		r.gradients(p)
		if g := in.Grad(); g != nil {
			r.put("grad.input.x", g)
		}
	}
	return p.Run, nil
}

// step files what step i showed, under names that hold its number.
func (r *stackRun) step(i int, run *trace.Run, names map[string]string) {
	for _, m := range run.Steps {
		if name, ok := names[m.Name]; ok {
			r.put(fmt.Sprintf(name, i), m.Value)
		}
	}
}

// ponder files what the steps decided [B,N,T].
func (r *stackRun) ponder(name string, v *tensor.T) {
	switch name {
	case "halting":
		r.put("halt_p", v)
	case "cumulated halting":
		r.put("halting_probability", v)
	case "update weights":
		r.put("update_weights", v)
	case "running":
		is := func(what tensor.Elem) *tensor.T {
			out := tensor.New(v.Shape...)
			for i, k := range v.Data {
				if k == what {
					out.Data[i] = 1
				}
			}
			return out
		}
		r.put("still_running", is(1))
		r.put("new_halted", is(2))
	}
}

// halting files the steps and remainders of all tokens, or of the first where all of a
// text are the same.
func (r *stackRun) halting(run *trace.Run) {
	for ours, names := range map[string][]string{"updates": {"n_updates", "ponder_times"}, "remainders": {"remainders"}} {
		m, ok := run.Find(ours)
		if !ok {
			continue
		}
		for _, name := range names {
			v := m.Value
			if want := r.c.IO.Arrays[name]; want != nil && want.Rank() == 1 {
				v = tensor.New(want.Dim(0))
				for b := range v.Data {
					v.Data[b] = m.Value.Data[b*m.Value.Len()/v.Len()]
				}
			}
			r.put(name, v)
		}
	}
}

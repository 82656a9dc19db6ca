package verify

import (
	"math"
	"strconv"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

type options = map[string]string

// mixer builds a whole mixer, x [B,N,d] → out [B,N,d].
func mixer(e attention.Entry, config func(r *run) attention.Config) func(*run) forward {
	return func(r *run) forward { return r.mixer(e.New, config(r)) }
}

// mixer runs a mixer. If the case has influence, it measures the influence as well.
func (r *run) mixer(build encoder.Builder, c attention.Config) forward {
	m := must(build(r.scope, c))
	return r.apply("x", func(p *nn.Pass, x *ad.Var) *ad.Var {
		if r.b == 0 && r.shape("influence") != nil {
			r.put("influence", metrics.Influence(m, x.Value, p.Mask))
		}
		if p.OnMix != nil {
			p.OnMix(p, m, x)
		}
		return m.Mix(p, x)
	})
}

// apply runs a function from an input to out.
func (r *run) apply(input string, f func(p *nn.Pass, x *ad.Var) *ad.Var) forward {
	return func(p *nn.Pass) map[string]*ad.Var {
		x := r.leaf(p, input)
		p.Mask = r.mask(x.Dim(1))
		return map[string]*ad.Var{"out": f(p, x)}
	}
}

// mixerOf returns the reference of a mixer with the width and the length of the text, and its
// default options.
func mixerOf(e attention.Entry) reference {
	return reference{mechanism: e.ID, each: "x", build: mixer(e, func(r *run) attention.Config {
		x := r.input("x")
		return attention.Config{Width: x.Dim(-1), Heads: r.Config.Heads, Length: x.Dim(1)}
	})}
}

// seed returns the reference for a class of the seed document with one matrix of scores.
func seed(e attention.Entry) reference {
	return reference{mechanism: e.ID, table: "seed003", each: "x", build: mixer(e, func(r *run) attention.Config {
		c := attention.Config{Width: r.array("W_v.weight").Dim(0), Heads: r.Config.Heads, Length: r.Config.MaxLen}
		if w := r.Weights.Arrays["R1"]; w != nil {
			c.Length, c.Options = w.Dim(-2), options{"k": strconv.Itoa(w.Dim(-1))}
		}
		if w := r.Weights.Arrays["synthesizer_A.0.2.weight"]; w != nil {
			c.Options = options{"a": strconv.Itoa(w.Dim(0))}
		}
		return c
	})}
}

// seedMixture returns the reference for the class MixtureSynthesizer with some of its components.
func seedMixture(e attention.Entry, part string) reference {
	return reference{mechanism: e.ID, table: "seed003_mixture", each: "x", build: mixer(e, func(r *run) attention.Config {
		width := r.array(part + ".W_v.weight").Dim(0)
		return attention.Config{Width: width, Heads: r.Config.Heads, Length: r.Config.MaxLen,
			Options: options{"mix": "outputs"}}
	})}
}

// lucidrains reads LinformerSelfAttention of lucidrains/linformer. It scales its scores later, and
// shows the compressed values even if they are the keys.
func lucidrains(r *run) forward {
	k, e := r.array("to_k.weight"), r.array("proj_k")
	c := attention.Config{Width: k.Dim(1), Heads: r.Config.Heads, Length: e.Dim(0)}
	c.Options = options{"slots": strconv.Itoa(e.Dim(1)), "order": "project-first"}
	if k.Dim(0) != k.Dim(1) {
		c.Options["kv-heads"] = "one"
	}
	if r.Weights.Arrays["to_v.weight"] == nil {
		c.Options["values"] = "keys"
	}
	if r.Weights.Arrays["proj_v"] == nil {
		c.Options["compression"] = "shared"
	}
	r.show = func(shown *trace.Run) {
		if s, ok := shown.Find("scores"); ok {
			unscaled := tensor.New(s.Value.Shape...)
			tensor.Scale(unscaled.Data, tensor.Elem(math.Sqrt(float64(c.HeadWidth()))), s.Value.Data)
			r.put("dots_unscaled.0", unscaled)
		}
		if slots, ok := shown.Find("k slots"); ok && c.Options["values"] == "keys" {
			r.put("kv_projected.1", slots.Value)
		}
	}
	return r.mixer(attention.Linformer.New, c)
}

// fairseq reads MultiheadLinearAttention of facebookresearch's Linformer.
func fairseq(r *run) forward {
	e := r.array("compress_k.weight")
	c := attention.Config{Width: r.array("q_proj.weight").Dim(0), Heads: r.Config.Heads, Length: e.Dim(1)}
	c.Options = options{"slots": strconv.Itoa(e.Dim(0)), "order": "compress-first"}
	if r.Weights.Arrays["compress_v.weight"] == nil {
		c.Options["compression"] = "shared"
	}
	return r.mixer(attention.Linformer.New, c)
}

package verify

import (
	"fmt"
	"maps"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// meshModes maps modes of the authors' code to our mechanisms. Their mode "factorized" is left out,
// because it sums over the wrong axis.
var meshModes = map[string]struct {
	entry   attention.Entry
	options options
}{
	"random":            {attention.Random, nil},
	"random_plus":       {attention.MixtureRV, options{"mix": "sum"}},
	"random_plus_alpha": {attention.MixtureRV, options{"mix": "gate"}},
	"dense_minus":       {attention.Dense, options{"hidden": "query"}},
	"dense_plus":        {attention.MixtureDV, options{"mix": "sum", "hidden": "query"}},
	"dense_plus_alpha":  {attention.MixtureDV, options{"mix": "gate", "hidden": "query"}},
}

// mesh reads the Synthesizers in Mesh TensorFlow. They start after the input projections and end
// before the output projection: q, k, v [B,N,H,d_h] → out [B,N,H,d_h].
func mesh(r *run) forward {
	var config struct {
		Mode string `json:"synthesize_mode"`
	}
	r.read(&config)
	mode, ok := meshModes[config.Mode]
	q := r.input("q")
	if !ok || q.Rank() != 4 {
		fail("mode", "mode", config.Mode, "shape", q.Shape)
	}
	n, heads, width := q.Dim(1), q.Dim(2), q.Dim(2)*q.Dim(3)
	c := attention.Config{Width: width, Heads: heads, Length: n, Options: maps.Clone(mode.options)}
	for _, name := range [...]string{"R", "pi/kernel"} { // the last axis has the length of the longest text
		if w := r.Weights.Arrays[name]; w != nil {
			c.Length = w.Dim(-1)
		}
	}
	core := must(mode.entry.New(r.scope, c)).(attention.Core)
	r.show = func(shown *trace.Run) {
		for ours, theirs := range map[string]string{"masked": "logits.0", "weights": "weights.0"} {
			if m, ok := shown.Find(ours); ok {
				r.put(theirs, permuted(m.Value, 1, 0)) // [H,N,N] → [N,H,N]
			}
		}
	}
	return func(p *nn.Pass) map[string]*ad.Var {
		p.Mask = r.bias(n)
		var in [3]*ad.Var
		for i, name := range [...]string{"q", "k", "v"} {
			in[i] = ad.Reshape(r.leaf(p, name), 1, n, width)
		}
		return map[string]*ad.Var{"out": core.Attend(p, in[0], in[1], in[2])}
	}
}

// bias returns the case's additive mask: 0 where visible and −10⁴ or less where not. It broadcasts
// to [N,N] or, with a batch axis, to [B,N,N]. It is added to scores instead of replacing them.
func (r *run) bias(n int) nn.Mask {
	const name = "bias_additive"
	if r.shape(name) == nil {
		return nn.Mask{}
	}
	m := r.input(name)
	visible := tensor.New(m.Shape...)
	for i, v := range m.Data {
		switch {
		case v == 0:
			visible.Data[i] = 1
		case v > -1e4:
			fail("bias", "name", name, "value", fmt.Sprint(v))
		}
	}
	r.Config.PerSample = true
	return nn.Mask{Pairs: r.pairs(name, visible, n), N: n, Added: true}
}

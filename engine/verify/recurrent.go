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

// steps is the configuration of a model that repeats its layer.
type steps struct {
	MaxHop    int      `json:"max_hop"`
	Threshold *float64 `json:"act_threshold"` // null: fixed depth
	ActType   string   `json:"act_type"`
	Epsilon   float64  `json:"act_epsilon"`
	MaxSteps  int      `json:"act_max_steps"`
}

// mostSteps is the most runs of a layer in a case.
const mostSteps = 1000

func (c *Case) steps() (s steps) {
	if c.read(&s); max(s.MaxHop, s.MaxSteps) > mostSteps {
		fail("number", "field", "max_hop", "value", fmt.Sprint(max(s.MaxHop, s.MaxSteps)), "most", mostSteps)
	}
	return s
}

// growing returns a limit that grows with the steps. Each step inherits the rounding of the steps
// before it and adds its own. So the limit for step k (from 0) is k + 1 times the rule, and the
// result has the limit of the last step.
func growing(c *Case, name string, rule limit) limit {
	s, step := c.steps(), stepName.FindStringSubmatch(name)
	times := max(s.MaxHop, s.MaxSteps)
	switch {
	case step != nil && !strings.HasPrefix(name, "grad."):
		times = must(strconv.Atoi(step[1])) + 1
	case name != "out":
		return rule
	}
	return func(i int) float64 { return float64(times) * rule(i) }
}

var stepName = regexp.MustCompile(`\.(\d+)$`)

var waveName = regexp.MustCompile(`^(interleaved|t2t_concat)_(\d+)x(\d+)$`)

// waves computes position tables, whose names contain their layouts and sizes.
func waves(r *run) forward {
	return func(*nn.Pass) map[string]*ad.Var {
		for name := range r.IO.Arrays {
			if m := waveName.FindStringSubmatch(name); m != nil {
				table, length, width := encoder.SinusoidHalves, must(strconv.Atoi(m[2])), must(strconv.Atoi(m[3]))
				if m[1] == "interleaved" {
					table = encoder.Sinusoids
				}
				if shape := r.shape(name); tensor.Size(shape...) != length*width {
					fail("shape", "name", name, "shape", shape, "want", fmt.Sprint([]int{length, width}))
				}
				r.put(name, table(length, width))
			}
		}
		return nil
	}
}

// universal reads two models of andreamad8/Universal-Transformer-Pytorch: its Encoder, and its
// adaptive computation around a torch layer.
func universal(r *run) forward {
	x, s := r.input("x"), r.steps()
	o := options{"signal": string(encoder.SinusoidalHalves), "halting": "none", "input": "embeddings"}
	if s.Threshold != nil {
		o["halting"], o["threshold"] = string(encoder.Basic), strconv.FormatFloat(*s.Threshold, 'g', -1, 64)
	}
	c := encoder.Config{Layers: s.MaxHop, Width: x.Dim(2), Heads: r.Config.Heads, Length: x.Dim(1), Act: encoder.ReLU,
		Options: o}
	if w, ok := r.Weights.Arrays["enc.linear1.weight"]; ok { // torch.nn.TransformerEncoderLayer
		c.Norm, c.Inner = encoder.PostNorm, w.Dim(0)
	} else {
		c.Norm, c.Eps, c.Inner = encoder.PreNorm, 1e-6, r.array("enc.positionwise_feed_forward.layers.0.conv.weight").Dim(0)
		o["transition"], o["normalisation"], o["output"] = "convolution", "deviation",
			"state" // its last norm is not used
	}
	if r.Weights.Arrays["embedding_proj.weight"] != nil {
		o["input"] = "projected"
	}
	r.show = func(shown *trace.Run) {
		r.pondered(shown, x.Dim(0), x.Dim(1))
		r.halted(shown)
		for _, name := range []string{"timing_signal_positions", "timing_signal_steps"} {
			if shape := r.shape(name); shape != nil {
				r.put(name, encoder.SinusoidHalves(shape[0], shape[1]))
			}
		}
	}
	return r.apply("x", must(encoder.Universal.New(r.scope, c, attention.DotProduct.New)).Apply)
}

// decided maps names to classes of steps in the map of running tokens.
var decided = map[string]tensor.Elem{"still_running": 1, "new_halted": 2}

// pondered files the decisions of the steps, [B,T,N] here and [B,N,T] in the reference.
func (r *run) pondered(shown *trace.Run, batch, n int) {
	for theirs, ours := range map[string]string{
		"halt_p": "halting", "halting_probability": "cumulated halting", "update_weights": "update weights",
		"still_running": "running", "new_halted": "running",
	} {
		m, ok := shown.Find(ours)
		if !ok {
			continue
		}
		v := permuted(m.Value.Reshape(batch, m.Value.Len()/(batch*n), n), 0, 2, 1)
		if is, ok := decided[theirs]; ok {
			for i, class := range v.Data {
				if v.Data[i] = 0; class == is {
					v.Data[i] = 1
				}
			}
		}
		r.put(theirs, v)
	}
}

// halted files the steps and remainders of all tokens, or of the first token where the whole text
// shares them.
func (r *run) halted(shown *trace.Run) {
	for theirs, ours := range map[string]string{"n_updates": "updates", "ponder_times": "updates",
		"remainders": "remainders"} {
		m, ok := shown.Find(ours)
		if !ok {
			continue
		}
		v := m.Value
		if shape := r.shape(theirs); len(shape) == 1 {
			v = tensor.New(shape[0])
			for b := range v.Data {
				v.Data[b] = m.Value.Data[b*m.Value.Len()/v.Len()]
			}
		}
		r.put(theirs, v)
	}
}

// adaptive reads universal_transformer_act of tensor2tensor, around a transition made for the test.
func adaptive(r *run) forward {
	s, inner, d := r.steps(), r.array("ffn.W1").Dim(1), r.input("x").Dim(2)
	h := encoder.NewHalting(r.scope, d)
	h.Rule, h.Threshold = encoder.Rule(s.ActType), 1-s.Epsilon
	switch h.Rule {
	case encoder.Basic, encoder.Accumulated, encoder.Global:
	default:
		fail("act", "rule", s.ActType)
	}
	f := &meanField{r.scope.Param("W1", nn.Zeros, inner, d), r.scope.Param("W2", nn.Zeros, d, inner)}
	r.show = func(shown *trace.Run) {
		for i, step := range shown.Parts {
			if z, ok := step.Find("halting logits"); ok { // logits of each token, even if their mean decides
				p := z.Value.Clone()
				tensor.Sigmoid(p.Data, p.Data)
				r.put(fmt.Sprintf("p.%d", i), p)
			}
		}
		r.halted(shown)
	}
	return r.apply("x", (&encoder.Recurrence{Transition: f, Steps: s.MaxSteps, Halting: h}).Apply)
}

// meanField is the transition s' = tanh(relu((s + mean s)·W1)·W2).
type meanField struct{ w1, w2 *nn.Param }

// Apply returns the next state for s [B,N,d].
func (f *meanField) Apply(p *nn.Pass, s *ad.Var) *ad.Var {
	b, n := s.Dim(0), s.Dim(1)
	mean := ad.MeanPool(s, []ad.Span{{From: 0, To: n}}, nil) // [1,d]
	mean = ad.GatherRows(mean, [][]int{make([]int, n)})      // [N,d]
	y := ad.Tanh(ad.Linear(ad.ReLU(ad.Linear(ad.Add(s, mean), p.Use(f.w1), nil)), p.Use(f.w2), nil))
	return ad.Reshape(y, b, n, y.Dim(-1))
}

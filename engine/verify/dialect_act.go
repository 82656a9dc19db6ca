package verify

import (
	"fmt"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// computeACT reads universal_transformer_act of tensor2tensor, around a transition that
// was made for the test: s' = tanh(relu((s + mean s)·W1)·W2).
func computeACT(c *Case) (computed, error) {
	x, err := c.input("x")
	if err != nil {
		return nil, err
	}
	s := nn.NewScope(0)
	h := encoder.NewHalting(s, x.Dim(2))
	h.Rule, h.Threshold = encoder.Rule(c.Config.ActType), 1-c.Config.Epsilon
	switch h.Rule {
	case encoder.Basic, encoder.Accumulated, encoder.Global:
	default:
		return nil, fmt.Errorf("verify: %s/%s: act_type %q is none of basic, accumulated, global", c.Mechanism, c.Name, h.Rule)
	}
	inner, err := c.weight("ffn.W1")
	if err != nil {
		return nil, err
	}
	d, m := x.Dim(2), inner.Dim(1)
	f := &meanField{s.Param("W1", nn.Zeros, m, d), s.Param("W2", nn.Zeros, d, m)}
	r, err := newStackRun(c, s.Params(), func(name string) place {
		switch name {
		case "W1":
			return turned("ffn.W1", m, d)
		case "W2":
			return turned("ffn.W2", d, m)
		case "W_p":
			return place{name: "sigmoid_activation_for_pondering/dense/kernel"}
		}
		return place{name: "sigmoid_activation_for_pondering/dense/bias"}
	})
	if err != nil {
		return nil, err
	}
	run, err := r.run(&encoder.Recurrence{Transition: f, Steps: c.Config.MaxSteps, Halting: h}, x)
	if err != nil {
		return nil, err
	}
	for i, step := range run.Parts {
		r.step(i, step, map[string]string{"state in": "state_in.%d", "state out": "state_out.%d"})
		if z, ok := step.Find("halting logits"); ok { // each token's own, also where their mean decides
			p := z.Value.Clone()
			tensor.Sigmoid(p.Data, p.Data)
			r.put(fmt.Sprintf("p.%d", i), p)
		}
	}
	r.halting(run)
	return r.out, nil
}

// meanField is the transition of act_t2t.
type meanField struct{ w1, w2 *nn.Param }

func (f *meanField) Apply(p *nn.Pass, s *ad.Var) *ad.Var {
	b, n := s.Dim(0), s.Dim(1)
	mean := ad.MeanPool(s, []ad.Span{{From: 0, To: n}}, nil) // [1,d]
	mean = ad.Places(mean, [][]int{make([]int, n)})          // [N,d]
	y := ad.Tanh(ad.Linear(ad.ReLU(ad.Linear(ad.Add(s, mean), p.Use(f.w1), nil)), p.Use(f.w2), nil))
	return ad.Reshape(y, b, n, y.Dim(-1))
}

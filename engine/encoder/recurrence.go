package encoder

import (
	"fmt"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Recurrence applies one transition again and again: s_t = f(s_{t−1} + P_t), for a fixed number of
// steps or until every position has halted.
type Recurrence struct {
	// Signal marks the position and step of each state. It may be nil.
	Signal     func(p *nn.Pass, s *ad.Var, step int) *ad.Var
	Transition Stack
	Steps      int      // T; with Halting, the largest number of steps
	Halting    *Halting // nil: all positions take T steps, and the last state is the output
}

// Apply runs the steps: x [N,d] → [N,d]. The maps of a step are listed under "step 1", ….
func (r *Recurrence) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	var h *haltingState
	if r.Halting != nil {
		h = r.Halting.start(p, x)
	}
	var norms []*tensor.T
	s := x
	for t := 0; t < r.Steps && (h == nil || h.running()); t++ {
		in := p.InLayer(fmt.Sprintf("step %d", t+1), t)
		if r.Signal != nil {
			s = r.Signal(in, s, t) // [N,d]
		}
		in.Step("state in", `s_{t-1} + P_t`, trace.Activation, s, trace.Token, trace.Channel)
		var w *ad.Var
		if h != nil {
			w = h.weight(in, s) // [N]
		}
		s = in.Step("state out", `s_t`, trace.Activation, p.Layer(s, func(s *ad.Var) *ad.Var {
			return r.Transition.Apply(in, s)
		}), trace.Token, trace.Channel) // [N,d]
		if h != nil {
			h.accumulate(w, s)
		}
		if p.Watched() {
			norms = append(norms, rowNorms(s.Value))
		}
	}
	if p.Watched() {
		p.Show(trace.Map{Name: "state norms", Tex: `\lVert s_t \rVert_2`, Kind: trace.Length, Value: stacked(norms),
			Axes: []trace.Axis{ponderAxis(len(norms)), {Role: trace.Token}}})
	}
	if h == nil {
		return s
	}
	h.show(p)
	h.addLoss(p)
	return h.output
}

// waveSignal adds two sinusoids to every state before every step: one for its position and one for the step (eq. 6,
// 7).
func waveSignal(waves *tensor.T) func(*nn.Pass, *ad.Var, int) *ad.Var {
	return func(_ *nn.Pass, s *ad.Var, step int) *ad.Var {
		n, d := s.Dim(1), s.Dim(2)
		signal := tensor.New(n, d)
		tensor.AddRow(signal.Data, waves.Data[:n*d], waves.Data[step*d:][:d])
		return ad.AddScalars(s, signal)
	}
}

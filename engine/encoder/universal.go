package encoder

import (
	"fmt"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Recurrence applies one transition again and again: s_t = f(s_{t−1} + P_t), for a fixed
// number of steps or until every position has halted.
type Recurrence struct {
	// Signal says at which position and step a state is; nil: it is not told.
	Signal     func(p *nn.Pass, s *ad.Var, step int) *ad.Var
	Transition Stack
	Steps      int      // T; with Halting the most
	Halting    *Halting // nil: T steps for all, and the last state is the output
}

// Apply runs the steps: x [N,d] → [N,d]. What a step shows is listed under "step 1", ….
func (r *Recurrence) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	var c *clock
	if r.Halting != nil {
		c = r.Halting.start(p, x)
	}
	var norms []*tensor.T
	s := x
	for t := 0; t < r.Steps && (c == nil || c.running()); t++ {
		in := p.In(fmt.Sprintf("step %d", t+1))
		if r.Signal != nil {
			s = r.Signal(in, s, t) // [N,d]
		}
		in.Step("state in", `s_{t-1} + P_t`, trace.Activation, s, trace.Token, trace.Channel)
		var w *ad.Var
		if c != nil {
			w = c.weigh(in, s) // [N]
		}
		s = in.Step("state out", `s_t`, trace.Activation, r.Transition.Apply(in, s), trace.Token, trace.Channel) // [N,d]
		if c != nil {
			c.take(w, s)
		}
		if p.Watched() {
			norms = append(norms, rowNorms(s.Value))
		}
	}
	if p.Watched() {
		p.Show(trace.Map{Name: "state norms", Tex: `\lVert s_t \rVert_2`, Kind: trace.Activation, Value: stacked(norms), Axes: []trace.Axis{ponderAxis(len(norms)), {Role: trace.Token}}})
	}
	if c == nil {
		return s
	}
	c.show(p)
	c.charge(p)
	return c.output
}

// waveSignal adds two waves to every state before every step: that of its position and
// that of the step (eq. 6, 7).
func waveSignal(waves *tensor.T) func(*nn.Pass, *ad.Var, int) *ad.Var {
	return func(_ *nn.Pass, s *ad.Var, step int) *ad.Var {
		n, d := s.Dim(1), s.Dim(2)
		signal := tensor.New(n, d)
		tensor.AddRow(signal.Data, waves.Data[:n*d], waves.Data[step*d:][:d])
		return ad.AddScalars(s, signal)
	}
}

// transition is one layer whose weights serve every step.
type transition struct {
	mix      attention.Mixer
	ffn      positionwise
	mixNorm  nn.LayerNorm
	ffnNorm  nn.LayerNorm
	position Norm
}

// positionwise is what follows the mixer in a layer.
type positionwise interface {
	Apply(p *nn.Pass, x *ad.Var) *ad.Var
}

// Apply keeps the shape of x [N,d].
func (l *transition) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	x = sublayer(p, x, l.position, l.mixNorm, l.mix.Mix)
	return sublayer(p, x, l.position, l.ffnNorm, l.ffn.Apply)
}

// convolution is a feed-forward network of neighbours: each of its two layers reads three
// words, the text being surrounded by zeros, and ends in a ReLU:
//
//	y = relu(C_2 * relu(C_1 * x + b_1) + b_2)
type convolution struct {
	in, out nn.Linear // [inner,3d], [d,3·inner]: of the word before, the word, the word after
	reach   [3]int    // where the three words stand
}

// Words that a convolution reads.
var (
	around = [3]int{-1, 0, 1}
	before = [3]int{-2, -1, 0} // under a causal mask
)

func newConvolution(s *nn.Scope, width, inner int, reach [3]int) *convolution {
	return &convolution{in: nn.NewLinear(s, "1", 3*width, inner), out: nn.NewLinear(s, "2", 3*inner, width), reach: reach}
}

// Apply keeps the shape of x [N,d].
func (c *convolution) Apply(p *nn.Pass, x *ad.Var) *ad.Var {
	h := ad.ReLU(c.in.Apply(p, c.neighbours(p, x))) // [N,inner]
	return ad.ReLU(c.out.Apply(p, c.neighbours(p, h)))
}

// neighbours puts three words side by side at every position: [N,d] → [N,3d]. Padding
// is as empty as what lies beyond the text.
func (c *convolution) neighbours(p *nn.Pass, x *ad.Var) *ad.Var {
	x = ad.KeepRows(x, p.Mask.Keys)
	var side *ad.Var
	for _, offset := range c.reach {
		at := make([]int, x.Dim(1))
		for i := range at {
			if at[i] = i + offset; at[i] < 0 || at[i] >= len(at) {
				at[i] = ad.Absent
			}
		}
		if part := ad.Places(x, [][]int{at}); side == nil {
			side = part
		} else {
			side = ad.Concat(side, part)
		}
	}
	return side
}

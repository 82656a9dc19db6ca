package encoder

import (
	"fmt"
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Rule is how adaptive computation combines the states of the steps into the output.
type Rule string

const (
	// Basic: y ← w·s + (1 − w)·y, the default of tensor2tensor. The weights of the states in the output do not sum to
	// 1.
	Basic Rule = "basic"
	// Accumulated: y ← w·s + y (Graves 2016, eq. 13). The weights of a position that has halted sum to 1.
	Accumulated Rule = "accumulated"
	// Global is Basic with one probability for the whole text, the mean over its positions.
	Global Rule = "global"
)

// Halting is adaptive computation time: every position decides for itself after how many steps it
// stops (Graves 2016, arXiv:1603.08983, sec. 2; for positions of a text: Dehghani et al. 2018,
// arXiv:1807.03819, sec. 2.2). At every step, with h the sum of the weights that a position has
// used so far,
//
//	p = σ(s·w_p + b_p)
//	it halts if h + p > threshold, and then w = R = 1 − h; else it runs on and w = p
//
// A position that has halted has w = 0 from then on. Its state continues to change, and other
// positions still attend to it.
type Halting struct {
	Unit      nn.Linear // w_p [1,d], b_p [1]
	Rule      Rule
	Threshold float64 // 1 − ε
	Cost      float64 // ponder cost of a step: the factor of the mean of n + R in the training loss
}

// NewHalting makes the halting unit "p" of the given width. Its bias starts at 1, so that at first
// positions halt after two steps.
func NewHalting(s *nn.Scope, width int) *Halting {
	unit := nn.Linear{W: s.Param("W_p", nn.Normal(nn.Std), 1, width), B: s.Param("b_p", nn.Ones, 1)}
	return &Halting{Unit: unit, Rule: Basic, Threshold: 0.99, Cost: 0.01}
}

// haltingState is the adaptive computation of one pass, with arrays [B,N]. It stores which positions have halted,
// because rounding can hide that h = 1.
type haltingState struct {
	*Halting
	batch, n  int
	sum       *ad.Var // h, for positions that have not halted
	remainder *ad.Var // R, 0 before halting
	halted    []bool
	updates   *tensor.T // n: number of steps whose state counted
	output    *ad.Var   // y [B,N,d]
	steps     haltingSteps
}

func (h *Halting) start(p *nn.Pass, x *ad.Var) *haltingState {
	b, n := x.Dim(0), x.Dim(1)
	zero := tensor.New(b, n)
	return &haltingState{
		Halting: h, batch: b, n: n, sum: p.Tape.Const(zero), remainder: p.Tape.Const(zero),
		halted: make([]bool, b*n), updates: tensor.New(b, n), output: p.Tape.Const(tensor.New(x.Shape()...)),
	}
}

// running reports whether any position has not halted.
func (h *haltingState) running() bool {
	for i, done := range h.halted {
		if !done && (h.updates.Data[i] == 0 || h.sum.Value.Data[i] < tensor.Elem(h.Threshold)) {
			return true
		}
	}
	return false
}

// weight returns the update weight w [B,N] of a step, from the state s [B,N,d] before it.
func (h *haltingState) weight(p *nn.Pass, s *ad.Var) *ad.Var {
	logits := ad.Reshape(h.Unit.Apply(p, s), h.batch, h.n)
	p.Step("halting logits", `s\,w_p^\top + b_p`, trace.Activation, logits, trace.Token)
	chance := ad.Sigmoid(logits) // [N]
	if h.Rule == Global {
		chance = h.mean(p, chance)
	}
	on, stop := tensor.New(h.batch, h.n), tensor.New(h.batch, h.n)
	for i, done := range h.halted {
		switch {
		case done:
		case h.sum.Value.Data[i]+chance.Value.Data[i] > tensor.Elem(h.Threshold):
			stop.Data[i], h.halted[i] = 1, true
			h.updates.Data[i]++
		default:
			on.Data[i] = 1
			h.updates.Data[i]++
		}
	}
	use := ad.Mul(chance, p.Tape.Const(on)) // p of the running positions
	h.sum = ad.Add(h.sum, use)
	rest := ad.Mul(complement(h.sum), p.Tape.Const(stop)) // R of the positions that halt now
	h.sum, h.remainder = ad.Add(h.sum, rest), ad.Add(h.remainder, rest)
	w := ad.Add(use, rest)
	if p.Watched() {
		h.steps.add(chance.Value, h.sum.Value, on, stop, w.Value)
	}
	return w
}

// mean replaces the number of every position by the mean over the text.
func (h *haltingState) mean(p *nn.Pass, v *ad.Var) *ad.Var {
	m := ad.MeanPool(ad.Reshape(v, h.batch, h.n, 1), []ad.Span{{From: 0, To: h.n}}, p.Mask.Readable(h.batch, h.n)) // [1,1]
	of := make([]int, h.batch*h.n)
	for i := range of {
		of[i] = i / h.n
	}
	return ad.Reshape(ad.Rows(ad.Reshape(m, h.batch, 1), of), h.batch, h.n)
}

// accumulate adds the state after a step to the output.
func (h *haltingState) accumulate(w, s *ad.Var) {
	kept := h.output
	if h.Rule != Accumulated {
		kept = ad.ScaleRows(complement(w), kept)
	}
	h.output = ad.Add(ad.ScaleRows(w, s), kept) // [N,d]
}

// complement is 1 − x.
func complement(x *ad.Var) *ad.Var {
	return ad.AddScalars(ad.Scale(x, -1), tensor.From([]tensor.Elem{1}, 1))
}

// addLoss adds the auxiliary loss: Cost times the mean of n + R over the text. Only R has
// a gradient.
func (h *haltingState) addLoss(p *nn.Pass) {
	share, fixed, count := tensor.New(h.batch, h.n), 0.0, 0
	for i := range share.Data {
		if p.Mask.Keys == nil || p.Mask.Keys[i] {
			count++
		}
	}
	for i := range share.Data {
		if p.Mask.Keys == nil || p.Mask.Keys[i] {
			share.Data[i] = tensor.Elem(h.Cost / float64(count))
			fixed += h.Cost / float64(count) * float64(h.updates.Data[i])
		}
	}
	p.AddLoss("ponder", ad.AddScalars(ad.Dot(h.remainder, share), tensor.From([]tensor.Elem{tensor.Elem(fixed)})))
}

// haltingSteps holds the maps of adaptive computation: an array [B,N] for each step.
type haltingSteps struct {
	chance, sum, running, weight []*tensor.T
}

func (s *haltingSteps) add(chance, sum, on, stop, weight *tensor.T) {
	running := tensor.New(on.Shape...) // 0: halted before, 1: still running, 2: halts now
	tensor.Add(running.Data, on.Data, stop.Data)
	tensor.Add(running.Data, running.Data, stop.Data)
	s.chance, s.sum = append(s.chance, chance), append(s.sum, sum)
	s.running, s.weight = append(s.running, running), append(s.weight, weight)
}

// effective returns the weights of the steps' states in the output. These are w_t, multiplied by 1
// − w_u of all later steps u unless the rule keeps y unchanged.
func (s *haltingSteps) effective(rule Rule) []*tensor.T {
	out := make([]*tensor.T, len(s.weight))
	for t := range out {
		e := s.weight[t].Clone()
		for _, later := range s.weight[t+1:] {
			for i, w := range later.Data {
				if rule != Accumulated {
					e.Data[i] *= 1 - w
				}
			}
		}
		out[t] = e
	}
	return out
}

// show records the maps of the whole computation after its last step.
func (h *haltingState) show(p *nn.Pass) {
	if !p.Watched() {
		return
	}
	for _, m := range []struct {
		name, tex string
		kind      trace.Kind
		steps     []*tensor.T
	}{
		{"halting", `p = \sigma(s\,w_p^\top + b_p)`, trace.Gate, h.steps.chance},
		{"cumulated halting", `h = \sum p + R`, trace.Gate, h.steps.sum},
		{"running", `[t \le n] + [t = n \land h = 1]`, trace.Category, h.steps.running},
		{"update weights", `w = p \text{ or } R`, trace.Gate, h.steps.weight},
		{"effective weights", effectiveTex[h.Rule], trace.Gate, h.steps.effective(h.Rule)},
	} {
		shown := trace.Map{Name: m.name, Tex: m.tex, Kind: m.kind, Value: stacked(m.steps),
			Axes: []trace.Axis{ponderAxis(len(m.steps)), {Role: trace.Token}}}
		if m.kind == trace.Category {
			shown.Classes = haltingClasses[:]
		}
		p.Show(shown)
	}
	token := []trace.Axis{{Role: trace.Token}}
	p.Show(trace.Map{Name: "remainders", Tex: `R = 1 - \sum p`, Kind: trace.Gate, Value: h.remainder.Value, Axes: token})
	p.Show(trace.Map{Name: "updates", Tex: `n`, Kind: trace.Count, Value: h.updates, Axes: token})
}

var effectiveTex = map[Rule]string{
	Basic: `w_t \prod_{u>t} (1 - w_u)`, Global: `w_t \prod_{u>t} (1 - w_u)`, Accumulated: `w_t`,
}

// haltingClasses are the classes of the map "running".
var haltingClasses = [...]string{"has halted", "goes on", "halts"}

// ponderAxis returns the axis of steps, counted from 1.
func ponderAxis(steps int) trace.Axis {
	a := trace.Axis{Role: trace.Ponder}
	for t := range steps {
		a.Labels = append(a.Labels, fmt.Sprintf("step %d", t+1))
	}
	return a
}

// stacked joins the arrays [B,…] of all steps into one: [B,T,…].
func stacked(steps []*tensor.T) *tensor.T {
	first := steps[0]
	out := tensor.New(append([]int{first.Dim(0), len(steps)}, first.Shape[1:]...)...)
	size := first.Len() / first.Dim(0)
	for t, s := range steps {
		for b := range first.Dim(0) {
			copy(out.Data[(b*len(steps)+t)*size:][:size], s.Data[b*size:])
		}
	}
	return out
}

// rowNorms returns the Euclidean length of every row of x: [B,N,d] → [B,N].
func rowNorms(x *tensor.T) *tensor.T {
	out := tensor.New(x.Dim(0), x.Dim(1))
	for i := range out.Data {
		row := x.Data[i*x.Dim(2):][:x.Dim(2)]
		out.Data[i] = tensor.Elem(math.Sqrt(float64(tensor.Dot(row, row))))
	}
	return out
}

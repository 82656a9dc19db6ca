package encoder_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// subject is a stack without a model, with large weights.
type subject struct {
	stack  encoder.Stack
	params []*nn.Param
	x      *tensor.T // [B,N,d]
}

const stackWidth = 8

// newSubject builds a stack of two heads around dot product.
func newSubject(t *testing.T, e encoder.StackEntry, c encoder.Config, batch, n int) subject {
	t.Helper()
	c.Width, c.Heads, c.Inner, c.Length = stackWidth, 2, 12, n
	if c.Norm == "" {
		c.Norm = encoder.PreNorm
	}
	s := nn.NewScope(3)
	stack, err := e.New(s, c, attention.DotProduct.New)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 8))
	for _, p := range s.Params() {
		shake(r, p.Value, 0.2)
	}
	x := tensor.New(batch, n, stackWidth)
	shake(r, x, 1)
	return subject{stack, s.Params(), x}
}

func shake(r *rand.Rand, x *tensor.T, by float64) {
	for i := range x.Data {
		x.Data[i] += tensor.Elem(r.NormFloat64() * by)
	}
}

// run runs a watched pass.
func (s subject) run(mask nn.Mask) (*tensor.T, *trace.Run, []nn.AuxLoss) {
	p := nn.NewPass(ad.NewFrozen())
	p.Mask, p.Run = mask, &trace.Run{}
	y := s.stack.Apply(p, p.Tape.Const(s.x))
	return y.Value, p.Run, p.AuxLosses()
}

func (s subject) param(t *testing.T, name string) *nn.Param {
	t.Helper()
	i := slices.IndexFunc(s.params, func(p *nn.Param) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no parameter is called %s", name)
	}
	return s.params[i]
}

func shown(t *testing.T, run *trace.Run, name string) *tensor.T {
	t.Helper()
	m, ok := run.Find(name)
	if !ok {
		t.Fatalf("%q is not shown", name)
	}
	return m.Value
}

func same(t *testing.T, what string, got, want *tensor.T, tolerance float64) {
	t.Helper()
	if !got.SameShape(want) {
		t.Fatalf("%s: shapes %v and %v", what, got.Shape, want.Shape)
	}
	for i, v := range got.Data {
		if d := math.Abs(float64(v - want.Data[i])); !(d <= tolerance) {
			t.Fatalf("%s: element %d is %v, wanted %v", what, i, v, want.Data[i])
		}
	}
}

func universal(layers int, options ...string) encoder.Config {
	c := encoder.Config{Layers: layers, Options: map[string]string{"input": "embeddings"}}
	for i := 0; i < len(options); i += 2 {
		c.Options[options[i]] = options[i+1]
	}
	return c
}

// TestNoTimeIsOneStep: at threshold 0, every word halts at its first step, whose state is the whole
// output.
func TestNoTimeIsOneStep(t *testing.T) {
	for _, rule := range []string{"basic", "accumulated", "global"} {
		act := newSubject(t, encoder.Universal, universal(5, "halting", rule, "threshold", "0"), 2, 6)
		y, run, _ := act.run(nn.Mask{})
		once := newSubject(t, encoder.Universal, universal(1, "halting", "none"), 2, 6)
		for _, p := range once.params {
			copy(p.Value.Data, act.param(t, p.Name).Value.Data)
		}
		once.x = act.x
		want, _, _ := once.run(nn.Mask{})
		same(t, rule, y, want, 1e-6)
		if len(run.Parts) != 1 {
			t.Errorf("%s takes %d steps", rule, len(run.Parts))
		}
		for _, name := range []string{"update weights", "effective weights", "remainders", "updates"} {
			for _, v := range shown(t, run, name).Data {
				if v != 1 {
					t.Errorf("%s: %s holds %v, not 1", rule, name, v)
				}
			}
		}
	}
}

// TestOneStepIsOneLayer: without signals, one step is an encoder of one layer.
func TestOneStepIsOneLayer(t *testing.T) {
	u := newSubject(t, encoder.Universal, universal(1, "halting", "none", "signal", "none"), 2, 6)
	e := newSubject(t, encoder.Encoder, encoder.Config{Layers: 1}, 2, 6)
	for _, p := range e.params {
		name := p.Name
		if rest, ok := strings.CutPrefix(name, "layer 1/"); ok {
			name = "transition/" + rest
		}
		copy(p.Value.Data, u.param(t, name).Value.Data)
	}
	e.x = u.x
	got, _, _ := u.run(nn.Mask{})
	want, _, _ := e.run(nn.Mask{})
	same(t, "one step", got, want, 0)
}

// TestHaltingAccounts recomputes every word's steps from the probabilities that the pass shows: the
// sum of its weights, the step at which it halts, the weight of that step, and the output.
func TestHaltingAccounts(t *testing.T) {
	for _, rule := range []string{"basic", "accumulated", "global"} {
		const steps, n = 6, 7
		s := newSubject(t, encoder.Universal, universal(steps, "halting", rule, "output", "state", "threshold", "0.9"), 1, n)
		s.param(t, "halting/b_p").Value.Data[0] = -0.8
		s.param(t, "halting/W_p").Value.Data[0] = 1
		y, run, _ := s.run(nn.Mask{})
		chance, cumulated, running := shown(t, run, "halting"), shown(t, run, "cumulated halting"), shown(t, run, "running")
		weight, effective := shown(t, run, "update weights"), shown(t, run, "effective weights")
		taken := chance.Dim(0)
		if taken != len(run.Parts) || taken > steps {
			t.Fatalf("%s: %d steps are shown, %d were taken", rule, taken, len(run.Parts))
		}
		output, early, never := tensor.New(n, stackWidth), 0, 0
		for i := range n {
			h, count, rest := 0.0, 0, 0.0
			for k := range taken {
				at := k*n + i
				p, what, w := float64(chance.Data[at]), 0.0, 0.0
				if h < 1 {
					count++
					if what, w = 1, p; h+p > 0.9 {
						what, w, rest = 2, 1-h, 1-h
					}
					if h += w; what == 2 {
						h = 1
					}
				}
				if math.Abs(float64(cumulated.Data[at])-h) > 1e-5 || float64(running.Data[at]) != what ||
					math.Abs(float64(weight.Data[at])-w) > 1e-5 {
					t.Fatalf("%s: word %d, step %d: h %v, state %v, w %v; wanted %v, %v, %v", rule, i, k+1, cumulated.Data[at],
						running.Data[at], weight.Data[at], h, what, w)
				}
				state := shown(t, run.Parts[k], "state out")
				for f := range stackWidth {
					old := &output.Data[i*stackWidth+f]
					kept := 1 - w
					if rule == "accumulated" {
						kept = 1
					}
					*old = tensor.Elem(w)*state.Data[i*stackWidth+f] + tensor.Elem(kept)**old
				}
			}
			if float64(shown(t, run, "updates").Data[i]) != float64(count) ||
				math.Abs(float64(shown(t, run, "remainders").Data[i])-rest) > 1e-5 {
				t.Fatalf("%s: word %d took %v steps with the remainder %v; wanted %d and %v", rule, i,
					shown(t, run, "updates").Data[i], shown(t, run, "remainders").Data[i], count, rest)
			}
			if h < 1 {
				never++
			} else if count < taken {
				early++
			}
		}
		same(t, rule+" output", y.Reshape(n, stackWidth), output, 1e-5)
		if rule != "global" && early == 0 {
			t.Errorf("%s: no word halts before the others: the test says nothing", rule)
		}
		mixed := tensor.New(n, stackWidth) // the output, recomputed from the effective weights
		for k, part := range run.Parts {
			for i := range n {
				tensor.Axpy(mixed.Data[i*stackWidth:][:stackWidth], effective.Data[k*n+i],
					shown(t, part, "state out").Data[i*stackWidth:][:stackWidth])
			}
		}
		same(t, rule+" effective weights", mixed, output, 1e-5)
	}
}

// TestWeightsOfStepsSumToOne tests the property that distinguishes Graves' rule from the others.
func TestWeightsOfStepsSumToOne(t *testing.T) {
	for rule, whole := range map[string]bool{"accumulated": true, "basic": false} {
		s := newSubject(t, encoder.Universal, universal(9, "halting", rule), 1, 5)
		clear(s.param(t, "halting/W_p").Value.Data)
		_, run, _ := s.run(nn.Mask{})
		effective, halted := shown(t, run, "effective weights"), shown(t, run, "cumulated halting")
		for i := range 5 {
			sum := 0.0
			for k := range effective.Dim(0) {
				sum += float64(effective.Data[k*5+i])
			}
			if halted.Sub(halted.Dim(0) - 1).Data[i] != 1 {
				t.Fatalf("word %d does not halt", i)
			}
			if (math.Abs(sum-1) < 1e-5) != whole {
				t.Errorf("%s: the weights of word %d sum to %v", rule, i, sum)
			}
		}
	}
}

// TestHaltedWordsKeepMoving: the state of a word still changes after it has halted.
func TestHaltedWordsKeepMoving(t *testing.T) {
	s := newSubject(t, encoder.Universal, universal(6), 1, 7)
	s.param(t, "halting/W_p").Value.Data[0] = 2
	_, run, _ := s.run(nn.Mask{})
	running := shown(t, run, "running")
	for k := 1; k < len(run.Parts); k++ {
		for i := range 7 {
			if running.Data[k*7+i] != 0 {
				continue
			}
			before, after := shown(t, run.Parts[k-1], "state out").Sub(i).Data, shown(t, run.Parts[k], "state out").Sub(i).Data
			if slices.Equal(before, after) {
				t.Errorf("word %d stands still at step %d", i, k+1)
			}
			return
		}
	}
	t.Error("no word halts before the last step: the test says nothing")
}

// TestPonderCost: the auxiliary loss is the cost multiplied by the mean of steps and remainders
// over the words of the text.
func TestPonderCost(t *testing.T) {
	s := newSubject(t, encoder.Universal, universal(6, "ponder", "0.25"), 2, 6)
	mask := nn.Mask{Keys: slices.Repeat([]bool{true, true, true, true, false, false}, 2), N: 6}
	for name, m := range map[string]nn.Mask{"all": {}, "padded": mask} {
		_, run, charges := s.run(m)
		if len(charges) != 1 {
			t.Fatalf("%d charges", len(charges))
		}
		sum, count := 0.0, 0.0
		for i, n := range shown(t, run, "updates").Data {
			if m.Keys == nil || m.Keys[i] {
				sum, count = sum+float64(n)+float64(shown(t, run, "remainders").Data[i]), count+1
			}
		}
		if got := float64(charges[0].Value.Value.Data[0]); math.Abs(got-0.25*sum/count) > 1e-6 {
			t.Errorf("%s: pondering costs %v, wanted %v", name, got, 0.25*sum/count)
		}
	}
}

// TestGlobalHaltingIgnoresPadding: padding has no effect on the step at which a text halts.
func TestGlobalHaltingIgnoresPadding(t *testing.T) {
	s := newSubject(t, encoder.Universal, universal(6, "halting", "global"), 1, 6)
	mask := nn.Mask{Keys: []bool{true, true, true, true, false, false}, N: 6}
	_, run, _ := s.run(mask)
	before := shown(t, run, "halting").Clone()
	tensor.Scale(s.x.Data[4*stackWidth:], 5, s.x.Data[4*stackWidth:])
	_, run, _ = s.run(mask)
	same(t, "chances", shown(t, run, "halting"), before, 1e-6)
}

// TestEmbeddingsOfUnitSize: embeddings are drawn with a standard deviation of 0.02, and the first
// step receives them scaled to 1.
func TestEmbeddingsOfUnitSize(t *testing.T) {
	small := newSubject(t, encoder.Universal, universal(2, "input", "unit"), 1, 4)
	tensor.Scale(small.x.Data, nn.Std, small.x.Data)
	got, _, _ := small.run(nn.Mask{})
	want, _, _ := newSubject(t, encoder.Universal, universal(2), 1, 4).run(nn.Mask{})
	same(t, "unit", got, want, 1e-5)
}

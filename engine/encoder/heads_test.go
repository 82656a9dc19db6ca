package encoder_test

import (
	"math"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// readLoss returns the loss of the heads at a few positions of two sequences.
type readLoss func(m *encoder.Model, p *nn.Pass) *ad.Var

var (
	readIDs     = []int{1, 5, 7, 3, 8, 5, 8, 2, 1, 9, 0, 6, 10, 4, 3, 2}
	readAt      = []int{3, 12, 1}
	readTargets = []int{3, 10, 4}
)

// wholeLoss selects the rows from the stack's whole output; partLoss requests only these rows.
func wholeLoss(m *encoder.Model, p *nn.Pass) *ad.Var {
	x := m.Run(p, encoder.Input{IDs: readIDs, Count: 2})
	words := ad.CrossEntropy(m.Words(p, x, readAt), readTargets)
	return headLoss(m, words, func(t int) *ad.Var { return m.Classify(p, x, t) })
}

func partLoss(m *encoder.Model, p *nn.Pass) *ad.Var {
	x := m.Read(p, encoder.Input{IDs: readIDs, Count: 2}, encoder.Wanted{At: readAt, Classes: len(m.Config.Tasks) > 0})
	return headLoss(m, m.GuessLoss(p, x.Words, readTargets), func(t int) *ad.Var { return m.Class(p, x.Pooled, t) })
}

func headLoss(m *encoder.Model, sum *ad.Var, classify func(t int) *ad.Var) *ad.Var {
	for t := range m.Config.Tasks {
		sum = ad.Add(sum, ad.CrossEntropy(classify(t), []int{1, 0}))
	}
	return sum
}

// TestReadIsRunAtSomeRows: skipping rows that are not needed changes neither the loss nor a
// gradient.
func TestReadIsRunAtSomeRows(t *testing.T) {
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue
		}
		for _, norm := range []encoder.Norm{encoder.PreNorm, encoder.PostNorm} {
			if e.ID == "reversible" && norm == encoder.PostNorm {
				continue // the combination is rejected
			}
			for _, pooling := range []encoder.Pooling{encoder.First, encoder.Attention} {
				c := stackConfig(t, e.ID, "dot-product")
				c.Norm, c.Pooling = norm, pooling
				t.Run(e.ID+"/"+string(norm)+"/"+string(pooling), func(t *testing.T) { compareLosses(t, newModel(t, c)) })
			}
		}
	}
}

func compareLosses(t *testing.T, m *encoder.Model) {
	run := func(loss readLoss) (*nn.Pass, float64) {
		p := nn.NewPass(ad.NewTape())
		l := loss(m, p)
		p.Tape.Backward(l, tensor.From([]tensor.Elem{1}))
		return p, float64(l.Value.Data[0])
	}
	p, want := run(wholeLoss)
	q, got := run(partLoss)
	if math.Abs(got-want) > 1e-5 {
		t.Errorf("loss %v, want %v", got, want)
	}
	for _, w := range m.Params {
		g, h := p.Grad(w), q.Grad(w)
		if (g == nil) != (h == nil) {
			t.Errorf("%s: only one has a gradient", w.Name)
			continue
		}
		for i := range w.Value.Data {
			if g != nil && math.Abs(float64(g.Data[i]-h.Data[i])) > 1e-5 {
				t.Fatalf("%s[%d]: gradient %v, want %v", w.Name, i, h.Data[i], g.Data[i])
			}
		}
	}
}

// TestReadOfEveryMechanism: the same holds for every mixer, whether or not it skips positions.
func TestReadOfEveryMechanism(t *testing.T) {
	for _, e := range attention.Catalog {
		for _, mix := range []string{"", "outputs"} {
			c := stackConfig(t, "encoder", e.ID)
			if mix != "" && !strings.HasPrefix(e.ID, "mixture") {
				continue
			}
			if mix != "" {
				c.MixerOptions = map[string]string{"mix": mix}
			}
			t.Run(e.ID+mix, func(t *testing.T) { compareLosses(t, newModel(t, c)) })
		}
	}
}

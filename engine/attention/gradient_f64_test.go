//go:build f64

package attention_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Numeric gradients need float64: in float32 a step that is large enough to
// be measured crosses the kinks of ReLU. The float32 gradients are checked
// against reference implementations instead.
const (
	gradStep       = 1e-5
	gradTolerance  = 1e-7 // central differences have an error of about step²
	gradSample     = 96   // elements of each array, drawn at random
	tightTolerance = 1e-12
)

func TestGradients(t *testing.T) {
	forAll(t, 2, 4, checkGradients)
}

// TestGradientsOfPatterns: at lengths where windows, blocks and slots leave
// something out.
func TestGradientsOfPatterns(t *testing.T) {
	for _, p := range patterns() {
		s := newSubject(t, p.entry, p.config(9), 2, 9)
		for name, mask := range s.masks() {
			t.Run(p.name+"/"+name, func(t *testing.T) { checkGradients(t, s, mask) })
		}
	}
}

// checkGradients compares the gradients of x and all parameters with central differences.
func checkGradients(t *testing.T, s subject, mask nn.Mask) {
	w := noise(rand.New(rand.NewPCG(3, 4)), s.x.Shape...)
	p := nn.NewPass(ad.NewTape())
	p.Mask = mask
	x := p.Tape.Leaf(s.x)
	p.Tape.Backward(ad.Dot(s.mixer.Mix(p, x), w), tensor.From([]tensor.Elem{1}))
	loss := func() float64 {
		y, _ := s.run(mask, s.x, false)
		sum := 0.0
		for i := range y.Data {
			sum += float64(y.Data[i]) * float64(w.Data[i])
		}
		return sum
	}
	checkGradient(t, "x", s.x, x.Grad(), loss)
	for _, param := range s.params {
		if !param.Frozen {
			checkGradient(t, param.Name, param.Value, p.Grad(param), loss)
		}
	}
}

// checkGradient compares a gradient with central differences of loss.
func checkGradient(t *testing.T, name string, at, grad *tensor.T, loss func() float64) {
	t.Helper()
	if grad == nil {
		t.Errorf("%s: no gradient arrives", name)
		return
	}
	largest := 0.0
	for _, g := range grad.Data {
		largest = max(largest, math.Abs(float64(g)))
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, i := range r.Perm(at.Len())[:min(at.Len(), gradSample)] {
		old := at.Data[i]
		at.Data[i] = old + gradStep
		up := loss()
		at.Data[i] = old - gradStep
		down := loss()
		at.Data[i] = old
		numeric := (up - down) / (2 * gradStep)
		if d := math.Abs(numeric - float64(grad.Data[i])); d > gradTolerance*max(largest, 1) {
			t.Fatalf("%s[%d]: gradient %v, central difference %v", name, i, grad.Data[i], numeric)
		}
	}
}

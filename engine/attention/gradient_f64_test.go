//go:build f64

package attention_test

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
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
	gradSample     = 32   // elements of each array, drawn for each test anew
	tightTolerance = 1e-12
)

func TestGradients(t *testing.T) {
	forAll(t, 2, 5, checkGradients)
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
	decide := func() []tensor.Elem {
		_, run := s.run(mask, s.x, true)
		return decisions(run)
	}
	checkGradient(t, "x", s.x, x.Grad(), loss, decide)
	for _, param := range s.params {
		if !param.Frozen {
			checkGradient(t, param.Name, param.Value, p.Grad(param), loss, decide)
		}
	}
}

// checkGradient compares a gradient with central differences of loss. Where the step
// leads to another decision, such as another bucket, differences say nothing.
func checkGradient(t *testing.T, name string, at, grad *tensor.T, loss func() float64, decide func() []tensor.Elem) {
	t.Helper()
	if grad == nil {
		t.Errorf("%s: no gradient arrives", name)
		return
	}
	largest := 0.0
	for _, g := range grad.Data {
		largest = max(largest, math.Abs(float64(g)))
	}
	draw := fnv.New64a()
	draw.Write([]byte(t.Name()))
	r := rand.New(rand.NewPCG(5, draw.Sum64()))
	for _, i := range r.Perm(at.Len())[:min(at.Len(), gradSample)] {
		old := at.Data[i]
		move := func(by tensor.Elem) { at.Data[i] = old + by }
		difference := func(h tensor.Elem) float64 {
			move(h)
			up := loss()
			move(-h)
			down := loss()
			move(0)
			return (up - down) / (2 * float64(h))
		}
		wrong := func(numeric float64) bool {
			return math.Abs(numeric-float64(grad.Data[i])) > gradTolerance*max(largest, 1)
		}
		numeric := difference(gradStep)
		if wrong(numeric) { // without the error of order step² (Richardson)
			numeric = (4*difference(gradStep/2) - numeric) / 3
		}
		if !wrong(numeric) {
			continue
		}
		move(gradStep)
		above := decide()
		move(-gradStep)
		below := decide()
		move(0)
		if slices.Equal(above, below) {
			t.Fatalf("%s[%d]: gradient %v, central difference %v", name, i, grad.Data[i], numeric)
		}
	}
}

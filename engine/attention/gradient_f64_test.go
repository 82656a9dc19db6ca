//go:build f64

package attention_test

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Numeric gradients need float64. In float32, a step that is large enough to be measured crosses
// the kinks of ReLU. The float32 gradients are compared with reference implementations instead.
const (
	gradStep       = 1e-5
	gradTolerance  = 1e-7 // central differences have an error of about step²
	gradSample     = 5    // number of elements of each array that are tested individually
	tightTolerance = 1e-12
)

func TestGradients(t *testing.T) {
	forAll(t, 2, 5, checkGradients)
}

// TestGradientsOfPatterns checks gradients at lengths at which windows, blocks and slots leave
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

// slope describes how a loss changes when an array moves along a direction of length 1.
type slope struct {
	at, along *tensor.T
	loss      func() float64
	decide    func() []tensor.Elem
}

// moved returns the result of f while the array is moved by a step.
func moved[T any](s slope, by tensor.Elem, f func() T) T {
	old := s.at.Clone()
	tensor.Axpy(s.at.Data, by, s.along.Data)
	defer copy(s.at.Data, old.Data)
	return f()
}

// difference is the central difference of the loss.
func (s slope) difference(h tensor.Elem) float64 {
	return (moved(s, h, s.loss) - moved(s, -h, s.loss)) / (2 * float64(h))
}

// smooth reports whether the step leads to the same discrete choices, such as the same buckets.
// Otherwise, differences are meaningless.
func (s slope) smooth() bool {
	return slices.Equal(moved(s, gradStep, s.decide), moved(s, -gradStep, s.decide))
}

// directions returns the directions in which a gradient of n elements is tested: some single
// elements, drawn at random for each test, and all elements at once.
func directions(r *rand.Rand, n int) map[string]*tensor.T {
	all := noise(r, n)
	length := tensor.Elem(math.Sqrt(float64(tensor.Dot(all.Data, all.Data))))
	for i := range all.Data {
		all.Data[i] /= length
	}
	chosen := map[string]*tensor.T{"all": all}
	for _, i := range r.Perm(n)[:min(n, gradSample)] {
		one := tensor.New(n)
		one.Data[i] = 1
		chosen[strconv.Itoa(i)] = one
	}
	return chosen
}

// checkGradient compares a gradient with central differences of loss.
func checkGradient(t *testing.T, name string, at, grad *tensor.T, loss func() float64, decide func() []tensor.Elem) {
	t.Helper()
	if grad == nil {
		t.Errorf("%s: no gradient arrives", name)
		return
	}
	largest := 1.0
	for _, g := range grad.Data {
		largest = max(largest, math.Abs(float64(g)))
	}
	draw := fnv.New64a()
	draw.Write([]byte(t.Name()))
	for element, along := range directions(rand.New(rand.NewPCG(gradSeed(t), draw.Sum64())), at.Len()) {
		s := slope{at, along, loss, decide}
		want := float64(tensor.Dot(grad.Data, along.Data))
		wrong := func(numeric float64) bool { return math.Abs(numeric-want) > gradTolerance*largest }
		numeric := s.difference(gradStep)
		if wrong(numeric) { // remove the error of order step² (Richardson)
			numeric = (4*s.difference(gradStep/2) - numeric) / 3
		}
		if wrong(numeric) && s.smooth() {
			t.Fatalf("%s[%s]: gradient %v, central difference %v (GRADIENT_SEED=%d)", name, element, want, numeric, gradSeed(t))
		}
	}
}

// gradSeed returns the seed for the tested elements. GRADIENT_SEED=7 go test uses another one.
func gradSeed(t *testing.T) uint64 {
	t.Helper()
	chosen := os.Getenv("GRADIENT_SEED")
	if chosen == "" {
		return 5
	}
	seed, err := strconv.ParseUint(chosen, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return seed
}

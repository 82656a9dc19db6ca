package nn_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

func TestParametersStartByNameAndSeed(t *testing.T) {
	first := func(seed uint64, path, name string) tensor.Elem {
		return nn.NewScope(seed).In(path).Param(name, nn.Normal(1), 2, 2).Value.Data[0]
	}
	if first(1, "a", "w") != first(1, "a", "w") {
		t.Error("the same name and seed start differently")
	}
	if first(1, "a", "w") == first(2, "a", "w") || first(1, "a", "w") == first(1, "b", "w") ||
		first(1, "a", "w") == first(1, "a", "v") {
		t.Error("another seed, place or name starts the same")
	}
}

func TestTwoParametersOfOneNamePanic(t *testing.T) {
	s := nn.NewScope(1)
	s.In("a").Param("w", nn.Zeros, 1)
	defer func() {
		if recover() == nil {
			t.Error("the second one is accepted")
		}
	}()
	s.In("a").Param("w", nn.Zeros, 1)
}

// TestMaskApplies compares the masked scores with Allows, for every kind of mask and for queries
// that do not begin at 0.
func TestMaskApplies(t *testing.T) {
	const n, from = 4, 1
	pairs := make([]bool, n*n)
	for i := range pairs {
		pairs[i] = i%3 != 0
	}
	keys := []bool{true, true, true, false, true, false, true, true}
	for name, m := range map[string]nn.Mask{
		"causal": {Kind: nn.Causal}, "keys": {Keys: keys, N: n}, "pairs": {Pairs: pairs, N: n},
		"all": {Kind: nn.Causal, Keys: keys, Pairs: pairs, N: n},
	} {
		tape := ad.NewFrozen()
		scores := tensor.New(2, 3, n-from, n) // [B,H,M,N]
		for i := range scores.Data {
			scores.Data[i] = tensor.Elem(i + 1)
		}
		got := m.Apply(tape.Const(scores), from).Value
		for i, v := range got.Data {
			b, q, k := i/(3*(n-from)*n), from+i/n%(n-from), i%n
			want := scores.Data[i]
			if !m.Allows(b, q, k) {
				want = nn.Masked
				if m.Kind == nn.Causal && m.Keys != nil && k > q && !m.Keys[b*n+k] {
					want = 2 * nn.Masked
				}
			}
			if v != want {
				t.Fatalf("%s: sequence %d, query %d, key %d is %v, not %v", name, b, q, k, v, want)
			}
		}
	}
	causal, padded := nn.Mask{Kind: nn.Causal}, nn.Mask{Keys: keys, N: n}
	if !causal.Allows(0, 2, 2) || !causal.Allows(0, 2, 0) || causal.Allows(0, 2, 3) {
		t.Error("causal: position 2 reads 0, 1 and 2")
	}
	if !padded.Allows(0, 0, 2) || padded.Allows(0, 0, 3) || padded.Allows(1, 3, 1) || !padded.Allows(1, 3, 3) {
		t.Error("padding: nobody reads what is not text, in its own sequence")
	}
	if open := (nn.Mask{}); !open.Open() || open.Additive(1, 2, 3) != nil {
		t.Error("the zero mask forbids something")
	}
}

func TestAdditiveMask(t *testing.T) {
	bias := nn.Mask{Keys: []bool{true, false, true, true}, N: 2}.Additive(2, 3, 2)
	if !slices.Equal(bias.Shape, []int{2, 3, 2}) || bias.At(0, 2, 1) != -1e4 || bias.At(0, 1, 0) != 0 ||
		bias.At(1, 0, 1) != 0 {
		t.Errorf("%+v", bias)
	}
}

func TestStepShowsACopyUnderItsAxes(t *testing.T) {
	p := nn.NewPass(ad.NewFrozen())
	p.Run = &trace.Run{Only: []string{"a"}}
	value := tensor.From([]tensor.Elem{1, 2, 3, 4}, 1, 2, 2)
	v := p.Tape.Const(value)
	layer := p.In("layer 1")
	if layer.Step("a", "", trace.Weight, v, trace.Query, trace.Key) != v ||
		layer.Step("b", "", trace.Weight, v, trace.Query, trace.Key) != v {
		t.Error("Step does not return its value")
	}
	value.Data[0] = 9
	steps := p.Run.Parts[0].Steps
	if len(steps) != 1 || steps[0].Value.Rank() != 2 || steps[0].Value.Data[0] != 1 {
		t.Errorf("%+v", steps)
	}
	defer func() {
		if recover() == nil {
			t.Error("a map with too few axes is shown")
		}
	}()
	layer.Step("a", "", trace.Weight, v, trace.Key)
}

func TestCausalMapsHaveReach(t *testing.T) {
	p := nn.NewPass(ad.NewFrozen())
	p.Run, p.Mask = &trace.Run{}, nn.Mask{Kind: nn.Causal}
	p.Step("a", "", trace.Probability, p.Tape.Const(tensor.New(1, 2, 3, 3)), trace.Head, trace.Query, trace.Key)
	reach := p.Run.Steps[0].Reach
	if reach == nil || !reach(1, 0) || reach(0, 1) {
		t.Error("the map does not say what the mask leaves")
	}
}

// TestGradientsOfSharedParametersAddUp: a parameter that is used twice is a single leaf.
func TestGradientsOfSharedParametersAddUp(t *testing.T) {
	w := nn.NewScope(1).Param("w", nn.Ones, 3)
	p := nn.NewPass(ad.NewTape())
	y := ad.Add(p.Use(w), ad.Scale(p.Use(w), 2))
	p.Tape.Backward(y, tensor.From([]tensor.Elem{1, 1, 1}, 3))
	if g := p.Grad(w); g == nil || g.Data[0] != 3 {
		t.Errorf("gradient %v, not 3", g)
	}
	other := nn.NewScope(1).Param("v", nn.Ones, 3)
	if p.Grad(other) != nil {
		t.Error("a parameter that was not used has a gradient")
	}
}

// TestSealedProjectionsAgree: a packed weight gives the same product.
func TestSealedProjectionsAgree(t *testing.T) {
	s := nn.NewScope(3)
	l := nn.NewLinear(s, "Q", 7, 5)
	r := rand.New(rand.NewPCG(1, 1))
	x := tensor.New(1, 4, 7)
	for i := range x.Data {
		x.Data[i] = tensor.Elem(r.NormFloat64())
	}
	apply := func() []tensor.Elem {
		p := nn.NewPass(ad.NewFrozen())
		return l.Apply(p, p.Tape.Const(x)).Value.Data
	}
	plain := apply()
	nn.Seal(s.Params())
	for i, v := range apply() {
		if d := float64(v - plain[i]); d > 1e-6 || d < -1e-6 {
			t.Fatalf("element %d: %v, unsealed %v", i, v, plain[i])
		}
	}
}

package encoder_test

import (
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// cutting runs a model with ablations in its layers.
func cutting(m *encoder.Model, ids []int, cuts func(layer int) *nn.Cut) *ad.Var {
	p := nn.NewPass(ad.NewFrozen())
	p.Cuts, p.Run = cuts, &trace.Run{Only: []string{"reconstruction error"}} // recomputes reversible layers
	if cuts != nil {
		p.Mask.Cut = cuts(0)
	}
	return m.Run(p, encoder.Input{IDs: ids, Count: 1})
}

// stacksToCut returns the configurations of all stacks for one text. It includes the options with which
// words depend on each other outside of mixers.
func stacksToCut(t *testing.T) map[string]encoder.Config {
	all := map[string]encoder.Config{}
	for _, e := range encoder.Stacks {
		if e.New != nil {
			all[e.ID] = stackConfig(t, e.ID, "dot-product")
		}
	}
	for _, choice := range []struct{ stack, option, value string }{
		{"sandwich", "attention", "span"}, {"universal", "transition", "convolution"}, {"universal", "halting", "global"},
	} {
		c := stackConfig(t, choice.stack, "dot-product")
		c.Options = map[string]string{choice.option: choice.value}
		all[choice.value] = c
	}
	return all
}

// TestCutWordsAreReadNowhere: if a word is blocked in all layers, no other position depends on it,
// in any stack.
func TestCutWordsAreReadNowhere(t *testing.T) {
	const at = 3
	for name, c := range stacksToCut(t) {
		t.Run(name, func(t *testing.T) {
			m := newModel(t, c)
			a, b := []int{1, 5, 7, 3, 8, 2}, []int{1, 5, 7, 9, 8, 2}
			changed := func(cuts func(int) *nn.Cut) (who []int) {
				x, y := cutting(m, a, cuts).Value, cutting(m, b, cuts).Value
				d := x.Dim(2)
				for i := range a {
					if i != at && !slices.Equal(x.Data[i*d:][:d], y.Data[i*d:][:d]) {
						who = append(who, i)
					}
				}
				return who
			}
			if len(changed(nil)) == 0 {
				t.Fatal("nobody reads the word anyway")
			}
			if who := changed(func(int) *nn.Cut { return &nn.Cut{Words: []int{at}} }); len(who) > 0 {
				t.Errorf("the word is cut, yet %v change with it", who)
			}
		})
	}
}

// TestCutsAreOfTheirLayer: a head is zeroed out in the chosen layer only.
func TestCutsAreOfTheirLayer(t *testing.T) {
	ids := []int{1, 5, 7, 3, 8, 2}
	for name, c := range stacksToCut(t) {
		t.Run(name, func(t *testing.T) {
			m := newModel(t, c)
			in := func(layers ...int) []ad.Elem {
				return slices.Clone(cutting(m, ids, func(l int) *nn.Cut {
					return &nn.Cut{Heads: []bool{false, slices.Contains(layers, l)}}
				}).Value.Data)
			}
			results := [][]ad.Elem{in(), in(1), in(2), in(1, 2)}
			for i, a := range results {
				for _, b := range results[:i] {
					if slices.Equal(a, b) {
						t.Fatalf("cuts in different layers give the same result: %d", i)
					}
				}
			}
			if !slices.Equal(results[0], cutting(m, ids, nil).Value.Data) || !slices.Equal(results[0], in(9)) {
				t.Error("a head is cut that nobody asked for")
			}
		})
	}
}

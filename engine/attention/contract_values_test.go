package attention_test

import (
	"math"
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// zeroed mixes the input without the values of position j, or with all values for −1. ok reports
// whether there are values.
func (s subject) zeroed(mask nn.Mask, j int) (y *tensor.T, ok bool) {
	p := nn.NewPass(ad.NewFrozen())
	p.Mask = mask
	p.OnValues = func(v *ad.Var) *ad.Var {
		ok = true
		if j < 0 {
			return v
		}
		keep := slices.Repeat([]bool{true}, v.Dim(1))
		keep[j] = false
		return ad.KeepRows(v, keep)
	}
	return s.mixer.Mix(p, p.Tape.Const(s.x)).Value.Clone(), ok
}

// TestMixersAreTheSumsThatTheyDeclare: a mixer that declares sums of values gives the same without
// a value as without the terms of this value. This is tested for every position, option and mask.
// Other mixers declare no sums.
func TestMixersAreTheSumsThatTheyDeclare(t *testing.T) {
	forAll(t, 1, 6, checkSums)
	for _, p := range patterns() {
		s := newSubject(t, p.entry, p.config(9), 1, 9)
		for name, mask := range s.masks() {
			t.Run(p.name+"/"+name, func(t *testing.T) { checkSums(t, s, mask) })
		}
	}
}

func checkSums(t *testing.T, s subject, mask nn.Mask) {
	n, d := s.x.Dim(1), s.x.Dim(2)
	whole, values := s.zeroed(mask, -1)
	terms := metrics.TermsOf(nn.Mixing{Mixer: s.mixer, X: s.x, Mask: mask})
	if values != s.entry.NoValues.IsZero() || (terms != nil) != s.entry.NoSum.IsZero() || terms != nil && !values {
		t.Fatalf("it has values: %v, sums: %v; that is not what the entry says", values, terms != nil)
	}
	if terms == nil {
		return
	}
	term, top, sum := make([]tensor.Elem, d), 0.0, terms.Rest.Clone()
	for j := range n {
		without, _ := s.zeroed(mask, j)
		for i := range n {
			terms.At(i, j, term)
			tensor.Add(sum.Data[i*d:][:d], sum.Data[i*d:][:d], term)
			for k, v := range term {
				top = max(top, math.Abs(float64(v)))
				at := i*d + k
				want := float64(whole.Data[at] - v)
				if got := float64(without.Data[at]); !(math.Abs(got-want) <= tightTolerance*(1+math.Abs(want))) {
					t.Fatalf("without the value of %d, output %d of %d is %v; without its terms %v", j, k, i, got, want)
				}
			}
		}
	}
	for k, v := range sum.Data {
		if want := float64(whole.Data[k]); !(math.Abs(float64(v)-want) <= tightTolerance*(1+math.Abs(want))) {
			t.Fatalf("all terms and the rest sum to %v, not %v", v, want)
		}
	}
	if top == 0 {
		t.Error("all terms are 0")
	}
}

// TestZeroedValuesOfTheMasked: hidden values have no effect on outputs, exactly. Running the mixer
// again gives the same result as subtracting its terms.
func TestZeroedValuesOfTheMasked(t *testing.T) {
	forAll(t, 1, 6, func(t *testing.T, s subject, mask nn.Mask) {
		call := nn.Mixing{Mixer: s.mixer, X: s.x, Mask: mask}
		z, _ := metrics.ValueZeroing(call, func() error { return nil })
		if z == nil {
			if s.entry.NoValues.IsZero() {
				t.Fatal("there are no distances")
			}
			return
		}
		again, _ := metrics.ValueZeroing(nn.Mixing{Mixer: silent{s.mixer}, X: s.x, Mask: mask}, func() error { return nil })
		for at, v := range z.Mixer.Data {
			if i, j := at/6, at%6; !s.readable(mask, i, j) && (v != 0 || again.Mixer.Data[at] != 0 || z.Change.Data[at] != 0) {
				t.Errorf("output %d, which may not read %d, turns by %v", i, j, v)
			}
			for name, pair := range map[string][2]*tensor.T{"mixer": {z.Mixer, again.Mixer},
				"residual": {z.Residual, again.Residual}, "change": {z.Change, again.Change}} {
				a, b := float64(pair[0].Data[at]), float64(pair[1].Data[at])
				if !(math.Abs(a-b) <= tightTolerance*(1+math.Abs(b))) {
					t.Fatalf("%s %d: %v by its terms, %v when it is run again", name, at, a, b)
				}
			}
		}
	})
}

// readable reports whether a row attends to a cell. If nothing is visible, some mechanisms attend
// to everything; rows of padding have no meaning.
func (s subject) readable(mask nn.Mask, i, j int) bool {
	if i == j && s.entry.Masks.EmptyRow.Pairs == attention.SelfRow { // it does if there is no other word
		return true
	}
	if s.reads(mask, i, j) || mask.Keys != nil && !mask.Keys[i] {
		return true
	}
	for k := range 6 {
		if s.reads(mask, i, k) {
			return false
		}
	}
	return true
}

// silent is a mixer that does not declare its sums.
type silent struct{ nn.Mixer }

func (m silent) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	mute := nn.NewPass(p.Tape)
	mute.Mask, mute.Fixed, mute.OnValues = p.Mask, p.Fixed, p.OnValues
	return m.Mixer.Mix(mute, x)
}

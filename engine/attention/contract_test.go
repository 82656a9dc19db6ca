package attention_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The contract is the set of promises that every entry of the catalogue makes. This file contains
// no code for a particular mechanism.

// subject is one entry at small sizes, with an input.
type subject struct {
	entry  attention.Entry
	mixer  attention.Mixer
	params []*nn.Param
	heads  int
	x      *tensor.T // [B,N,d]
}

var small = attention.Config{Width: 12, Heads: 3, Length: 8}

// variants returns the configurations c with the entry's options, by name. If there are few
// combinations, it returns all of them. Otherwise it returns the defaults and, with every number
// set to 2, each value of each option. It leaves out combinations that the mechanism rejects.
func variants(e attention.Entry, c attention.Config) map[string]attention.Config {
	all, combinations, twos := map[string]attention.Config{e.ID: c}, 1, map[string]string{}
	for _, k := range e.Options {
		combinations *= len(values(k))
		if slices.Contains(values(k), "2") && len(k.Values) == 0 {
			twos[k.Name] = "2"
		}
	}
	add := func(all map[string]attention.Config, name string, options map[string]string) {
		chosen := c
		chosen.Options = options
		all[name] = chosen
	}
	if combinations > mostCombinations {
		add(all, e.ID+",numbers=2", twos)
	}
	for _, k := range e.Options {
		more := map[string]attention.Config{}
		for _, v := range values(k) {
			if combinations > mostCombinations {
				options := maps.Clone(twos)
				options[k.Name] = v
				add(all, e.ID+","+k.Name+"="+v, options)
				continue
			}
			for name, c := range all {
				options := map[string]string{k.Name: v}
				maps.Copy(options, c.Options)
				add(more, name+","+k.Name+"="+v, options)
			}
		}
		if combinations <= mostCombinations {
			all = more
		}
	}
	maps.DeleteFunc(all, func(_ string, c attention.Config) bool {
		sized := small
		sized.Options = c.Options
		_, err := e.New(nn.NewScope(1), sized)
		return err != nil && len(c.Options) > 1
	})
	return all
}

const mostCombinations = 32

// values returns the values of an option to test. For numbers, these are the default and 2, with
// which a short text needs several blocks, windows and slots.
func values(k attention.Option) []string {
	switch {
	case len(k.Values) > 0:
		return k.Values
	case k.Check != nil:
		return slices.Compact(slices.Sorted(slices.Values(append(k.Examples, k.Default))))
	}
	return []string{k.Default, "2"}
}

// decisions returns the discrete choices of a mechanism, such as buckets, orders and partners. A
// result is smooth only as long as they stay the same.
func decisions(run *trace.Run) []tensor.Elem {
	var all []tensor.Elem
	for _, m := range run.Steps {
		if m.Kind == trace.Category {
			all = append(all, m.Value.Data...)
		}
	}
	return all
}

func newSubject(t *testing.T, e attention.Entry, c attention.Config, batch, n int) subject {
	t.Helper()
	s := nn.NewScope(7)
	m, err := e.New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range s.Params() { // biases and R start at or near 0: change all parameters
		for i := range p.Value.Data {
			p.Value.Data[i] += tensor.Elem(r.NormFloat64() * 0.3)
		}
	}
	return subject{e, m, s.Params(), c.Heads, noise(r, batch, n, c.Width)}
}

func noise(r *rand.Rand, shape ...int) *tensor.T {
	x := tensor.New(shape...)
	for i := range x.Data {
		x.Data[i] = tensor.Elem(r.NormFloat64())
	}
	return x
}

// run mixes x under a mask. It also returns the recorded run, or nil if the pass is not watched.
func (s subject) run(mask nn.Mask, x *tensor.T, watched bool) (*tensor.T, *trace.Run) {
	p := nn.NewPass(ad.NewFrozen())
	p.Mask = mask
	if watched {
		p.Run = &trace.Run{}
	}
	return s.mixer.Mix(p, p.Tape.Const(x)).Value.Clone(), p.Run
}

// masks returns the masks for which the entry is defined.
func (s subject) masks() map[string]nn.Mask {
	n := s.x.Dim(1)
	all := map[string]nn.Mask{"none": {}}
	if s.entry.Masks.NoCausal.IsZero() {
		all["causal"] = nn.Mask{Kind: nn.Causal}
	}
	if s.entry.Masks.NoPadding.IsZero() {
		keys := make([]bool, s.x.Dim(0)*n)
		for i := range keys {
			keys[i] = i%n < n-1-i/n%2 // the last one or two positions are padding
		}
		all["padding"] = nn.Mask{Keys: keys, N: n}
	}
	if s.entry.Masks.NoPairs.IsZero() {
		pairs := make([]bool, n*n)
		for i := range pairs {
			pairs[i] = i/n == i%n || (i/n*7+i%n*3)%4 != 0
		}
		all["pairs"] = nn.Mask{Pairs: pairs, N: n}
	}
	return all
}

func forAll(t *testing.T, batch, n int, test func(t *testing.T, s subject, mask nn.Mask)) {
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		s := newSubject(t, e, c, batch, n)
		for name, mask := range s.cuts(s.masks()) {
			t.Run(name, func(t *testing.T) { test(t, s, mask) })
		}
	})
}

// forVariants runs a test for every entry and every variant of its options.
func forVariants(t *testing.T, c attention.Config, test func(t *testing.T, e attention.Entry, c attention.Config)) {
	for _, e := range attention.Catalog {
		for name, c := range variants(e, c) {
			t.Run(name, func(t *testing.T) { test(t, e, c) })
		}
	}
}

// unwatchedTolerance is the largest difference between the results of unwatched and watched passes.
// It is 0, except for the rounding of tensor.Attention, where vector instructions compute an
// unrecorded softmax in another order.
func unwatchedTolerance() float64 {
	if tensor.Instructions() == "none (portable Go)" {
		return 0
	}
	return 1e-6
}

func TestMixKeepsShapeAndWatchingChangesNothing(t *testing.T) {
	forAll(t, 1, 5, func(t *testing.T, s subject, mask nn.Mask) {
		y, _ := s.run(mask, s.x, false)
		if !y.SameShape(s.x) {
			t.Fatalf("shape %v became %v", s.x.Shape, y.Shape)
		}
		watched, run := s.run(mask, s.x, true)
		if d := maxDiff(y.Data, watched.Data); !(d <= unwatchedTolerance()) {
			t.Fatalf("%v, when watched %v", y.Data, watched.Data)
		}
		for _, v := range s.entry.Views {
			if _, ok := run.Find(v.Map); !ok {
				t.Errorf("the view %q names a map that Mix does not show", v.Map)
			}
		}
	})
}

func TestBatchIsOneByOne(t *testing.T) {
	forAll(t, 3, 5, func(t *testing.T, s subject, mask nn.Mask) {
		together, _ := s.run(mask, s.x, false)
		n := s.x.Dim(1)
		for b := range s.x.Dim(0) {
			alone := mask
			if mask.Keys != nil {
				alone.Keys = mask.Keys[b*n : (b+1)*n]
			}
			y, _ := s.run(alone, tensor.From(s.x.Sub(b).Data, 1, n, s.x.Dim(2)), false)
			if d := maxDiff(y.Data, together.Sub(b).Data); d > tightTolerance {
				t.Errorf("sequence %d differs by %g from the same sequence alone", b, d)
			}
		}
	})
}

// TestLongTextsInBlocks: an unwatched long text can be computed in blocks of rows, without any
// effect on the result.
func TestLongTextsInBlocks(t *testing.T) {
	long := small
	long.Length = 300
	forVariants(t, long, func(t *testing.T, e attention.Entry, c attention.Config) {
		s := newSubject(t, e, c, 1, 300)
		for name, mask := range s.cuts(s.masks()) {
			t.Run(name, func(t *testing.T) {
				y, _ := s.run(mask, s.x, false)
				watched, _ := s.run(mask, s.x, true)
				if d := maxDiff(y.Data, watched.Data); d > tightTolerance {
					t.Errorf("differs by %g from the result in one piece", d)
				}
			})
		}
	})
}

// TestProbabilitiesSumToOne: rows sum to 1, or to exactly 0 if a mechanism says that padding
// attends to nothing.
func TestProbabilitiesSumToOne(t *testing.T) {
	forAll(t, 1, 6, func(t *testing.T, s subject, mask nn.Mask) {
		_, run := s.run(mask, s.x, true)
		seen := 0
		for _, m := range run.Steps {
			if m.Kind != trace.Probability {
				continue
			}
			seen++
			cols := m.Value.Dim(-1)
			for r := range m.Value.Len() / cols {
				sum := 0.0
				for _, v := range m.Value.Data[r*cols:][:cols] {
					if v < 0 {
						t.Fatalf("%s: %v in row %d", m.Name, v, r)
					}
					sum += float64(v)
				}
				if padded := mask.Keys != nil && !mask.Keys[r%len(mask.Keys)]; math.Abs(sum-1) > 1e-5 && !(padded && sum == 0) &&
					!(sum == 0 && s.emptied(mask)) {
					t.Fatalf("%s: row %d sums to %v", m.Name, r, sum)
				}
			}
		}
		if seen == 0 && s.entry.NoWeights.IsZero() {
			t.Error("no map of probabilities is shown, and no reason given")
		}
		if seen > 0 && !s.entry.NoWeights.IsZero() {
			t.Errorf("%d maps of probabilities are shown, yet %q", seen, s.entry.NoWeights.String())
		}
	})
}

// TestForbiddenHasNoInfluence changes every position in turn, and checks that no position to which
// it is hidden changes at all. The change is as large as possible without changing a discrete
// choice, because such choices can depend on hidden positions.
func TestForbiddenHasNoInfluence(t *testing.T) {
	forAll(t, 1, 5, func(t *testing.T, s subject, mask nn.Mask) {
		if mask.Open() {
			return
		}
		n, d := s.x.Dim(1), s.x.Dim(2)
		before, run := s.run(mask, s.x, true)
		noticed := false
		for k := range n {
			var after *tensor.T
			for step := tensor.Elem(3); ; step /= 2 {
				x := s.x.Clone()
				for f := range d {
					x.Data[k*d+f] += step
				}
				y, then := s.run(mask, x, true)
				if slices.Equal(decisions(run), decisions(then)) {
					after = y
					break
				}
				if step < 1e-3 {
					t.Fatalf("position %d: every change leads to other decisions", k)
				}
			}
			for q := range n {
				same := maxDiff(before.Data[q*d:][:d], after.Data[q*d:][:d]) == 0
				noticed = noticed || !same
				if !same && q != k && !s.reads(mask, q, k) {
					t.Errorf("position %d may not read %d, yet changes with it", q, k)
				}
			}
		}
		if !noticed {
			t.Error("no position notices any change")
		}
	})
}

func TestMapIsZeroOutOfReach(t *testing.T) {
	forAll(t, 1, 6, func(t *testing.T, s subject, mask nn.Mask) {
		_, run := s.run(mask, s.x, true)
		for _, m := range run.Steps {
			if m.Reach == nil {
				if mask.Kind == nn.Causal && m.Name == s.entry.Views[0].Map {
					t.Errorf("%s does not say what the causal mask leaves in its reach", m.Name)
				}
				continue
			}
			n, planes := m.Value.Dim(-1), m.Value.Len()/m.Value.Dim(-1)/m.Value.Dim(-2)
			for i, v := range m.Value.Data {
				if q, k := i/n%m.Value.Dim(-2), i%n; v != 0 && !m.Reach(q, k) {
					t.Fatalf("%s (%d planes): cell %d,%d is out of reach and %v", m.Name, planes, q, k, v)
				}
			}
		}
	})
}

// TestOnePosition: with a single position, the output is computed from its value. (A denominator
// can have a small number added.)
func TestOnePosition(t *testing.T) {
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		s := newSubject(t, e, c, 1, 1)
		_, run := s.run(nn.Mask{}, s.x, true)
		for _, m := range run.Steps {
			last := m.Axes[len(m.Axes)-1].Role
			if m.Kind != trace.Probability || last != trace.Key && last != trace.Token && m.Value.Dim(-1) != 1 {
				continue
			}
			for _, v := range m.Value.Data {
				if math.Abs(float64(v)-1) > 1e-5 {
					t.Errorf("with one token %s is %v, not 1", m.Name, v)
				}
			}
		}
	})
}

// TestEmptyTexts: a sequence that is all padding has a finite result.
func TestEmptyTexts(t *testing.T) {
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		if !e.Masks.NoPadding.IsZero() {
			return
		}
		s := newSubject(t, e, c, 2, 5)
		keys := make([]bool, 10)
		keys[0], keys[1] = true, true // the first sequence; the second has no text
		y, run := s.run(nn.Mask{Keys: keys, N: 5}, s.x, true)
		for _, m := range append([]trace.Map{{Name: "result", Value: y}}, run.Steps...) {
			for _, v := range m.Value.Data {
				if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
					t.Fatalf("%s has a %v", m.Name, v)
				}
			}
		}
	})
}

func maxDiff(a, b []tensor.Elem) float64 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("lengths %d and %d", len(a), len(b)))
	}
	d := 0.0
	for i := range a {
		d = max(d, math.Abs(float64(a[i])-float64(b[i])))
	}
	return d
}

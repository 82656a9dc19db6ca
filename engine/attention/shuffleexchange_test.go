package attention_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

var networks = []attention.Entry{attention.ShuffleExchange, attention.ResidualShuffleExchange}

// TestPlacesBeyondTheTextAreZero: a text gives the same result as with zeros up to the next power
// of two, and as with the same amount of padding, whatever its content.
func TestPlacesBeyondTheTextAreZero(t *testing.T) {
	for _, e := range networks {
		s := newSubject(t, e, attention.Config{Width: 6, Heads: 1, Length: 16}, 1, 8)
		for _, n := range []int{5, 6, 7} {
			short, _ := s.run(nn.Mask{}, tensor.From(s.x.Data[:n*6], 1, n, 6), false)
			zeros := s.x.Clone()
			clear(zeros.Data[n*6:])
			long, _ := s.run(nn.Mask{}, zeros, false)
			keys := make([]bool, 8)
			for i := range n {
				keys[i] = true
			}
			padded, _ := s.run(nn.Mask{Keys: keys, N: 8}, s.x, false)
			if d := max(maxDiff(short.Data, long.Data[:n*6]), maxDiff(short.Data, padded.Data[:n*6])); d > tightTolerance {
				t.Errorf("%s: %d words differ by %g from the same words followed by zeros or padding", e.ID, n, d)
			}
		}
	}
}

// TestFewerFeatures: a network with fewer features than the model works between two projections,
// whose bias is not added at empty places. A network with more features than the model is limited
// to the model's.
func TestFewerFeatures(t *testing.T) {
	for _, e := range networks {
		c := attention.Config{Width: 6, Heads: 1, Length: 16}
		whole := newSubject(t, e, c, 1, 8)
		c.Options = map[string]string{"features": "64"}
		more := newSubject(t, e, c, 1, 8)
		a, _ := whole.run(nn.Mask{}, whole.x, false)
		if b, _ := more.run(nn.Mask{}, whole.x, false); maxDiff(a.Data, b.Data) != 0 {
			t.Errorf("%s: with 64 features of 6 it is another network", e.ID)
		}
		c.Options = map[string]string{"features": "4"}
		few := newSubject(t, e, c, 1, 8)
		y, run := few.run(nn.Mask{}, few.x, true)
		if places, ok := run.Find("switched"); !ok || places.Value.Dim(-1) != 4 || y.Dim(-1) != 6 {
			t.Errorf("%s: %d features come out, want 6 of 4 inside", e.ID, y.Dim(-1))
		}
		if m, ok := run.Find("features"); !ok || m.Value.Dim(-1) != 4 || m.Value.Dim(-2) != 8 {
			t.Errorf("%s: the features that go in are not shown", e.ID)
		}
		keys := []bool{true, true, true, true, true, true, false, false}
		empty := func() []tensor.Elem { // output of the first switch at the last two places
			_, run := few.run(nn.Mask{Keys: keys, N: 8}, few.x, true)
			m, _ := run.Find("switched")
			return m.Value.Sub(0).Data[6*4:]
		}
		before := empty()
		for _, p := range few.params {
			if strings.HasSuffix(p.Name, "b_in") {
				p.Value.Data[0] += 3
			}
		}
		if e.ID == attention.ShuffleExchange.ID && maxDiff(before, empty()) != 0 { // the other uses means
			t.Errorf("%s: the projection's bias stands where no word does", e.ID)
		}
	}
}

// TestWiring: the two shuffles are inverse, m stages connect everything and fewer do not, and words
// meet at the stage that the map of meetings shows.
func TestWiring(t *testing.T) {
	for _, e := range networks {
		for n, m := range map[int]int{1: 1, 2: 1, 3: 2, 8: 3, 13: 4, 32: 5} {
			s := newSubject(t, e, attention.Config{Width: 4, Heads: 1, Length: 32}, 1, n)
			_, run := s.run(nn.Mask{}, s.x, true)
			wiring, _ := run.Find("wiring")
			reach, _ := run.Find("reach")
			meeting, _ := run.Find("meeting")
			at := make([]int, 1<<m)
			for i := range at {
				at[i] = i
			}
			for st := range wiring.Value.Dim(0) {
				next := make([]int, len(at))
				for i := range next {
					next[i] = at[int(wiring.Value.At(st, i))]
				}
				at = next
			}
			for i, from := range at {
				if i != from {
					t.Errorf("%s, %d words: place %d ends with what began at %d", e.ID, n, i, from)
				}
			}
			first := map[[2]int]int{} // stage at which a place first depends on both
			for step := 0; step < reach.Value.Dim(0); step += 2 {
				full := true
				for q := range n {
					for a := range n {
						full = full && reach.Value.At(step, q, a) == 1
						for b := range n {
							if _, met := first[[2]int{a, b}]; !met && reach.Value.At(step, q, a) == 1 && reach.Value.At(step, q, b) == 1 {
								first[[2]int{a, b}] = step/2 + 1
							}
						}
					}
				}
				if n == 1<<m && full != (step/2+1 >= m) {
					t.Errorf("%s, %d words: after %d stages everything is reached: %v", e.ID, n, step/2+1, full)
				}
			}
			for a := range n {
				for b := range n {
					if got := int(meeting.Value.At(a, b)); a == b && got != 0 || a != b && n == 1<<m && got != first[[2]int{a, b}] {
						t.Errorf("%s, %d words: %d and %d meet after %d stages, the map says %d", e.ID, n, a, b, first[[2]int{a, b}], got)
					}
				}
			}
		}
	}
}

// TestOpenGatesOnlyMoveFeatures: with all gates at 1, the network permutes the features of tanh(x).
// Features that are not swapped return to their word.
func TestOpenGatesOnlyMoveFeatures(t *testing.T) {
	s := newSubject(t, attention.ShuffleExchange, attention.Config{Width: 6, Heads: 1, Length: 8}, 1, 8)
	for _, p := range s.params {
		if strings.HasSuffix(p.Name, "/b_g") {
			for i := range p.Value.Data {
				p.Value.Data[i] = 200
			}
		}
	}
	y, _ := s.run(nn.Mask{}, s.x, false)
	for i := range 8 {
		for f := range 6 {
			want, found := math.Tanh(float64(s.x.At(0, i, f))), false
			if f >= 3 {
				found = math.Abs(want-float64(y.At(0, i, f))) < 1e-5
			}
			for j := range 8 {
				found = found || f < 3 && math.Abs(want-float64(y.At(0, j, f))) < 1e-5
			}
			if !found {
				t.Errorf("feature %d of word %d is lost", f, i)
			}
		}
	}
}

// TestSwitchesByDefinition recomputes one switch of each network, element by element.
func TestSwitchesByDefinition(t *testing.T) {
	sigmoid := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	s := newSubject(t, attention.ResidualShuffleExchange, attention.Config{Width: 2, Heads: 1, Length: 2}, 1, 2)
	y, _ := s.run(nn.Mask{}, s.x, false) // one pair: only the last switch, without a shuffle
	p := map[string]*tensor.T{}
	for _, param := range s.params {
		if name, ok := strings.CutPrefix(param.Name, "last/"); ok {
			p[name] = param.Value
		}
	}
	for f := range 4 {
		c := float64(p["b_2"].Data[f])
		for k := range 8 { // with a single pair, the mean equals the value, so u is the offset
			o := float64(p["o"].Data[k])
			a := o / math.Sqrt(o*o+1e-10)
			c += float64(p["C_2"].At(f, k)) * a * sigmoid(1.702*a)
		}
		want := sigmoid(2*float64(p["rho"].Data[f]))*float64(s.x.Data[f]) + 0.25*math.Sqrt(1-0.81)*c
		if d := math.Abs(want - float64(y.Data[f])); d > 1e-5 {
			t.Errorf("feature %d is %v, by definition %v", f, y.Data[f], want)
		}
	}
}

// TestSharing: if all switches have equal parameters, it makes no difference which stages share a
// switch.
func TestSharing(t *testing.T) {
	var first *tensor.T
	x := noise(rand.New(rand.NewPCG(8, 9)), 1, 16, 4)
	for _, sharing := range []string{"all", "half", "position", "none"} {
		c := attention.Config{Width: 4, Heads: 1, Length: 16, Options: map[string]string{"sharing": sharing, "blocks": "2"}}
		s := newSubject(t, attention.ResidualShuffleExchange, c, 1, 16)
		for _, p := range s.params {
			name := p.Name[strings.LastIndex(p.Name, "/")+1:]
			copy(p.Value.Data, noise(rand.New(rand.NewPCG(uint64(name[0]), uint64(len(p.Value.Data)))), p.Value.Shape...).Data)
		}
		y, _ := s.run(nn.Mask{}, x, false)
		if first == nil {
			first = y
		}
		if d := maxDiff(first.Data, y.Data); d > tightTolerance {
			t.Errorf("sharing %s differs by %g", sharing, d)
		}
	}
}

package attention_test

import (
	"fmt"
	"runtime"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// pattern is an entry with options so small that short texts have a pattern.
type pattern struct {
	name    string
	entry   attention.Entry
	options map[string]string
}

func (p pattern) config(n int) attention.Config {
	return attention.Config{Width: 6, Heads: 2, Length: n, Options: p.options}
}

func patterns() []pattern {
	return []pattern{
		{"longformer", attention.Longformer, map[string]string{"window": "2", "global": "0,3"}},
		{"longformer-local", attention.Longformer, map[string]string{"window": "4", "global": ""}},
		{"bigbird", attention.BigBird, map[string]string{"block": "1", "random": "1"}},
		{"bigbird-window", attention.BigBird, map[string]string{"block": "1", "random": "0"}},
		{"poolingformer", attention.Poolingformer, map[string]string{"window": "2", "wide-window": "4", "kernel": "3",
			"stride": "2"}},
		{"linformer", attention.Linformer, map[string]string{"slots": "3"}},
	}
}

// like returns a mixer of another entry. It has the parameters of s with the same names.
func (s subject) like(t *testing.T, e attention.Entry, c attention.Config) subject {
	t.Helper()
	other := newSubject(t, e, c, s.x.Dim(0), s.x.Dim(1))
	other.x = s.x
	for _, to := range other.params {
		for _, from := range s.params {
			if from.Name == to.Name {
				copy(to.Value.Data, from.Value.Data)
			}
		}
	}
	return other
}

// mustAgree compares the results of two mixers on the same text.
func mustAgree(t *testing.T, s subject, mask nn.Mask, other subject, otherMask nn.Mask) {
	t.Helper()
	got, _ := s.run(mask, s.x, false)
	want, _ := other.run(otherMask, s.x, false)
	if d := maxDiff(got.Data, want.Data); d > tightTolerance {
		t.Errorf("%s differs by %g from %s", s.entry.ID, d, other.entry.ID)
	}
}

// pairs returns the mask in which the pairs for which visible is true are visible.
func pairs(n int, visible func(q, k int) bool) nn.Mask {
	m := nn.Mask{N: n, Pairs: make([]bool, n*n)}
	for i := range m.Pairs {
		m.Pairs[i] = visible(i/n, i%n)
	}
	return m
}

// TestLongformerIsMaskedDotProduct: without global words, the pattern equals a mask at every
// length. A window over the whole text equals no mask.
func TestLongformerIsMaskedDotProduct(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 16, 33, 50} {
		for _, w := range []int{2, 6, 2 * n} {
			c := attention.Config{Width: 12, Heads: 3, Length: n,
				Options: map[string]string{"window": fmt.Sprint(w), "global": ""}}
			s := newSubject(t, attention.Longformer, c, 2, n)
			c.Options = nil
			dense := s.like(t, attention.DotProduct, c)
			mustAgree(t, s, nn.Mask{}, dense, pairs(n, func(q, k int) bool { return max(q-k, k-q) <= w/2 }))
			mustAgree(t, s, nn.Mask{Kind: nn.Causal}, dense, pairs(n, func(q, k int) bool { return k <= q && q-k <= w/2 }))
			if w >= 2*n-2 {
				mustAgree(t, s, nn.Mask{}, dense, nn.Mask{})
			}
		}
	}
}

// TestLongformerGlobalWords: if all words have the same projections, global words also equal a
// mask.
func TestLongformerGlobalWords(t *testing.T) {
	const n = 21
	c := attention.Config{Width: 12, Heads: 3, Length: n, Options: map[string]string{"window": "4", "global": "7, 0"}}
	s := newSubject(t, attention.Longformer, c, 2, n)
	for i, p := range s.params[8:] { // Q', K', V' := Q, K, V
		copy(p.Value.Data, s.params[i].Value.Data)
	}
	c.Options = nil
	global := func(i int) bool { return i == 0 || i == 7 }
	mustAgree(t, s, nn.Mask{}, s.like(t, attention.DotProduct, c), pairs(n, func(q, k int) bool {
		return max(q-k, k-q) <= 2 || global(q) || global(k)
	}))
}

// TestPoolingformerWithoutPooling: slots of one position in a window over the whole text equal full
// attention over the result of the first level.
func TestPoolingformerWithoutPooling(t *testing.T) {
	const n = 11
	c := attention.Config{Width: 12, Heads: 3, Length: n,
		Options: map[string]string{"window": "4", "wide-window": "22", "kernel": "1", "stride": "1"}}
	s := newSubject(t, attention.Poolingformer, c, 2, n)
	c.Options = nil
	first, second := s.like(t, attention.DotProduct, c), s.like(t, attention.DotProduct, c)
	for i, p := range s.params[8:] {
		copy(second.params[i].Value.Data, p.Value.Data)
	}
	y, _ := first.run(pairs(n, func(q, k int) bool { return max(q-k, k-q) <= 2 }), s.x, false)
	z, _ := second.run(nn.Mask{}, y, false)
	tensor.Add(z.Data, z.Data, y.Data)
	got, _ := s.run(nn.Mask{}, s.x, false)
	if d := maxDiff(got.Data, z.Data); d > tightTolerance {
		t.Errorf("differs by %g", d)
	}
}

// TestPaddingOfPatterns: padding after the text changes nothing for the other tokens. (BigBird is
// an exception, because its last block is global.)
func TestPaddingOfPatterns(t *testing.T) {
	const all = 19
	for _, p := range patterns() {
		if p.entry.ID == "bigbird" {
			continue
		}
		s := newSubject(t, p.entry, p.config(all), 1, all)
		for n := 1; n < all; n++ {
			keys := make([]bool, all)
			for i := range n {
				keys[i] = true
			}
			long, _ := s.run(nn.Mask{N: all, Keys: keys}, s.x, false)
			short, _ := s.run(nn.Mask{}, tensor.From(s.x.Data[:n*6], 1, n, 6), false)
			if d := maxDiff(long.Data[:n*6], short.Data); d > tightTolerance {
				t.Errorf("%s: padding changes a text of %d by %g", p.name, n, d)
			}
		}
	}
}

// TestPatternsAreShown: the map of the pattern has a class exactly where there is a weight, and its
// reach matches the head's pattern.
func TestPatternsAreShown(t *testing.T) {
	const n = 25
	for _, p := range patterns() {
		s := newSubject(t, p.entry, p.config(n), 1, n)
		_, run := s.run(nn.Mask{}, s.x, true)
		pattern, ok := run.Find("pattern")
		if !ok {
			continue
		}
		weights, _ := run.Find("weights")
		for h := range 2 {
			w, _ := weights.Head(h)
			c, _ := pattern.Head(h)
			for i, v := range w.Value.Data {
				if class := c.Value.Data[i] != 0; class != (v > 0) || class != w.Reach(i/n, i%n) || class != c.Reach(i/n, i%n) {
					t.Fatalf("%s, head %d, cell %d,%d: class %v, weight %v, reach %v", p.name, h, i/n, i%n, c.Value.Data[i], v,
						w.Reach(i/n, i%n))
				}
			}
		}
	}
}

// TestEqualValuesStayEqual: a weighted mean of equal values is that value.
func TestEqualValuesStayEqual(t *testing.T) {
	for _, e := range []attention.Entry{attention.Linear, attention.Longformer, attention.BigBird,
		attention.Poolingformer} {
		s := newSubject(t, e, attention.Config{Width: 12, Heads: 3, Length: 40}, 1, 40)
		for _, p := range s.params {
			if p.Name == "W_V" || p.Name == "W_V'" {
				clear(p.Value.Data)
			}
			if p.Name == "b_V'" { // for Longformer's global words
				for _, q := range s.params {
					if q.Name == "b_V" {
						copy(p.Value.Data, q.Value.Data)
					}
				}
			}
		}
		y, _ := s.run(nn.Mask{}, s.x, false)
		for i := range 40 {
			if d := maxDiff(y.Data[i*12:][:12], y.Data[:12]); d > 2e-5 {
				t.Fatalf("%s: position %d differs by %g from the first", e.ID, i, d)
			}
		}
	}
}

func TestLinformerWithoutCompression(t *testing.T) {
	const n = 9
	for _, order := range []string{"project-first", "compress-first"} {
		c := attention.Config{Width: 12, Heads: 3, Length: n,
			Options: map[string]string{"slots": fmt.Sprint(n), "order": order}}
		s := newSubject(t, attention.Linformer, c, 2, n)
		for _, p := range s.params { // E = F = 1
			if p.Name == "E" || p.Name == "F" {
				clear(p.Value.Data)
				for i := range n {
					p.Value.Set(1, i, i)
				}
			}
		}
		c.Options = nil
		dense := s.like(t, attention.DotProduct, c)
		for _, p := range dense.params {
			if len(p.Value.Shape) == 1 && p.Name != "b_O" && order == "project-first" {
				clear(p.Value.Data)
			}
		}
		mustAgree(t, s, nn.Mask{}, dense, nn.Mask{})
	}
}

// TestLinearIsRecurrent: with the causal mask, the last word gets the same result as without a
// mask, and every word gets the same result as if the text ended there.
func TestLinearIsRecurrent(t *testing.T) {
	const n = 150 // several chunks of the running sums
	s := newSubject(t, attention.Linear, attention.Config{Width: 12, Heads: 3, Length: n}, 2, n)
	causal, _ := s.run(nn.Mask{Kind: nn.Causal}, s.x, false)
	for _, end := range []int{1, 2, 63, 64, 65, 128, 149, 150} {
		for b := range 2 {
			y, _ := s.run(nn.Mask{}, tensor.From(s.x.Sub(b).Data[:end*12], 1, end, 12), false)
			if d := maxDiff(y.Data[(end-1)*12:], causal.Sub(b).Data[(end-1)*12:][:12]); d > tightTolerance {
				t.Errorf("sequence %d, position %d differs by %g", b, end-1, d)
			}
		}
	}
}

// TestOrderOfWords: permuting the words permutes the result if positions have no parameters.
func TestOrderOfWords(t *testing.T) {
	for _, e := range []attention.Entry{attention.DotProduct, attention.Linear, attention.Fastformer} {
		const n, d = 7, 12
		s := newSubject(t, e, small, 1, n)
		turned := s.x.Clone()
		for i := range n {
			copy(turned.Data[(i*3%n)*d:][:d], s.x.Data[i*d:][:d])
		}
		y, _ := s.run(nn.Mask{}, s.x, false)
		z, _ := s.run(nn.Mask{}, turned, false)
		for i := range n {
			if diff := maxDiff(y.Data[i*d:][:d], z.Data[(i*3%n)*d:][:d]); diff > tightTolerance {
				t.Errorf("%s: word %d differs by %g at its new place", e.ID, i, diff)
			}
		}
	}
}

func TestFastformerOfOneWord(t *testing.T) {
	s := newSubject(t, attention.Fastformer, small, 1, 1)
	y, run := s.run(nn.Mask{}, s.x, true)
	q, _ := run.Find("q")
	k, _ := run.Find("k")
	p := nn.NewPass(ad.NewFrozen())
	for i := range q.Value.Data { // W_T(q ∘ k ∘ q) + b_T + q
		k.Value.Data[i] *= q.Value.Data[i] * q.Value.Data[i]
	}
	var w, b *nn.Param
	for _, param := range s.params {
		switch param.Name {
		case "W_T":
			w = param
		case "b_T":
			b = param
		}
	}
	want := nn.Linear{W: w, B: b}.Apply(p, p.Tape.Const(k.Value)).Value
	tensor.Add(want.Data, want.Data, q.Value.Data)
	if d := maxDiff(y.Data, want.Data); d > tightTolerance {
		t.Errorf("differs by %g", d)
	}
}

// TestFastformerOptions: different options give equal results where their definitions coincide.
func TestFastformerOptions(t *testing.T) {
	with := func(name, value string) attention.Config {
		c := small
		c.Options = map[string]string{name: value}
		return c
	}
	own := newSubject(t, attention.Fastformer, with("value", "own"), 2, 5)
	for i, p := range own.params {
		if p.Name == "W_V" || p.Name == "b_V" { // V := Q
			copy(p.Value.Data, own.params[i-4].Value.Data)
		}
	}
	mustAgree(t, own, nn.Mask{}, own.like(t, attention.Fastformer, small), nn.Mask{})

	heads := newSubject(t, attention.Fastformer, with("scoring", "per-head"), 2, 5)
	full := heads.like(t, attention.Fastformer, small)
	for i, p := range full.params {
		if p.Name == "W_alpha" || p.Name == "W_beta" { // rows with the head's own features, 0 elsewhere
			clear(p.Value.Data)
			for a := range 3 {
				copy(p.Value.Data[a*12+a*4:][:4], heads.params[i].Value.Data[a*4:])
			}
		}
	}
	mustAgree(t, heads, nn.Mask{}, full, nn.Mask{})
}

// TestLayersShare: with layer-wise sharing a second layer adds no parameters.
func TestLayersShare(t *testing.T) {
	for _, c := range []struct {
		entry  attention.Entry
		option string
		value  string
		more   int // parameters that the second layer adds
	}{
		{attention.Fastformer, "sharing", "layer-wise", 0},
		{attention.Fastformer, "sharing", "none", 10},
		{attention.Linformer, "compression", "layer-wise", 5},
		{attention.Linformer, "compression", "shared", 6},
	} {
		config := small
		config.Options = map[string]string{c.option: c.value}
		s := nn.NewScope(1)
		before := 0
		for layer := range 2 {
			before = len(s.Params())
			if _, err := c.entry.New(s.In(fmt.Sprint("layer ", layer)), config); err != nil {
				t.Fatal(err)
			}
		}
		if more := len(s.Params()) - before; more != c.more {
			t.Errorf("%s with %s=%s: the second layer adds %d parameters, not %d", c.entry.ID, c.option, c.value, more, c.more)
		}
	}
}

// TestMemoryIsLinear: if the claim is linear, a text four times as long takes about four times the
// memory. Unwatched passes form no N×N array.
func TestMemoryIsLinear(t *testing.T) {
	for _, e := range attention.Catalog {
		if e.Growth != 1 {
			continue
		}
		for _, kind := range []nn.MaskKind{nn.NoMask, nn.Causal} {
			if kind == nn.Causal && !e.Masks.NoCausal.IsZero() {
				continue
			}
			taken := func(n int) float64 {
				s := newSubject(t, e, attention.Config{Width: 8, Heads: 2, Length: n}, 1, n)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				s.run(nn.Mask{Kind: kind}, s.x, false)
				runtime.ReadMemStats(&after)
				return float64(after.TotalAlloc - before.TotalAlloc)
			}
			if ratio := taken(8192) / taken(2048); ratio > 6 {
				t.Errorf("%s, %v: memory grows by %.1f for a text four times as long", e.ID, kind, ratio)
			}
		}
	}
}

func TestOptionsOfPatterns(t *testing.T) {
	for _, c := range []struct {
		entry   attention.Entry
		options map[string]string
	}{
		{attention.Longformer, map[string]string{"window": "3"}},
		{attention.Longformer, map[string]string{"window": "0"}},
		{attention.Longformer, map[string]string{"global": "0,99"}},
		{attention.BigBird, map[string]string{"block": "0"}},
		{attention.BigBird, map[string]string{"random-blocks": "1;2"}},
		{attention.BigBird, map[string]string{"random-blocks": "9;1;1"}},
		{attention.BigBird, map[string]string{"random-blocks": "1,2;1;1"}},
		{attention.Poolingformer, map[string]string{"kernel": "2", "stride": "3"}},
		{attention.Poolingformer, map[string]string{"wide-window": "4", "kernel": "6"}},
		{attention.Linformer, map[string]string{"slots": "0"}},
		{attention.Fastformer, map[string]string{"value": "key"}},
	} {
		config := small
		config.Options = c.options
		if _, err := c.entry.New(nn.NewScope(1), config); err == nil {
			t.Errorf("%s accepts %v", c.entry.ID, c.options)
		}
	}
}

package attention_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// hashing holds the options of a Reformer, and the number of padding tokens in the text.
type hashing struct {
	n, rounds, chunk, before, after, buckets int
	strict                                   bool
	mask                                     nn.Mask
}

func (h hashing) config() attention.Config {
	options := map[string]string{"rounds": strconv.Itoa(h.rounds), "chunk": strconv.Itoa(h.chunk),
		"before": strconv.Itoa(h.before), "after": strconv.Itoa(h.after), "buckets": strconv.Itoa(h.buckets), "strict": "no"}
	if h.strict {
		options["strict"] = "yes"
	}
	return attention.Config{Width: 8, Heads: 2, Length: 64, Options: options}
}

// TestHashingByDefinition recomputes the weights from the buckets, as the paper and the authors'
// code define them. The steps are: sort, divide into chunks, attend, one softmax per round, and
// weight the rounds by their logarithmic sums.
func TestHashingByDefinition(t *testing.T) {
	padding := make([]bool, 21)
	for i := range padding {
		padding[i] = i < 19 && i != 4
	}
	for name, h := range map[string]hashing{
		"one round":  {n: 24, rounds: 1, chunk: 4, before: 1, buckets: 4},
		"rounds":     {n: 24, rounds: 3, chunk: 4, before: 1, after: 1, buckets: 4},
		"odd length": {n: 21, rounds: 2, chunk: 5, before: 1, buckets: 6},
		"far":        {n: 13, rounds: 2, chunk: 4, before: 2, after: 1, buckets: 2},
		"alone":      {n: 7, rounds: 2, chunk: 1, buckets: 4},
		"causal":     {n: 21, rounds: 2, chunk: 5, before: 1, buckets: 6, mask: nn.Mask{Kind: nn.Causal}},
		"padding":    {n: 21, rounds: 2, chunk: 5, before: 1, buckets: 6, mask: nn.Mask{Keys: padding, N: 21}},
		"both": {n: 21, rounds: 2, chunk: 5, before: 1, buckets: 6,
			mask: nn.Mask{Kind: nn.Causal, Keys: padding, N: 21}},
		"strict":        {n: 21, rounds: 2, chunk: 5, before: 1, after: 1, buckets: 4, strict: true},
		"strict causal": {n: 21, rounds: 2, chunk: 5, before: 1, buckets: 4, strict: true, mask: nn.Mask{Kind: nn.Causal}},
		"one chunk":     {n: 5, rounds: 2, chunk: 5, before: 1, buckets: 4},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSubject(t, attention.Reformer, h.config(), 1, h.n)
			_, run := s.run(h.mask, s.x, true)
			got, _ := run.Find("weights")
			qk, _ := run.Find("qk")
			v, _ := run.Find("v")
			mixed, _ := run.Find("mixed")
			buckets, _ := run.Find("buckets")
			for a := range 2 {
				want := h.define(qk.Value, buckets.Value.Sub(a), a)
				for i := range h.n {
					for j := range h.n {
						if d := math.Abs(float64(got.Value.At(a, i, j)) - want[i][j]); d > 1e-5 {
							t.Fatalf("head %d, %d reads %d with %v, by definition %v", a, i, j, got.Value.At(a, i, j), want[i][j])
						}
						if want[i][j] > 0 && (!got.Reach(i, j) || !got.HeadReach(a, i, j)) {
							t.Fatalf("head %d: %d reads %d out of its reach", a, i, j)
						}
						if i != j && want[i][j] == 0 && got.HeadReach(a, i, j) { // reach without weight
							t.Fatalf("head %d can never read %d at %d, which is said to be in reach", a, j, i)
						}
					}
					for f := range 4 {
						sum := 0.0
						for j := range h.n {
							sum += want[i][j] * float64(v.Value.At(j, a*4+f))
						}
						if d := math.Abs(sum - float64(mixed.Value.At(i, a*4+f))); d > 1e-5 {
							t.Fatalf("head %d: the weights times the values differ by %g from what was mixed", a, d)
						}
					}
				}
			}
		})
	}
}

// define computes the weights [N,N] of a head from its buckets [R,N].
func (h hashing) define(qk, buckets *tensor.T, a int) [][]float64 {
	rounds, chunk, before, after := h.rounds, h.chunk, h.before, h.after
	if h.n <= h.chunk {
		rounds, chunk, before, after = 1, h.n, 0, 0
	}
	type word struct{ token, round, bucket int }
	var sorted []word
	for r := range rounds {
		for b := range h.buckets + 2 { // one bucket for padding, and one after it for the fill of the last chunk
			for i := range (h.n + chunk - 1) / chunk * chunk {
				bucket := h.buckets + 1
				if i < h.n {
					bucket = int(buckets.At(r, i))
				}
				if bucket == b {
					sorted = append(sorted, word{i, r, b})
				}
			}
		}
	}
	logits, sums := make([]map[int]float64, h.n), make([]float64, h.n) // by token: logits by token, Σ exp over windows
	top := make([]float64, h.n)
	score := func(q, k word) float64 {
		switch {
		case h.strict && (q.round != k.round || q.bucket != k.bucket):
			return -1e9
		case q.token == k.token:
			return -1e5
		case !h.mask.Allows(0, q.token, k.token):
			return -1e9
		}
		dot, square := 0.0, 0.0
		for f := a * 4; f < a*4+4; f++ {
			dot += float64(qk.At(q.token, f)) * float64(qk.At(k.token, f))
			square += float64(qk.At(k.token, f)) * float64(qk.At(k.token, f))
		}
		return dot / math.Sqrt(square/4+1e-6) / 2
	}
	each := func(do func(q, k word)) {
		chunks := len(sorted) / chunk
		for place, q := range sorted {
			for c := place/chunk - before; c <= place/chunk+after; c++ {
				for _, k := range sorted[(c+chunks)%chunks*chunk:][:chunk] {
					if q.token < h.n && k.token < h.n {
						do(q, k)
					}
				}
			}
		}
	}
	for i := range top {
		top[i], logits[i] = math.Inf(-1), map[int]float64{}
	}
	each(func(q, k word) { top[q.token] = max(top[q.token], score(q, k)) })
	each(func(q, k word) {
		e := math.Exp(score(q, k) - top[q.token])
		sums[q.token] += e
		logits[q.token][k.token] += e
	})
	weights := make([][]float64, h.n)
	for i := range weights {
		weights[i] = make([]float64, h.n)
		for j, e := range logits[i] {
			weights[i][j] = e / sums[i]
		}
	}
	return weights
}

// TestFillingUpChangesNothing: filling the last chunk internally gives the same result as padding
// the text.
func TestFillingUpChangesNothing(t *testing.T) {
	for _, kind := range []string{"lsh", "local"} {
		c := hashing{rounds: 2, chunk: 4, before: 1, buckets: 4}.config()
		c.Options["attention"] = kind
		s := newSubject(t, attention.Reformer, c, 1, 16)
		const n = 13
		keys := make([]bool, 16)
		for i := range n {
			keys[i] = true
		}
		padded, _ := s.run(nn.Mask{Keys: keys, N: 16}, s.x, false)
		short := tensor.From(s.x.Data[:n*8], 1, n, 8)
		y, _ := s.run(nn.Mask{}, short, false)
		if d := maxDiff(y.Data, padded.Data[:n*8]); d > tightTolerance {
			t.Errorf("%s: differs by %g", kind, d)
		}
	}
}

// TestLocalWithNothingVisible: a word without visible words attends uniformly to its window, but
// not to the fill of the last chunk.
func TestLocalWithNothingVisible(t *testing.T) {
	c := hashing{rounds: 2, chunk: 4, before: 0, buckets: 4}.config()
	c.Options["attention"] = "local"
	s := newSubject(t, attention.Reformer, c, 1, 6)
	_, run := s.run(nn.Mask{Keys: make([]bool, 6), N: 6}, s.x, true)
	m, _ := run.Find("weights")
	for i, want := range []tensor.Elem{0, 0, 0, 0, 0.5, 0.5} {
		if got := m.Value.At(1, 5, i); got != want {
			t.Errorf("the last word reads word %d with %v, wanted %v", i, got, want)
		}
	}
}

// TestOneChunkIsSharedQKAttention: a text that fits into one chunk is not hashed, whatever the
// number of rounds. It gets ordinary attention with S_ij = q_i·k_j/‖k_j‖, and −10⁵ for the word
// itself.
func TestOneChunkIsSharedQKAttention(t *testing.T) {
	const n = 12
	for name, h := range map[string]hashing{
		"full":      {n: n, rounds: 1, chunk: n, buckets: 2},
		"with room": {n: n, rounds: 3, chunk: 40, before: 1, after: 1, buckets: 4},
	} {
		s := newSubject(t, attention.Reformer, h.config(), 1, n)
		for maskName, mask := range s.masks() {
			y, _ := s.run(mask, s.x, false)
			if d := maxDiff(y.Data, s.sharedQK(t, mask)); d > tightTolerance {
				t.Errorf("%s, mask %s: differs by %g", name, maskName, d)
			}
		}
	}
}

// sharedQK computes the result of a Reformer with two heads of four features for a text in one
// chunk, with plain loops over words: [N,8].
func (s subject) sharedQK(t *testing.T, mask nn.Mask) []tensor.Elem {
	const d, width = 8, 4
	n := s.x.Dim(1)
	linear := func(x []tensor.Elem, name string) []tensor.Elem {
		w, y := s.param(t, name).Value, make([]tensor.Elem, n*d)
		for at := range y {
			sum := 0.0
			for f := range d {
				sum += float64(x[at/d*d+f]) * float64(w.At(at%d, f))
			}
			y[at] = tensor.Elem(sum)
		}
		return y
	}
	qk, v, mixed := linear(s.x.Data, "W_QK"), linear(s.x.Data, "W_V"), make([]tensor.Elem, n*d)
	for head := 0; head < d; head += width {
		for i := range n {
			weights, sum := make([]float64, n), 0.0
			for j := range n {
				dot, square := 0.0, 0.0
				for f := head; f < head+width; f++ {
					dot += float64(qk[i*d+f]) * float64(qk[j*d+f])
					square += float64(qk[j*d+f]) * float64(qk[j*d+f])
				}
				weights[j] = math.Exp(dot / math.Sqrt(square+width*1e-6)) // scores are small
				if i == j || !mask.Allows(0, i, j) {
					weights[j] = 0
				}
				sum += weights[j]
			}
			if sum == 0 { // no other word is visible
				weights[i], sum = 1, 1
			}
			for at := i*d + head; at < i*d+head+width; at++ {
				y := 0.0
				for j, w := range weights {
					y += w / sum * float64(v[j*d+at%d])
				}
				mixed[at] = tensor.Elem(y)
			}
		}
	}
	return linear(mixed, "W_O")
}

// TestConstantValuesStayConstant: every row of weights sums to 1, whatever its pattern.
func TestConstantValuesStayConstant(t *testing.T) {
	s := newSubject(t, attention.Reformer, hashing{rounds: 2, chunk: 4, before: 1, buckets: 4}.config(), 1, 19)
	for i := range 19 {
		s.x.Set(1, 0, i, 0) // a feature that all words share; values depend only on it
	}
	for _, p := range s.params {
		if p.Name == "W_V" {
			for i := range p.Value.Data {
				if i%8 > 0 {
					p.Value.Data[i] = 0
				}
			}
		}
	}
	y, _ := s.run(nn.Mask{}, s.x, false)
	for i := range 19 {
		if d := maxDiff(y.Data[i*8:][:8], y.Data[:8]); d > tightTolerance {
			t.Errorf("word %d differs by %g from the first", i, d)
		}
	}
}

// TestRotationsComeFromThePass: if the pass has no random source, the rotations are always the
// same.
func TestRotationsComeFromThePass(t *testing.T) {
	s := newSubject(t, attention.Reformer, hashing{rounds: 2, chunk: 4, before: 1, buckets: 8}.config(), 1, 30)
	mix := func(r *rand.Rand) *tensor.T {
		p := nn.NewPass(ad.NewFrozen())
		p.Rand = r
		return s.mixer.Mix(p, p.Tape.Const(s.x)).Value.Clone()
	}
	seeded := func(seed uint64) *tensor.T { return mix(rand.New(rand.NewPCG(seed, 0))) }
	if maxDiff(mix(nil).Data, mix(nil).Data) != 0 {
		t.Error("two passes without randomness differ")
	}
	if maxDiff(seeded(1).Data, seeded(1).Data) != 0 {
		t.Error("two passes with the same randomness differ")
	}
	if maxDiff(seeded(1).Data, seeded(2).Data) == 0 {
		t.Error("the randomness of the pass makes no difference")
	}
}

// TestHashesCarryNoGradient: a word has no influence on a word that does not attend to it.
func TestHashesCarryNoGradient(t *testing.T) {
	s := newSubject(t, attention.Reformer, hashing{rounds: 1, chunk: 3, before: 1, buckets: 6}.config(), 1, 18)
	_, run := s.run(nn.Mask{}, s.x, true)
	m, _ := run.Find("weights")
	influence := metrics.Influence(s.mixer, s.x, nn.Mask{})
	apart := 0
	for q := range 18 {
		for k := range 18 {
			if !m.Reach(q, k) {
				apart++
				if v := influence.At(q, k); v != 0 {
					t.Errorf("word %d does not see %d, whose influence is %v", q, k, v)
				}
			}
		}
	}
	if apart == 0 {
		t.Error("every word sees every other: the test says nothing")
	}
}

// TestFactorsOfBuckets: b = b_1 + F_1·b_2, and each factor has its own directions.
func TestFactorsOfBuckets(t *testing.T) {
	find := func(factors []int, directions ...int) *tensor.T {
		core, err := attention.NewReformerCore(nn.NewScope(7), hashing{rounds: 1, chunk: 4, before: 1, buckets: 2}.config(),
			4, factors)
		if err != nil {
			t.Fatal(err)
		}
		all := noise(rand.New(rand.NewPCG(5, 6)), 2, 4, 1, 6)
		some := tensor.New(2, 4, 1, len(directions))
		for i := range some.Data {
			some.Data[i] = all.Data[i/len(directions)*6+directions[i%len(directions)]]
		}
		p := nn.NewPass(ad.NewFrozen())
		p.Run = &trace.Run{}
		attention.WithRotations(core, some).Mix(p, p.Tape.Const(noise(rand.New(rand.NewPCG(1, 2)), 1, 30, 8)))
		m, _ := p.Run.Find("buckets")
		return m.Value
	}
	both, first, second := find([]int{4, 8}, 0, 1, 2, 3, 4, 5), find([]int{4}, 0, 1), find([]int{8}, 2, 3, 4, 5)
	for i, b := range both.Data {
		if want := first.Data[i] + 4*second.Data[i]; b != want {
			t.Fatalf("bucket %v, its factors give %v", b, want)
		}
	}
}

// TestBucketsByFactors: the option accepts the factors of the number of buckets.
func TestBucketsByFactors(t *testing.T) {
	const n = 30
	c := hashing{rounds: 2, chunk: 4, before: 1}.config()
	buckets := func(option string, factors []int) *tensor.T {
		c.Options["buckets"] = option
		core, err := attention.NewReformerCore(nn.NewScope(7), c, 4, factors)
		if err != nil {
			t.Fatal(err)
		}
		_, run := subject{mixer: core}.run(nn.Mask{}, noise(rand.New(rand.NewPCG(1, 2)), 1, n, 8), true)
		m, _ := run.Find("buckets")
		return m.Value
	}
	given := buckets("auto", []int{2, 4})
	if maxDiff(given.Data, buckets("2x4", nil).Data) != 0 || maxDiff(given.Data, buckets("8", nil).Data) == 0 {
		t.Error("2x4 does not hash as the factors 2 and 4 do, or as 8 does")
	}
	for option, why := range map[string]string{
		"3": "even", "2x3": "even", "0": "even", "": "even", "x": "even", "2x": "even", "2X4": "even", "2,4": "even",
		"2x-4": "even", "2x08": "even", "two": "even",
		"64x128": "at most 4096", "4098": "from 2 to 4096", "1000000": "from 2 to 4096",
	} {
		c.Options["buckets"] = option
		if _, err := attention.Reformer.New(nn.NewScope(7), c); err == nil ||
			!strings.Contains(err.Error(), "option buckets cannot be") || !strings.Contains(err.Error(), why) {
			t.Errorf("buckets %q: %v", option, err)
		}
	}
}

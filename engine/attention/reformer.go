package attention

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Reformer is attention by locality-sensitive hashing (Kitaev, Kaiser and Levskaya 2020,
// arXiv:2001.04451, sec. 2, eq. 2–6). Queries and keys are one projection. In every round random
// directions R_r hash each word into a bucket, the words are sorted by bucket and
// position and cut into chunks of c, and a word reads its own chunk and the one in front:
//
//	b_r(i) = argmax([q_i·R_r ; −q_i·R_r])    S_ij = q_i·(k_j/‖k_j‖)    S_ii = −10⁵
//	Y = [Σ_r A_r·V]·W_Oᵀ,  A = softmax of S over the windows of all rounds
//
// The softmax over all rounds at once is the paper's sum of rounds, each weighted by
// exp(z_r − z), z_r = log Σ exp S (eq. 2 and appendix A). A text that fits into one chunk is
// not hashed: it is ordinary attention with S as above. Parameters 3d²; 4d² when local.
var Reformer = Entry{
	ID:      "reformer",
	Name:    "Reformer",
	Summary: "Words with similar vectors are hashed into the same bucket; each word compares itself only with its neighbours in the sorted buckets.",
	Formula: `b = \mathrm{argmax}([qR\,; -qR]) \quad A = \mathrm{softmax}(\frac{q^\top k}{\lVert k \rVert}) \text{ inside chunks sorted by } b`,
	Cost:    "O(N·log N·d)",
	Growth:  1,
	Paper: Paper{
		Authors: "Kitaev, Kaiser, Levskaya", Year: 2020,
		Title: "Reformer: The Efficient Transformer", Venue: "ICLR", ArXiv: "2001.04451", Equations: "sec. 2, eq. 2–6",
	},
	ParamsFormula: "3d²",
	FLOPsFormula:  "6Nd² + 2NdD + 4Cd",
	Sizes:         reformerCounts,
	Differences: []string{
		"A window is not restricted to the word’s own bucket, as in the authors’ and all other implementations; the option strict gives eq. 4 and 5.",
		"The sorted list is a circle over all rounds: the first chunk sees the last, the first of a round the last of the round before.",
		"A word met in several rounds counts in each; the paper’s appendix divides by their number.",
		"Many buckets are the product of factors, each hashed in directions of its own.",
		"The directions are drawn anew only where training brings randomness; otherwise they are the same for every text.",
		"A causal mask forbids reading later words, but which words share a chunk depends on the hashes of all of them.",
	},
	Masks: Masks{Nothing: Nothing{Itself, Itself, "A word to which a mask leaves nothing to read reads itself, with the weight 1; with attention = local it reads everything in its window alike."}},
	Views: []View{
		{Map: "weights", Symbol: "A", Caption: "how much the row's word reads from the column's word, all rounds together"},
		{Map: "buckets", Symbol: "b", Caption: "the bucket of the word in each round; the last bucket holds padding"},
		{Map: "order", Symbol: "s", Caption: "the words in the order of their buckets, which is cut into chunks", By: "buckets"},
		{Map: "weights by round", Symbol: "A⁽ʳ⁾", Caption: "how much the row's word reads from the column's word in one round"},
		{Map: "round weights", Symbol: "w⁽ʳ⁾", Caption: "the round's share in what the word reads"},
	},
	Knobs:  reformerKnobs,
	New:    newReformer,
	Params: reformerParams,
	FLOPs:  reformerFLOPs,
}

var reformerKnobs = []Knob{
	{Name: "attention", Default: "lsh", Values: []string{"lsh", "local"}, Help: "lsh: words are sorted by their hash before they are cut into chunks; local: chunks of neighbouring words, with keys of their own."},
	{Name: "rounds", Symbol: "R", Default: "2", Range: Range{To: 64}, Help: "How many times the words are hashed: more rounds miss fewer pairs."},
	{Name: "chunk", Symbol: "c", Default: "8", Help: "Words in a chunk; a text that fits into one gets ordinary attention."},
	{Name: "before", Default: "1", Values: []string{"0", "1", "2", "3"}, Help: "Chunks in front that a word sees besides its own."},
	{Name: "after", Default: "0", Values: []string{"0", "1", "2", "3"}, Help: "Chunks behind that a word sees besides its own."},
	{Name: "buckets", Default: "auto", Help: "Buckets of a round: an even number, or its factors, such as 2x4, which are even too and each hashed in directions of their own; auto: about two for each chunk.",
		Takes: "an even number, or even factors such as 2x4", Check: func(v string) error { _, err := readFactors(v); return err }, Examples: []string{"2", "2x4"}},
	{Name: "strict", Default: "no", Values: []string{"no", "yes"}, Help: "yes: a word reads only words of its own bucket (eq. 4), not all of its window."},
}

// readFactors reads the number of buckets, or its factors: "8", "2x4". Of auto, which leaves
// them to the length, there are none.
func readFactors(v string) ([]int, error) {
	if v == "auto" {
		return nil, nil
	}
	var factors []int
	product := 1
	for item := range strings.SplitSeq(v, "x") {
		if err := (Range{From: 2, Step: 2}).refuse(item); err != nil {
			return nil, messages.Errorf("option.factors", "most", MaxNumber)
		}
		f, _ := strconv.Atoi(item) // refuse has read it
		if product *= f; product > MaxNumber {
			return nil, messages.Errorf("option.buckets", "most", MaxNumber)
		}
		factors = append(factors, f)
	}
	return factors, nil
}

func reformerParams(c Config) int {
	if c.knob(reformerKnobs, "attention") == "local" {
		return 4 * c.Width * c.Width
	}
	return 3 * c.Width * c.Width
}

// newReformer is the core and the projection of its heads to the width of the text.
func newReformer(s *nn.Scope, c Config) (Mixer, error) {
	if err := c.check(reformerKnobs...); err != nil {
		return nil, err
	}
	core, err := NewReformerCore(s, c, c.HeadWidth(), nil)
	if err != nil {
		return nil, err
	}
	return &reformer{core, s.Param("W_O", nn.Normal(nn.Std), c.Width, c.Width)}, nil
}

type reformer struct {
	core Mixer
	o    *nn.Param // [d,d]
}

func (m *reformer) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	y := p.Step("mixed", `\sum_r A^{(r)}V`, trace.Activation, m.core.Mix(p, x), trace.Token, trace.Channel) // [N,d]
	return ad.Linear(y, p.Use(m.o), nil)                                                                    // [N,d]
}

// NewReformerCore makes the layer without its output projection and with heads of any
// width, whether or not they divide d: x [N,d] → [N,H·width]. Factors of the number of
// buckets, each even, stand for the knob buckets where they are not nil.
func NewReformerCore(s *nn.Scope, c Config, width int, factors []int) (Mixer, error) {
	if c.Width <= 0 || c.Heads <= 0 || c.Length <= 0 || width <= 0 {
		return nil, messages.Errorf("mixer.positive", "width", c.Width, "heads", c.Heads, "head", width, "length", c.Length)
	}
	if err := Allow(reformerKnobs, c.Knobs); err != nil {
		return nil, err
	}
	number := func(name string) int { return c.number(reformerKnobs, name) }
	cut := chunking{ad.Chunks{Size: number("chunk"), Before: number("before"), After: number("after")}, c.Heads, width}
	project := func(name string) *nn.Param { return s.Param(name, nn.Normal(nn.Std), c.Heads*width, c.Width) }
	if c.knob(reformerKnobs, "attention") == "local" {
		return &local{q: project("W_Q"), k: project("W_K"), v: project("W_V"), cut: cut}, nil
	}
	if factors == nil {
		factors, _ = readFactors(c.knob(reformerKnobs, "buckets")) // check has read them
	}
	for _, f := range factors {
		if f < 2 || f%2 != 0 {
			return nil, messages.Errorf("mixer.factor", "factor", f)
		}
	}
	return &lsh{
		qk: project("W_QK"), v: project("W_V"), cut: cut, rounds: number("rounds"), factors: factors,
		strict: c.knob(reformerKnobs, "strict") == "yes",
	}, nil
}

// lsh is the Reformer's attention by hashing, before the output projection.
type lsh struct {
	qk, v     *nn.Param // [H·d_h,d]
	cut       chunking
	rounds    int
	factors   []int // of the number of buckets; nil: from the length
	strict    bool
	rotations *tensor.T // [H,d_h,R,ΣF/2], F the factors; nil: drawn
}

// WithRotations is the core m with given random directions [H,d_h,R,ΣF/2], F being the
// factors of the number of buckets, instead of drawn ones.
func WithRotations(m Mixer, rotations *tensor.T) Mixer {
	fixed := *m.(*lsh)
	fixed.rotations = rotations
	return &fixed
}

func (m *lsh) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	qk := p.Step("qk", `Q = K = XW_{QK}^\top`, trace.Activation, ad.Linear(x, p.Use(m.qk), nil), trace.Token, trace.Channel) // [N,H·d_h]
	v := p.Step("v", `V = XW_V^\top`, trace.Activation, ad.Linear(x, p.Use(m.v), nil), trace.Token, trace.Channel)           // [N,H·d_h]
	w := m.sort(p, qk.Value)
	q := ad.HeadRows(qk, m.cut.heads, w.at)                                         // [H,M,d_h], M = R·N padded to chunks
	k := ad.RMSNorm(q, 1e-6)                                                        // [H,M,d_h]
	s := ad.ChunkScores(q, k, w.chunks, ad.Elem(1/math.Sqrt(float64(m.cut.width)))) // [H,M,W]
	return w.mix(p, s, v, pattern{strict: m.strict, notSelf: true})                 // [N,H·d_h]
}

// sort hashes the words and sorts them by bucket, unless they fit into one chunk.
func (m *lsh) sort(p *nn.Pass, qk *tensor.T) *windows {
	b, n := qk.Dim(0), qk.Dim(1)
	if n <= m.cut.Size {
		return m.cut.inOrder(b, n)
	}
	padded := roundUp(n, m.cut.Size)
	factors := m.bucketFactors(padded)
	rotations := m.directions(p.Rand, factors)
	w := &windows{batch: b, heads: m.cut.heads, n: n, padded: padded, rounds: m.rounds, chunks: m.cut.Chunks}
	w.last = 1
	for _, f := range factors {
		w.last *= f
	}
	for plane := range b * m.cut.heads {
		w.add(p.Choose(func() []int {
			buckets := m.hash(qk, rotations, plane, factors) // [R·padded], 0 … last-1
			for i := range buckets {
				seq, token := plane/m.cut.heads, i%padded
				if token >= n || p.Mask.Keys != nil && !p.Mask.Keys[seq*p.Mask.N+token] {
					buckets[i] = w.last
				}
			}
			return buckets
		}))
	}
	return w.index()
}

// bucketFactors are the factors of the number of buckets for a length, each even: about
// two buckets for each chunk, as a power of two, in factors of at most 16, so that there
// are no more directions than the logarithm of the length asks for.
func (m *lsh) bucketFactors(padded int) []int {
	if m.factors != nil {
		return m.factors
	}
	power := bits.Len(uint(2*(padded/m.cut.Size))) - 1
	factors := make([]int, (power+3)/4)
	for i := range factors {
		factors[i] = 1 << ((power + i) / len(factors))
	}
	return factors
}

// directions are the columns of R_r, normally distributed: [H,d_h,R,ΣF/2].
func (m *lsh) directions(r *rand.Rand, factors []int) *tensor.T {
	if m.rotations != nil {
		return m.rotations
	}
	if r == nil {
		r = rand.New(rand.NewPCG(0x4c5348, 1)) // the same for every text
	}
	half := 0
	for _, f := range factors {
		half += f / 2
	}
	t := tensor.New(m.cut.heads, m.cut.width, m.rounds, half)
	nn.Normal(1)(r, t)
	return t
}

// hash gives the buckets [R·padded] of one head of one sequence. With several factors
// F_1, F_2 …, each has its own directions and its own argmax: b = b_1 + F_1·b_2 + ….
func (m *lsh) hash(qk, rotations *tensor.T, plane int, factors []int) []int {
	n, padded := qk.Dim(1), roundUp(qk.Dim(1), m.cut.Size)
	heads, width, half := m.cut.heads, m.cut.width, rotations.Dim(3)
	columns := m.rounds * half
	from := plane/heads*n*heads*width + plane%heads*width
	q := tensor.View{Data: qk.Data[from:], Rows: n, Cols: width, Stride: heads * width}
	turned := make([]tensor.Elem, n*columns)
	tensor.Gemm(tensor.Matrix(turned, n, columns), q, tensor.Matrix(rotations.Sub(plane%heads).Data, width, columns), 1, tensor.Overwrite)
	buckets := make([]int, m.rounds*padded)
	for i := range n {
		for r := range m.rounds {
			y, product := turned[i*columns+r*half:][:half], 1
			for _, f := range factors {
				buckets[r*padded+i] += product * farthest(y[:f/2])
				y, product = y[f/2:], product*f
			}
		}
	}
	return buckets
}

// farthest is argmax([y ; −y]), the first of equals.
func farthest(y []tensor.Elem) int {
	best, top := 0, y[0]
	for i, v := range y {
		if v > top {
			best, top = i, v
		}
	}
	for i, v := range y {
		if -v > top {
			best, top = len(y)+i, -v
		}
	}
	return best
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

func reformerCounts(c Config, n int) []Size {
	directions, cells := reformerWork(c, n)
	return append(knobSizes(reformerKnobs)(c, n),
		Size{"D", directions, "random directions, all rounds together"}, Size{"C", cells, "pairs inside the windows of all rounds"})
}

// reformerFLOPs counts projections, hashing, and both products inside the windows.
func reformerFLOPs(c Config, n int) int {
	directions, cells := reformerWork(c, n)
	return 2*n*reformerParams(c) + 2*n*c.Width*directions + 4*cells*c.Width
}

// reformerWork counts the directions that words are hashed with, and the pairs of
// words in all windows.
func reformerWork(c Config, n int) (directions, cells int) {
	m, err := newReformer(nn.NewScope(0), Config{Width: c.Heads, Heads: c.Heads, Length: c.Length, Knobs: c.Knobs})
	if err != nil {
		return 0, 0
	}
	switch core := m.(*reformer).core.(type) {
	case *local:
		if n > core.cut.Size {
			return 0, roundUp(n, core.cut.Size) * core.cut.Window()
		}
	case *lsh:
		if n > core.cut.Size {
			half, padded := 0, roundUp(n, core.cut.Size)
			for _, f := range core.bucketFactors(padded) {
				half += f / 2
			}
			return core.rounds * half, core.rounds * padded * core.cut.Window()
		}
	}
	return 0, n * n
}

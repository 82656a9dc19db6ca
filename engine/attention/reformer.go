package attention

import (
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
	Sizes: func(c Config, n int) []Size {
		directions, pairs := reformerOf(c).work(n)
		return append(knobSizes(reformerKnobs)(c, n),
			Size{"D", directions, "random directions, all rounds together"}, Size{"C", pairs, "pairs inside the windows of all rounds"})
	},
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
	Params: func(c Config) int { return reformerOf(c).matrices() * c.Width * c.Width },
	FLOPs: func(c Config, n int) int { // projections, hashing, and both products inside the windows
		o := reformerOf(c)
		directions, pairs := o.work(n)
		return 2*n*o.matrices()*c.Width*c.Width + 2*n*c.Width*directions + 4*pairs*c.Width
	},
	New: checked(reformerKnobs, func(s *nn.Scope, c Config) (Mixer, error) {
		return &reformer{reformerOf(c).newCore(s, c.Width), s.Param("W_O", nn.Normal(nn.Std), c.Width, c.Width)}, nil
	}),
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

// reformerOptions are the values of reformerKnobs.
type reformerOptions struct {
	Config        // whose Width is H·d_h
	local, strict bool
	rounds        int
	chunks        ad.Chunks
	factors       []int // of the number of buckets, each even; nil: from the length
}

func reformerOf(c Config) reformerOptions {
	o := c.options(reformerKnobs...)
	factors, _ := readFactors(o.text("buckets")) // check has read them
	return reformerOptions{
		c, o.is("attention", "local"), o.is("strict", "yes"), o.number("rounds"),
		ad.Chunks{Size: o.number("chunk"), Before: o.number("before"), After: o.number("after")}, factors,
	}
}

// matrices counts the projections.
func (o reformerOptions) matrices() int {
	if o.local {
		return 4
	}
	return 3
}

// work counts the directions that words are hashed with, and the pairs of words in all windows.
func (o reformerOptions) work(n int) (directions, pairs int) {
	padded := roundUp(n, o.chunks.Size)
	switch {
	case n <= o.chunks.Size:
		return 0, n * n
	case o.local:
		return 0, padded * o.chunks.Window()
	}
	half, _ := count(o.bucketFactors(padded))
	return o.rounds * half, o.rounds * padded * o.chunks.Window()
}

// bucketFactors are the factors of the number of buckets for a length, each even: about
// two buckets for each chunk, as a power of two, in factors of at most 16, so that there
// are no more directions than the logarithm of the length asks for.
func (o reformerOptions) bucketFactors(padded int) []int {
	if o.factors != nil {
		return o.factors
	}
	power := bits.Len(uint(2*(padded/o.chunks.Size))) - 1
	factors := make([]int, (power+3)/4)
	for i := range factors {
		factors[i] = 1 << ((power + i) / len(factors))
	}
	return factors
}

// count is the number of directions that a round needs, and of its buckets.
func count(factors []int) (directions, buckets int) {
	buckets = 1
	for _, f := range factors {
		directions, buckets = directions+f/2, buckets*f
	}
	return directions, buckets
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

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
	inner := Config{c.Heads * width, c.Heads, c.Length, c.Knobs}
	if err := inner.check(reformerKnobs...); err != nil {
		return nil, err
	}
	o := reformerOf(inner)
	if factors != nil {
		o.factors = factors
	}
	return o.newCore(s, c.Width), nil
}

func (o reformerOptions) newCore(s *nn.Scope, d int) Mixer {
	matrix := func(name string) nn.Linear {
		return nn.Linear{W: s.Param("W_"+name, nn.Normal(nn.Std), o.Width, d)}
	}
	if o.local {
		return &local{o, matrix("Q"), matrix("K"), matrix("V")}
	}
	return &lsh{o, matrix("QK"), matrix("V"), nil}
}

// local is a layer without hashing: the windows of lsh over the text as it stands. Queries
// and keys are separate and not normalised, and a word reads itself like any other:
//
//	A = softmax(q_i·k_j/√d_h) over the word's own chunk and the ones beside it
//
// The text is a circle of chunks: the first sees the last, unless the mask is causal.
type local struct {
	reformerOptions
	q, k, v nn.Linear // [H·d_h,d]
}

func (m *local) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	q, k, v := project(p, "q", m.q, x), project(p, "k", m.k, x), project(p, "v", m.v, x) // [N,H·d_h] each
	w := m.inOrder(x.Dim(0), x.Dim(1))
	s := ad.ChunkScores(ad.HeadRows(q, m.Heads, w.at), ad.HeadRows(k, m.Heads, w.at), w.Chunks, m.scale()) // [H,N,W]
	return w.mix(p, s, v)                                                                                  // [N,H·d_h]
}

// lsh is a layer by hashing, before the output projection.
type lsh struct {
	reformerOptions
	qk, v     nn.Linear // [H·d_h,d]
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
	qk := p.Step("qk", `Q = K = XW_{QK}^\top`, trace.Activation, m.qk.Apply(p, x), trace.Token, trace.Channel) // [N,H·d_h]
	v := project(p, "v", m.v, x)                                                                               // [N,H·d_h]
	w := m.sort(p, qk.Value)
	q := ad.HeadRows(qk, m.Heads, w.at)                              // [H,M,d_h], M = R·N padded to chunks
	s := ad.ChunkScores(q, ad.RMSNorm(q, 1e-6), w.Chunks, m.scale()) // [H,M,W]
	return w.mix(p, s, v)                                            // [N,H·d_h]
}

// directions are the columns of R_r, normally distributed: [H,d_h,R,ΣF/2].
func (m *lsh) directions(r *rand.Rand, factors []int) *tensor.T {
	if m.rotations != nil {
		return m.rotations
	}
	if r == nil {
		r = rand.New(rand.NewPCG(0x4c5348, 1)) // the same for every text
	}
	half, _ := count(factors)
	t := tensor.New(m.Heads, m.HeadWidth(), m.rounds, half)
	nn.Normal(1)(r, t)
	return t
}

// hash gives the buckets [R·padded] of one head of one sequence. With several factors
// F_1, F_2 …, each has its own directions and its own argmax: b = b_1 + F_1·b_2 + ….
func (m *lsh) hash(qk, rotations *tensor.T, plane int, factors []int) []int {
	n, padded, half := qk.Dim(1), roundUp(qk.Dim(1), m.chunks.Size), rotations.Dim(3)
	columns := m.rounds * half
	head, width := plane%m.Heads, m.HeadWidth()
	from := plane/m.Heads*n*m.Width + head*width
	q := tensor.View{Data: qk.Data[from:], Rows: n, Cols: width, Stride: m.Width}
	rotated := make([]tensor.Elem, n*columns)
	tensor.Gemm(tensor.Matrix(rotated, n, columns), q, tensor.Matrix(rotations.Sub(head).Data, width, columns), 1, tensor.Overwrite)
	buckets := make([]int, m.rounds*padded)
	for i := range n {
		for r := range m.rounds {
			y, product := rotated[i*columns+r*half:][:half], 1
			for _, f := range factors {
				buckets[r*padded+i] += product * argmaxSigned(y[:f/2])
				y, product = y[f/2:], product*f
			}
		}
	}
	return buckets
}

// argmaxSigned is argmax([y ; −y]), the first of equals.
func argmaxSigned(y []tensor.Elem) int {
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

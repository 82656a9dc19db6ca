package attention

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Reformer is attention by locality-sensitive hashing (Kitaev, Kaiser and Levskaya 2020,
// arXiv:2001.04451, sec. 2, eq. 2–6). Queries and keys are one projection. In every round, random
// directions R_r hash each word into a bucket. The words are sorted by bucket and position and
// divided into chunks of c. A word attends to its own chunk and to the one before it:
//
//	b_r(i) = argmax([q_i·R_r ; −q_i·R_r])    S_ij = q_i·(k_j/‖k_j‖)    S_ii = −10⁵
//	Y = [Σ_r A_r·V]·W_Oᵀ,  A = softmax of S over the windows of all rounds
//
// The softmax over all rounds at once equals the paper's sum over rounds, each weighted by exp(z_r
// − z), z_r = log Σ exp S (eq. 2 and appendix A). A text that fits into one chunk is not hashed. It
// gets ordinary attention with S as above. Parameters: 3d²; 4d² when local.
var Reformer = newEntry(Entry{
	ID:      "reformer",
	Family:  sparse,
	Formula: `b = \mathrm{argmax}([qR\,; -qR]) \quad A = \mathrm{softmax}(\frac{q^\top k}{\lVert k \rVert}) \text{ inside chunks sorted by } b`,
	Cost:    "O(N·log N·d)",
	Growth:  1,
	Paper: citation.Paper{
		Authors: "Nikita Kitaev, Łukasz Kaiser, Anselm Levskaya", Year: 2020,
		Title: "Reformer: The Efficient Transformer", Venue: "ICLR", ArXiv: "2001.04451", Equations: "sec. 2, eq. 2–6",
	},
	ParamsFormula: "3d²",
	FLOPsFormula:  "6Nd² + 2NdD + 4Cd",
	State:         "2Nd",
	Sizes: func(c Config, n int) []Size {
		directions, pairs := reformerOf(c).work(n)
		return append(optionSizes(reformerOptions)(c, n),
			Size{"D", directions, message("reformer.size.D")}, Size{"C", pairs, message("reformer.size.C")})
	},
	Masks:    Masks{EmptyRow: EmptyRow{Padding: SelfRow, Pairs: SelfRow}},
	Cut:      message("reformer.cut"),
	Compares: []string{"qk", "qk"},
	Views: []View{
		{Map: "weights", Symbol: "A"},
		{Map: "buckets", Symbol: "b", Apart: true},
		{Map: "order", Symbol: "s", By: "buckets", Apart: true},
		{Map: "weights by round", Symbol: "A⁽ʳ⁾"},
		{Map: "round weights", Symbol: "w⁽ʳ⁾"},
	},
	Options: reformerOptions,
	Covers: func(c Config, n int) bool {
		o := reformerOf(c)
		return n <= o.chunks.Size || o.local && o.inOrder(1, n).coversAll()
	},
	Params: func(c Config) int { return reformerOf(c).matrices() * c.Width * c.Width },
	FLOPs: func(c Config, n int) int64 { // projections, hashing, and both products within the windows
		o := reformerOf(c)
		directions, pairs := o.work(n)
		return 2*product64(n, o.matrices(), c.Width, c.Width) + 2*product64(n, c.Width,
			directions) + 4*product64(pairs, c.Width)
	},
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		return &reformer{reformerOf(c).newCore(s, c.Width), s.Param("W_O", nn.Normal(nn.Std), c.Width, c.Width)}, nil
	},
})

var reformerOptions = []Option{
	{Name: "attention", Default: "lsh", Values: []string{"lsh", "local"}},
	{Name: "rounds", Symbol: "R", Default: "2", Range: Range{To: 64}},
	{Name: "chunk", Symbol: "c", Default: "8"},
	{Name: "before", Default: "1", Values: []string{"0", "1", "2", "3"}},
	{Name: "after", Default: "0", Values: []string{"0", "1", "2", "3"}},
	{Name: "buckets", Default: "auto", Examples: []string{"2", "2x4"},
		Takes: messages.New("option.takes.factors"), Check: func(v string) error { _, err := readFactors(v); return err }},
	{Name: "strict", Default: "no", Values: []string{"no", "yes"}},
}

// readFactors parses the number of buckets, or its factors, such as "8" or "2x4". It returns nil
// for "auto", with which the number depends on the length.
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
		f, _ := strconv.Atoi(item) // refuse has validated it
		if product *= f; product > MaxNumber {
			return nil, messages.Errorf("option.buckets", "most", MaxNumber)
		}
		factors = append(factors, f)
	}
	return factors, nil
}

// reformerConfig holds the values of reformerOptions.
type reformerConfig struct {
	Config        // with Width equal to H·d_h
	local, strict bool
	rounds        int
	chunks        ad.Chunks
	factors       []int // factors of the number of buckets, each even; nil: they follow from the length
}

func reformerOf(c Config) reformerConfig {
	o := c.choices(reformerOptions...)
	factors, _ := readFactors(o.text("buckets")) // check has validated them
	return reformerConfig{
		c, o.is("attention", "local"), o.is("strict", "yes"), o.number("rounds"),
		ad.Chunks{Size: o.number("chunk"), Before: o.number("before"), After: o.number("after")}, factors,
	}
}

// matrices returns the number of projections.
func (o reformerConfig) matrices() int {
	if o.local {
		return 4
	}
	return 3
}

// work returns the number of directions used for hashing, and the number of pairs of words in all
// windows.
func (o reformerConfig) work(n int) (directions, pairs int) {
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

// bucketFactors returns the factors of the number of buckets for a length, each even. The number is
// a power of two, with about two buckets per chunk. Factors are at most 16, so that the number of
// directions grows only with the logarithm of the length.
func (o reformerConfig) bucketFactors(padded int) []int {
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

// count returns the number of directions and the number of buckets of a round.
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

// Mix returns the output [B,N,d] for x [B,N,d], from local or hashed chunks.
func (m *reformer) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	y := p.Step("mixed", `\sum_r A^{(r)}V`, trace.Activation, m.core.Mix(p, x), trace.Token, trace.HeadChannel) // [N,d]
	return p.Project(nn.Linear{W: m.o}, y)                                                                      // [N,d]
}

// NewReformerCore makes the layer without its output projection and with heads of any width,
// whether or not they divide d: x [N,d] → [N,H·width]. If factors is not nil, it replaces the
// option buckets; each factor must be even.
func NewReformerCore(s *nn.Scope, c Config, width int, factors []int) (Mixer, error) {
	inner := Config{c.Heads * width, c.Heads, c.Length, c.Options}
	if err := inner.check(reformerOptions...); err != nil {
		return nil, err
	}
	o := reformerOf(inner)
	if factors != nil {
		o.factors = factors
	}
	return o.newCore(s, c.Width), nil
}

func (o reformerConfig) newCore(s *nn.Scope, d int) Mixer {
	matrix := func(name string) nn.Linear {
		return nn.Linear{W: s.Param("W_"+name, nn.Normal(nn.Std), o.Width, d)}
	}
	if o.local {
		return &local{o, matrix("Q"), matrix("K"), matrix("V")}
	}
	return &lsh{o, matrix("QK"), matrix("V"), nil}
}

// local is a layer without hashing. It has the windows of lsh over the unsorted text. Queries and
// keys are separate and not normalised, and a word attends to itself as to any other:
//
//	A = softmax(q_i·k_j/√d_h) over the word's own chunk and the chunks next to it
//
// The chunks form a circle: the first attends to the last, unless the mask is causal.
type local struct {
	reformerConfig
	q, k, v nn.Linear // [H·d_h,d]
}

// Mix attends within chunks of neighbouring tokens.
func (m *local) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	q, k, v := project(p, "q", m.q, x), project(p, "k", m.k, x), project(p, "v", m.v, x) // [N,H·d_h] each
	w := m.inOrder(x.Dim(0), x.Dim(1))
	s := ad.ChunkScores(ad.GatherHeads(q, m.Heads, w.at), ad.GatherHeads(k, m.Heads, w.at), w.Chunks, m.scale()) // [H,N,W]
	return w.mix(p, s, v)                                                                                        // [N,H·d_h]
}

// lsh is a layer with hashing, before the output projection.
type lsh struct {
	reformerConfig
	qk, v     nn.Linear // [H·d_h,d]
	rotations *tensor.T // [H,d_h,R,ΣF/2], with the factors F; nil: drawn at random
}

// WithRotations returns the core m with given random directions [H,d_h,R,ΣF/2] instead of drawn
// ones. F are the factors of the number of buckets.
func WithRotations(m Mixer, rotations *tensor.T) Mixer {
	fixed := *m.(*lsh)
	fixed.rotations = rotations
	return &fixed
}

// Mix attends within chunks of tokens that are sorted by hash.
func (m *lsh) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	qk := p.Step("qk", `Q = K = XW_{QK}^\top`, trace.Activation, m.qk.Apply(p, x), trace.Token,
		trace.HeadChannel) // [N,H·d_h]
	v := project(p, "v", m.v, x) // [N,H·d_h]
	w := m.sort(p, qk.Value)
	q := ad.GatherHeads(qk, m.Heads, w.at)                                  // [H,M,d_h], M = R·N padded to whole chunks
	s := ad.ChunkScores(q, ad.RMSNorm(q, reformerEps), w.Chunks, m.scale()) // [H,M,W]
	return w.mix(p, s, v)                                                   // [N,H·d_h]
}

// reformerEps keeps the length of a key away from 0.
const reformerEps = 1e-6

// directions returns the columns of R_r, which are normally distributed: [H,d_h,R,ΣF/2].
func (m *lsh) directions(r *rand.Rand, factors []int) *tensor.T {
	if m.rotations != nil {
		return m.rotations
	}
	if r == nil {
		r = draw(0) // the same for every text
	}
	half, _ := count(factors)
	t := tensor.New(m.Heads, m.HeadWidth(), m.rounds, half)
	nn.Normal(1)(r, t)
	return t
}

// draw returns the random source for a seed. Seed 0 is used for every text, unless a visitor draws
// again.
func draw(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(0x4c5348, 1+seed)) }

// rotate multiplies the words of one head of one sequence by the directions of all rounds:
// [N,R·ΣF/2].
func (m *lsh) rotate(qk, rotations *tensor.T, plane int) []tensor.Elem {
	n, columns, width := qk.Dim(1), m.rounds*rotations.Dim(3), m.HeadWidth()
	head := plane % m.Heads
	q := tensor.Matrix{Data: qk.Data[plane/m.Heads*n*m.Width+head*width:], Rows: n, Cols: width, Stride: m.Width}
	rotated := make([]tensor.Elem, n*columns)
	tensor.Gemm(tensor.NewMatrix(rotated, n, columns), q, tensor.NewMatrix(rotations.Sub(head).Data, width, columns), 1,
		tensor.Overwrite)
	return rotated
}

// hash returns the buckets [R·padded] of one head of one sequence. With several factors F_1, F_2 …,
// each factor has its own directions and its own argmax: b = b_1 + F_1·b_2 + ….
func (m *lsh) hash(qk, rotations *tensor.T, plane int, factors []int) []int {
	n, padded, half := qk.Dim(1), roundUp(qk.Dim(1), m.chunks.Size), rotations.Dim(3)
	columns, rotated := m.rounds*half, m.rotate(qk, rotations, plane)
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

// argmaxSigned returns argmax([y ; −y]), the first of equal values.
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

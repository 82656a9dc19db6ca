package attention

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// BigBird (Zaheer et al. 2020, arXiv:2007.14062, sec. 2, fig. 1; blocks: app. D) divides the text
// into blocks of b positions. A block of queries attends to the blocks
//
//	{i−1, i, i+1} window  ∪  {0, N/b−1} global  ∪  r random blocks
//
// The first and the last block attend to everything. One softmax covers all keys that a query
// attends to. The random blocks differ between heads and layers, and never repeat window or global
// blocks. They are part of the mechanism: they are drawn with a seed and the mixer's place in the
// model, or given. Parameters: 4d² + 4d.
var BigBird = newEntry(Entry{
	ID:      "bigbird",
	Family:  sparse,
	Formula: `A = \mathrm{softmax}(\frac{QK^\top}{\sqrt{d_h}}) \text{ over neighbouring, first, last and } r \text{ random blocks}`,
	Cost:    "O(N·(5 + r)·b·d)",
	Growth:  1,
	Paper: citation.Paper{
		Authors: "Manzil Zaheer, Guru Guruganesh, Kumar Avinava Dubey, Joshua Ainslie, Chris Alberti, Santiago Ontanon, Philip Pham, Anirudh Ravula, Qifan Wang, Li Yang, Amr Ahmed", Year: 2020,
		Title: "Big Bird: Transformers for Longer Sequences", Venue: "NeurIPS", ArXiv: "2007.14062",
		Equations: "sec. 2, fig. 1; app. D",
	},
	ParamsFormula: "4d² + 4d",
	FLOPsFormula:  "8Nd² + 4Cd_h",
	State:         "2Nd",
	Sizes:         bigBirdCounts,
	Masks:         Masks{EmptyRow: EmptyRow{Padding: UniformRow, Pairs: UniformRow}},
	Compares:      []string{"q", "k"},
	Views: []View{
		{Map: "weights", Symbol: "A", Caption: wordReadsWord},
		{Map: "pattern", Symbol: "pattern", Caption: patternCaption, Apart: true},
	},
	Options: bigBirdOptions,
	Covers:  func(c Config, n int) bool { return bigBirdOf(c).cells(n) == c.Heads*n*n },
	Params:  func(c Config) int { return 4 * linear(c.Width, c.Width) },
	FLOPs:   bigBirdFLOPs,
	New:     newBigBird,
})

var bigBirdOptions = []Option{
	{Name: "block", Symbol: "b", Default: "4"},
	{Name: "random", Symbol: "r", Default: "1", Range: Range{Step: 1}},
	{Name: "seed", Default: "0", Range: Range{Step: 1}},
	{Name: "random-blocks", Default: "", Takes: takesList,
		Check: func(v string) error { _, err := parseBlocks(v); return err }},
}

// bigBirdConfig holds the values of bigBirdOptions.
type bigBirdConfig struct {
	Config
	block, random, seed int
	given               [][][]int // given random blocks, by head and query block 1, 2, …
	place               uint64    // identifies the mixer in its model
}

func bigBirdOf(c Config) bigBirdConfig {
	o := c.choices(bigBirdOptions...)
	given, _ := parseBlocks(o.text("random-blocks")) // check has validated them
	return bigBirdConfig{Config: c, block: o.number("block"), random: o.number("random"), seed: o.number("seed"),
		given: given}
}

func newBigBird(s *nn.Scope, c Config) (Mixer, error) {
	o := bigBirdOf(c)
	if o.given != nil && len(o.given) != c.Heads {
		return nil, messages.Errorf("mixer.heads", "given", len(o.given), "heads", c.Heads)
	}
	o.place = s.Hash()
	return &bigBird{o, newProjections(s, c)}, nil
}

// parseBlocks parses the random blocks of every head and inner query block.
func parseBlocks(list string) ([][][]int, error) {
	if list == "" {
		return nil, nil
	}
	var given [][][]int
	for head := range strings.SplitSeq(list, ";") {
		var rows [][]int
		for row := range strings.SplitSeq(head, ",") {
			var ids []int
			for id := range strings.FieldsSeq(row) {
				n, err := strconv.Atoi(id)
				if err != nil || n < 0 {
					return nil, messages.Errorf("option.block", "value", messages.Quote(id))
				}
				ids = append(ids, n)
			}
			rows = append(rows, ids)
		}
		given = append(given, rows)
	}
	for _, rows := range given {
		for _, ids := range rows {
			if len(rows) != len(given[0]) || slices.Max(append(ids, 0)) >= len(rows)+2 {
				return nil, messages.Errorf("option.blocks", "last", len(given[0])+1, "rows", len(given[0]))
			}
		}
	}
	return given, nil
}

type bigBird struct {
	bigBirdConfig
	projections
}

// Mix returns the output [B,N,d] for x [B,N,d], computed from window, global and random blocks.
func (m *bigBird) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	n, h, scale := x.Dim(-2), m.Heads, m.scale()
	q, k, v := m.qkv(p, x) // [N,d] each
	v = p.Values(v)
	drawn := m.draw(n)
	at := layoutOfWords(p, x, h, func(b int) (heads []ad.Pattern) {
		for _, blocks := range drawn {
			heads = append(heads, m.pattern(p.Mask, b, n, blocks))
		}
		return heads
	})
	s := at.Scores(q, k, scale) // cells of [H,N,N]
	a := at.Softmax(s)          // cells of [H,N,N]
	y := at.Mix(a, v)           // [N,d]
	if !m.full(n) {
		y = ad.KeepRows(y, p.Mask.Keys)
	}
	if p.Sums() {
		p.Sum(m.counted(p.Mask, at.Dense(a.Value)), v.Value)
	}
	if p.Watched() {
		m.show(p, comparison{at, q, k, s, a}, drawn)
	}
	p.Step("mixed", `AV`, trace.Activation, y, trace.Token, trace.HeadChannel) // [N,d]
	return p.Project(m.o, y)
}

// counted returns the weights a [H,N,N] with zeros in the rows of padding, whose results are not
// used.
func (o bigBirdConfig) counted(mask nn.Mask, a *tensor.T) *tensor.T {
	n, plane := a.Dim(-1), a.Dim(1)*a.Dim(2)
	for i := range a.Dim(0) * plane {
		if !o.full(n) && !text(mask, i/plane, i%n) {
			clear(a.Data[i*n:][:n])
		}
	}
	return a
}

// count returns the number of blocks of a text of n tokens. The last block can be shorter.
func (o bigBirdConfig) count(n int) int { return (n + o.block - 1) / o.block }

// full reports whether a text of n tokens is too short for a pattern, so that every word attends to
// all.
func (o bigBirdConfig) full(n int) bool { return n <= (5+2*o.random)*o.block }

// isGiven reports whether the option gives the random blocks for a text with count blocks.
func (o bigBirdConfig) isGiven(count int) bool { return len(o.given) > 0 && len(o.given[0]) == count-2 }

// draw returns the random blocks of every head and block of queries. The first and the last block
// attend to everything and have none.
func (o bigBirdConfig) draw(n int) [][][]int {
	drawn, count := make([][][]int, o.Heads), o.count(n)
	for a := range drawn {
		drawn[a] = make([][]int, count)
		if o.full(n) {
			continue
		}
		if o.isGiven(count) {
			copy(drawn[a][1:], o.given[a])
			continue
		}
		r := rand.New(rand.NewPCG(uint64(o.seed), o.place+uint64(a)))
		for i := 1; i < count-1; i++ {
			for len(drawn[a][i]) < o.random { // at least 2r+1 blocks remain to draw from
				if j := r.IntN(count); o.class(i, j, count, drawn[a][i]) == notRead {
					drawn[a][i] = append(drawn[a][i], j)
				}
			}
		}
	}
	return drawn
}

const randomKey = 3 // class in the pattern's map, after windowKey and globalKey

// class returns the reason why block i of queries, with these random blocks, attends to block j.
func (o bigBirdConfig) class(i, j, count int, random []int) int {
	switch {
	case i == 0 || j == 0 || i == count-1 || j == count-1:
		return globalKey
	case i-1 <= j && j <= i+1:
		return windowKey
	case slices.Contains(random, j):
		return randomKey
	}
	return notRead
}

// pattern returns the pattern of the pairs that one head computes.
func (o bigBirdConfig) pattern(mask nn.Mask, b, n int, drawn [][]int) ad.Pattern {
	count := o.count(n)
	cell := func(q, k int) ad.Cell {
		i, j := q/o.block, k/o.block
		switch {
		case !(nn.Mask{Kind: mask.Kind, Pairs: mask.Pairs, N: mask.N}).Allows(b, q, k):
			return ad.Forbidden
		case o.full(n) && !text(mask, b, k):
			return ad.Sunk
		case o.full(n):
			return ad.Open
		case !text(mask, b, k) || !text(mask, b, q) && queryCounts(i, o.class(i, j, count, drawn[i]), count):
			return ad.Penalised
		}
		return ad.Open
	}
	if mask.Open() {
		cell = nil
	}
	return blocks(n, o.block, func(from, to int) []ad.Span {
		i := from / o.block
		if i == 0 || i == count-1 || o.full(n) {
			return []ad.Span{{From: 0, To: n}}
		}
		spans := make([]ad.Span, 0, 5+o.random)
		for _, j := range append([]int{0, i - 1, i, i + 1, count - 1}, drawn[i]...) {
			spans = append(spans, ad.Span{From: j * o.block, To: min((j+1)*o.block, n)})
		}
		return spans
	}, cell)
}

// queryCounts reports whether a cell of this class is penalised for padded queries, too. The result
// of such a query is not used, but the reference implementation shows its row.
func queryCounts(i, class, count int) bool {
	return class == randomKey || class == windowKey && 1 < i && i < count-2
}

func (m *bigBird) show(p *nn.Pass, c comparison, drawn [][][]int) {
	n, count := c.q.Dim(-2), len(drawn[0])
	class := func(h, q, k int) int {
		if m.full(n) {
			return globalKey
		}
		return m.class(q/m.block, k/m.block, count, drawn[h][q/m.block])
	}
	reach := func(h, q, k int) bool { return class(h, q, k) != notRead }
	c.showScores(p, reach)
	showCells(p, c.at, trace.Map{Name: "weights", Tex: `A = \mathrm{softmax}(S)`, Kind: trace.Probability, HeadReach: reach},
		c.a, trace.Key)
	if !p.Wants("pattern") {
		return
	}
	pattern := tensor.New(m.Heads, n, n)
	for i := range pattern.Data {
		pattern.Data[i] = tensor.Elem(class(i/n/n, i/n%n, i%n))
	}
	showPattern(p, trace.Map{Name: "pattern", Tex: `\text{window} \cup \text{global} \cup \text{random}`,
		Kind: trace.Category, Value: pattern, HeadReach: reach,
		Classes: []string{notRead: "", windowKey: "window", globalKey: "global block", randomKey: "random block"}},
		trace.Head, trace.Query, trace.Key)
}

func bigBirdCounts(c Config, n int) []Size {
	return append(optionSizes(bigBirdOptions)(c, n), Size{"C", bigBirdOf(c).cells(n), message("bigbird.size.C")})
}

func bigBirdFLOPs(c Config, n int) int64 {
	return 8*product64(n, c.Width, c.Width) + 4*product64(bigBirdOf(c).cells(n), c.HeadWidth())
}

// cells returns the number of pairs of words with attention, in all heads. A random block is
// complete and different from all other blocks of its query, so its pairs are counted without
// drawing it.
func (o bigBirdConfig) cells(n int) int {
	drawn := make([][]int, o.count(n))
	if o.full(n) || !o.isGiven(len(drawn)) {
		inner := max(0, len(drawn)-2) * o.random * o.block * o.block
		if o.full(n) {
			inner = 0
		}
		return o.Heads * (readCells(o.pattern(nn.Mask{}, 0, n, drawn)) + inner)
	}
	cells := 0
	for _, drawn := range o.draw(n) {
		cells += readCells(o.pattern(nn.Mask{}, 0, n, drawn))
	}
	return cells
}

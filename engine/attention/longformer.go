package attention

import (
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

// Longformer (Beltagy et al. 2020, arXiv:2004.05150, sec. 3.1, eq. 1) attends to a window around
// every word. A few global words attend to everything, and all words attend to them:
//
//	A_ij = softmax_j(q_i·k_j/√d_h)  over  |i−j| ≤ w/2  or  j ∈ G
//	A_gj = softmax_j(q'_g·k'_j/√d_h)  over all j, for g ∈ G
//
// Global words have separate projection matrices, Q' = XW_Q'ᵀ + b_Q', …. A key that is both near
// and global is counted once. Parameters: 7d² + 7d; 4d² + 4d without global words.
var Longformer = newEntry(Entry{
	ID:      "longformer",
	Family:  sparse,
	Formula: `A_{ij} = \mathrm{softmax}_j(\frac{q_i^\top k_j}{\sqrt{d_h}}) \text{ over } |i - j| \le w/2 \text{ or } j \in G`,
	Cost:    "O(N·(w + g)·d)",
	Growth:  1,
	Paper: citation.Paper{
		Authors: "Iz Beltagy, Matthew E. Peters, Arman Cohan", Year: 2020,
		Title: "Longformer: The Long-Document Transformer", Venue: "arXiv", ArXiv: "2004.05150", Equations: "sec. 3.1, eq. 1",
	},
	ParamsFormula: "7d² + 7d",
	FLOPsFormula:  "8Nd² + 4Cd + (4N + 2G)d²",
	State:         "2d·min(N, w/2 + G)",
	Sizes:         longformerCounts,
	Masks:         Masks{EmptyRow: EmptyRow{Padding: ZeroRow, Pairs: UniformRow}},
	Compares:      []string{"q", "k"},
	Views: []View{
		{Map: "weights", Symbol: "A", Caption: wordReadsWord},
		{Map: "pattern", Symbol: "pattern", Caption: patternCaption, Apart: true},
	},
	Options: longformerOptions,
	Covers: func(c Config, n int) bool {
		cells, _ := longformerOf(c).cells(n)
		return cells == n*n
	},
	Params: func(c Config) int {
		if len(longformerOf(c).global) == 0 {
			return 4 * linear(c.Width, c.Width)
		}
		return 7 * linear(c.Width, c.Width)
	},
	FLOPs: longformerFLOPs,
	New:   newLongformer,
})

var longformerOptions = []Option{
	{Name: "window", Symbol: "w", Default: "16", Range: Range{From: 2, Step: 2}},
	{Name: "global", Default: "0", Examples: []string{"", "0", "1,3"},
		Takes: takesList, Check: func(v string) error { _, err := positions(v); return err }},
}

// longformerConfig holds the values of longformerOptions.
type longformerConfig struct {
	Config
	window int
	global []int // in ascending order
}

func longformerOf(c Config) longformerConfig {
	o := c.choices(longformerOptions...)
	global, _ := positions(o.text("global")) // check has validated them
	return longformerConfig{c, o.number("window"), global}
}

func newLongformer(s *nn.Scope, c Config) (Mixer, error) {
	m := &longformer{longformerConfig: longformerOf(c)}
	for _, g := range m.global {
		if g >= c.Length {
			return nil, messages.Errorf("mixer.global", "given", g, "last", c.Length-1)
		}
	}
	m.projections = newProjections(s, c)
	if len(m.global) > 0 {
		m.gq, m.gk, m.gv = square(s, "Q'", c), square(s, "K'", c), square(s, "V'", c)
	}
	return m, nil
}

// positions parses a list of positions and returns them in ascending order.
func positions(list string) ([]int, error) {
	if list == "" {
		return nil, nil
	}
	var at []int
	for item := range strings.SplitSeq(list, ",") {
		g, err := strconv.Atoi(strings.TrimSpace(item))
		if err != nil || g < 0 {
			return nil, messages.Errorf("option.position", "value", messages.Quote(item))
		}
		at = append(at, g)
	}
	slices.Sort(at)
	return slices.Compact(at), nil
}

type longformer struct {
	longformerConfig
	projections
	gq, gk, gv nn.Linear // [d,d], for the global words
}

// Mix returns the output [B,N,d] for x [B,N,d], from a sliding window and global tokens.
func (m *longformer) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	n, h, scale := x.Dim(-2), m.Heads, m.scale()
	q, k, v := m.qkv(p, x) // [N,d] each
	v = p.Values(v)
	at := layoutOfWords(p, x, h, func(b int) []ad.Pattern { return []ad.Pattern{m.pattern(p.Mask, b, n)} })
	s := at.Scores(q, k, scale) // cells of [H,N,N]
	a := at.Softmax(s)          // cells of [H,N,N]
	y := at.Mix(a, v)           // [N,d]
	if p.Sums() {
		p.Sum(at.Dense(a.Value), v.Value)
	}
	var ga *ad.Var
	if m.globals(n) > 0 {
		y, ga = m.addGlobal(p, x, y, scale) // [N,d], [H,G,N]
	}
	if p.Watched() {
		m.show(p, comparison{at, q, k, s, a}, ga)
	}
	y = p.Step("mixed", `AV`, trace.Activation, ad.KeepRows(y, p.Mask.Keys), trace.Token, trace.HeadChannel) // [N,d]
	return p.Project(m.o, y)
}

// globals returns the number of global words in a text of n tokens. They are the first ones of the
// list.
func (o longformerConfig) globals(n int) int {
	count, _ := slices.BinarySearch(o.global, n)
	return count
}

// pattern returns the pattern of the words that are not global.
func (o longformerConfig) pattern(mask nn.Mask, b, n int) ad.Pattern {
	global, why := o.global[:o.globals(n)], o.classes(n)
	return blocks(n, bandBlock(o.window/2), func(from, to int) []ad.Span {
		spans := []ad.Span{around(from, to, o.window/2, n)}
		for _, g := range global {
			spans = append(spans, ad.Span{From: g, To: g + 1})
		}
		return spans
	}, func(q, k int) ad.Cell {
		if c := why.of(q, k); c != windowKey && c != globalKey || !text(mask, b, q) {
			return ad.Outside
		}
		return forbid(mask, b, q, k)
	})
}

// notRead, windowKey, globalKey and globalQuery are the classes of the pattern's map.
const (
	notRead = iota
	windowKey
	globalKey
	globalQuery
)

// classes computes for a text why its words attend to each other.
type classes struct {
	isGlobal []bool
	near     int // w/2
}

func (o longformerConfig) classes(n int) classes {
	c := classes{make([]bool, n), o.window / 2}
	for _, g := range o.global[:o.globals(n)] {
		c.isGlobal[g] = true
	}
	return c
}

// of returns the class of row q and column k.
func (c classes) of(q, k int) int {
	switch {
	case c.isGlobal[q]:
		return globalQuery
	case c.isGlobal[k]:
		return globalKey
	case max(q-k, k-q) <= c.near:
		return windowKey
	}
	return notRead
}

// addGlobal adds the rows of the global words to y [N,d]; a [H,G,N] are their weights.
func (m *longformer) addGlobal(p *nn.Pass, x, y *ad.Var, scale ad.Elem) (sum, a *ad.Var) {
	batch, n, d := x.Dim(0), x.Dim(1), x.Dim(2)
	global := m.global[:m.globals(n)]
	var rows []int
	for b := range batch {
		for _, g := range global {
			rows = append(rows, b*n+g)
		}
	}
	q := p.Step("global q", `Q'_G = X_GW_{Q'}^\top + b_{Q'}`, trace.Activation,
		m.gq.Apply(p, ad.Reshape(ad.Rows(x, rows), batch, len(global), d)), trace.Slot, trace.HeadChannel) // [G,d]
	k := p.Step("global k", `K' = XW_{K'}^\top + b_{K'}`, trace.Activation, m.gk.Apply(p, x), trace.Token,
		trace.HeadChannel) // [N,d]
	v := p.Step("global v", `V' = XW_{V'}^\top + b_{V'}`, trace.Activation, m.gv.Apply(p, x), trace.Token,
		trace.HeadChannel) // [N,d]
	v = p.Values(v)
	s := ad.HeadScores(q, k, m.Heads, scale) // [H,G,N]
	s = p.Step("global scores", `S' = Q'_GK'^\top/\sqrt{d_h}`, trace.Activation, p.Mask.ApplyTo(s, global), trace.Head,
		trace.Slot, trace.Key)
	a = p.Step("global weights", `A' = \mathrm{softmax}(S')`, trace.Probability, p.Mask.Rest(ad.Softmax(s), global),
		trace.Head, trace.Slot, trace.Key)
	if p.Sums() {
		all := tensor.New(batch, m.Heads, n, n)
		m.putGlobal(p.Mask, all, a.Value)
		p.Sum(all, v.Value)
	}
	return ad.AddRowsAt(y, ad.HeadMix(a, v), rows), a
}

// putGlobal copies the rows ga [H,G,N] of the global words to their places in a [H,N,N].
func (m *longformer) putGlobal(mask nn.Mask, a, ga *tensor.T) {
	heads, n := a.Dim(1), a.Dim(2)
	for i := range a.Dim(0) * heads * m.globals(n) {
		if g := m.global[i%m.globals(n)]; text(mask, i/m.globals(n)/heads, g) {
			plane := i / m.globals(n)
			copy(a.Data[(plane*n+g)*n:][:n], ga.Data[i*n:])
		}
	}
}

// derived returns the map of all weights with the origins of its numbers: the rows ga [H,G,N] of
// the global words, and a [H,N,N] for the others.
func (m *longformer) derived(p *nn.Pass, a, ga *ad.Var, whole *tensor.T) *ad.Var {
	heads, n := a.Dim(1), a.Dim(2)
	return p.Tape.Derive(whole, func(i int) ad.Origin {
		for g, row := range m.global[:m.globals(n)] {
			if row == i/n%n && text(p.Mask, i/(heads*n*n), row) {
				return ad.Sole(ga, ((i/(n*n))*m.globals(n)+g)*n+i%n)
			}
		}
		return ad.Sole(a, i)
	})
}

// show inserts the rows of the global words among the others and records the whole map.
func (m *longformer) show(p *nn.Pass, c comparison, ga *ad.Var) {
	whole := c.at.Dense(c.a.Value)
	n := whole.Dim(2)
	if ga != nil {
		m.putGlobal(p.Mask, whole, ga.Value)
	}
	why := m.classes(n)
	local := func(_, q, k int) bool { in := why.of(q, k); return in == windowKey || in == globalKey }
	reach := func(_, q, k int) bool { return why.of(q, k) != notRead }
	c.showScores(p, local)
	showPattern(p, trace.Map{Name: "weights", Tex: `A = \mathrm{softmax}(S), A'`, Kind: trace.Probability, Value: whole,
		HeadReach: reach}, trace.Head, trace.Query, trace.Key)
	if p.Tape.Explains() {
		p.Name("weights", m.derived(p, c.at.Spread(c.a), ga, whole))
	}
	if !p.Wants("pattern") {
		return
	}
	pattern := tensor.New(n, n)
	for i := range pattern.Data {
		pattern.Data[i] = tensor.Elem(why.of(i/n, i%n))
	}
	showPattern(p, trace.Map{Name: "pattern", Tex: `|i - j| \le w/2 \lor i \in G \lor j \in G`, Kind: trace.Category,
		Value: pattern, HeadReach: reach,
		Classes: []string{notRead: "", windowKey: "window", globalKey: "the column is global",
			globalQuery: "the row is global"}}, trace.Query, trace.Key)
}

func longformerCounts(c Config, n int) []Size {
	cells, g := longformerOf(c).cells(n)
	return append(optionSizes(longformerOptions)(c, n), Size{"C", cells, message("longformer.size.C")},
		Size{"G", g, message("longformer.size.G")})
}

// cells returns the number of pairs of words with attention, and the number of global words of a
// text.
func (o longformerConfig) cells(n int) (cells, g int) {
	g = o.globals(n)
	cells = g * n
	for q, isGlobal := range o.classes(n).isGlobal {
		if isGlobal {
			continue
		}
		s := around(q, q+1, o.window/2, n)
		cells += s.To - s.From + g - (o.globals(s.To) - o.globals(s.From))
	}
	return cells, g
}

func longformerFLOPs(c Config, n int) int64 {
	cells, g := longformerOf(c).cells(n)
	flops := 8*product64(n, c.Width, c.Width) + 4*product64(cells, c.Width)
	if g > 0 {
		flops += product64(4*n+2*g, c.Width, c.Width)
	}
	return flops
}

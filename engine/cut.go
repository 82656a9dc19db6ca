package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
)

// Cut is one ablation in a model's forward pass (nn.Cut says how): a word that no position attends to in any layer, a
// cell that is blocked, or a head whose result is 0. Numbers are from 1. It is written
//
//	word:5          no token attends to token 5
//	head:2.3        the result of head 3 in layer 2 is 0
//	cell:4.7        token 4 does not attend to token 7, in any layer and head
//	cell:2.3.4.7    the same, only in head 3 of layer 2
//	cell:2.all.4.7  the same, only in layer 2
type Cut struct {
	Kind        CutKind
	Layer, Head int // 0: all
	Row, Col    int // a word has only Col
}

// CutKind is the kind of thing that is ablated.
type CutKind uint8

// The things that can be ablated.
const (
	CutWord CutKind = iota
	CutHead
	CutCell
)

var cutNames = [...]string{"word", "head", "cell"}

// String returns the name of the kind, as in addresses.
func (k CutKind) String() string { return cutNames[k] }

// MostCuts is the largest number of cuts in one list.
const MostCuts = 16

// allHeads replaces the head of a cell that is blocked in all heads of a layer.
const allHeads = "all"

// mostCutNumber is the largest number in a cut.
const mostCutNumber = 1_000_000

// String returns the ablation as in addresses, such as word:5.
func (c Cut) String() string {
	place := strconv.Itoa(c.Row) + "." + strconv.Itoa(c.Col)
	switch {
	case c.Kind == CutWord:
		place = strconv.Itoa(c.Col)
	case c.Kind == CutHead:
		place = strconv.Itoa(c.Layer) + "." + strconv.Itoa(c.Head)
	case c.Layer > 0 && c.Head == 0:
		place = strconv.Itoa(c.Layer) + "." + allHeads + "." + place
	case c.Layer > 0:
		place = strconv.Itoa(c.Layer) + "." + strconv.Itoa(c.Head) + "." + place
	}
	return c.Kind.String() + ":" + place
}

// ParseCut reads what String writes, and nothing else.
func ParseCut(s string) (c Cut, ok bool) {
	kind, place, _ := strings.Cut(s, ":")
	k := slices.Index(cutNames[:], kind)
	if k < 0 || len(place) > 4*len("1000000.") {
		return Cut{}, false
	}
	var at []int
	for i, part := range strings.Split(place, ".") {
		n, err := strconv.Atoi(part)
		every := i == 1 && part == allHeads
		if err != nil && !every || n > mostCutNumber {
			return Cut{}, false
		}
		at = append(at, n)
	}
	c.Kind = CutKind(k)
	switch {
	case c.Kind == CutWord && len(at) == 1:
		c.Col = at[0]
	case c.Kind == CutHead && len(at) == 2:
		c.Layer, c.Head = at[0], at[1]
	case c.Kind == CutCell && len(at) == 2:
		c.Row, c.Col = at[0], at[1]
	case c.Kind == CutCell && len(at) == 4:
		c.Layer, c.Head, c.Row, c.Col = at[0], at[1], at[2], at[3]
	}
	return c, c.valid() && c.String() == s // every cut has one name
}

// valid reports whether a cut has the numbers that its kind needs.
func (c Cut) valid() bool {
	switch c.Kind {
	case CutWord:
		return c.Col > 0
	case CutHead:
		return c.Layer > 0 && c.Head > 0
	}
	return c.Row > 0 && c.Col > 0
}

// Within reports whether a text of this many tokens contains the tokens of the cut.
func (c Cut) Within(tokens int) bool { return max(c.Row, c.Col) <= tokens }

// SortCuts returns a list in canonical order, without duplicates: words, heads, cells, each by their numbers.
func SortCuts(list []Cut) []Cut {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b Cut) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Head, b.Head),
			cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(sorted)
}

// JoinCuts returns a list as text, with commas between the cuts.
func JoinCuts(list []Cut) string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.String()
	}
	return strings.Join(names, ",")
}

// ReadCuts parses the output of JoinCuts; invalid entries are skipped.
func ReadCuts(list string) (cuts []Cut) {
	for name := range strings.SplitSeq(list, ",") {
		if c, ok := ParseCut(name); ok {
			cuts = append(cuts, c)
		}
	}
	return cuts
}

// Cuts are the cuts of a request: All for all mechanisms, and additional ones for single mechanisms, by id.
type Cuts struct {
	All []Cut
	Own map[string][]Cut
}

// Of returns the cuts of a mechanism in canonical order.
func (c Cuts) Of(id string) []Cut { return SortCuts(slices.Concat(c.All, c.Own[id])) }

// KeyFor returns a name of the cuts in some mechanisms; empty: there are none.
func (c Cuts) KeyFor(ids []string) string {
	lists, some := make([]string, len(ids)), false
	for i, id := range ids {
		lists[i] = JoinCuts(c.Of(id))
		some = some || lists[i] != ""
	}
	if !some {
		return ""
	}
	return strings.Join(lists, ";")
}

// alignedCuts turns cuts of tokens into cuts of the tokens that share characters with them.
func alignedCuts(list []Cut, spans []tokenizer.Span) []Cut {
	if spans == nil {
		return list
	}
	of := func(token int) tokenizer.Span {
		switch {
		case token == 0: // a head has no tokens, and a word no row
			return tokenizer.Span{First: -1, Last: 0}
		case token > len(spans):
			return tokenizer.Span{}
		}
		return spans[token-1]
	}
	var all []Cut
	for _, c := range list {
		for row := of(c.Row).First; row < of(c.Row).Last; row++ {
			for col := of(c.Col).First; col < of(c.Col).Last; col++ {
				all = append(all, Cut{Kind: c.Kind, Layer: c.Layer, Head: c.Head, Row: row + 1, Col: col + 1})
			}
		}
	}
	return all
}

// surgeon turns the cuts of a request into those of one model's layers.
type surgeon struct {
	entry         *attention.Entry
	name          messages.Message
	layers, heads int
	tokens        int
}

// refuse returns an error if the model does not define a list of cuts.
func (s surgeon) refuse(list []Cut) error {
	words := 0
	for _, c := range list {
		if err := s.refuseOne(c); err != nil {
			return err
		}
		if c.Kind == CutWord {
			words++
		}
	}
	if words > 0 && words == s.tokens {
		return fault.Errorf(fault.Unsupported, "error.cut.all-words")
	}
	return nil
}

func (s surgeon) refuseOne(c Cut) error {
	missing := func(what string, number, has int) error {
		return fault.Errorf(fault.NotFound, "error.cut.no-"+what, "cut", c.String(), "number", number, "name", s.name, "has",
			messages.New("count."+what, "count", has))
	}
	undefined := func(why messages.Message) error {
		return fault.Errorf(fault.Unsupported, "error.cut."+c.Kind.String(), "name", s.name, "why", why)
	}
	switch e := s.entry; {
	case c.Kind == CutWord && !e.Masks.NoPadding.IsZero():
		return undefined(e.Masks.NoPadding)
	case c.Kind == CutHead && !e.NoHeads.IsZero():
		return undefined(e.NoHeads)
	case c.Kind == CutCell && !e.Masks.NoPairs.IsZero():
		return undefined(e.Masks.NoPairs)
	case !c.Within(s.tokens):
		return missing("token", max(c.Row, c.Col), s.tokens)
	case c.Layer > s.layers:
		return missing("layer", c.Layer, s.layers)
	case c.Head > s.heads:
		return missing("head", c.Head, s.heads)
	}
	return nil
}

// cutter returns the cuts by layer from 1, and for 0 the cut outside of the layers; nil: nothing is cut.
func (s surgeon) cutter(list []Cut) func(layer int) *nn.Cut {
	if len(list) == 0 {
		return nil
	}
	of := make([]*nn.Cut, s.layers+1)
	for layer := range of {
		cut := &nn.Cut{}
		for _, c := range list {
			s.add(cut, c, layer)
		}
		of[layer] = cut
	}
	return func(layer int) *nn.Cut { return of[min(layer, s.layers)] }
}

// add adds c to the cut of a layer if it concerns that layer.
func (s surgeon) add(to *nn.Cut, c Cut, layer int) {
	switch {
	case c.Kind == CutWord:
		to.Words = append(to.Words, c.Col-1)
	case layer == 0 || c.Layer > 0 && c.Layer != layer:
	case c.Kind == CutCell:
		to.Cells = append(to.Cells, nn.CutCell{Head: c.Head - 1, Query: c.Row - 1, Key: c.Col - 1})
	default:
		if to.Heads == nil {
			to.Heads = make([]bool, s.heads)
		}
		to.Heads[c.Head-1] = true
	}
}

// cutOf returns the cuts of a request by layer of a model, and lists them in the result.
func cutOf(m *model, text *Report, r Request, res *Result) (func(layer int) *nn.Cut, error) {
	list := r.Cuts.Of(res.ID)
	if len(list) == 0 {
		return nil, nil
	}
	c := m.config()
	s := surgeon{entry: res.Entry, name: res.Entry.Name, layers: c.Layers, heads: c.Heads, tokens: len(text.Tokens)}
	if m.seq2seq == nil { // an encoder–decoder: the layers of the encoder, which reads the text
		stack, _ := encoder.FindStack(c.Stack) // the model was built from it
		s.layers = stack.Describe(c).Runs
	}
	if err := s.refuse(list); err != nil {
		return nil, err
	}
	res.Cut = list
	return s.cutter(list), nil
}

// begin sets the mask and the cuts of a pass.
func begin(p *nn.Pass, mask nn.MaskKind, cuts func(layer int) *nn.Cut) {
	p.Mask, p.Cuts = nn.Mask{Kind: mask}, cuts
	if cuts != nil {
		p.Mask.Cut = cuts(0)
	}
}

// markCut records in the layers which of their heads are ablated.
func (res *Result) markCut(cuts func(layer int) *nn.Cut) {
	for i := range res.Layers {
		if cuts != nil {
			res.Layers[i].CutHeads = cuts(i + 1).Heads
		}
	}
}

// cutsWork estimates the operations that cuts add to a pass.
func cutsWork(info *ModelInfo, n, cuts int) float64 {
	return float64(info.Layers) * float64(info.Heads) * float64(n) * float64(n) * float64(cuts)
}

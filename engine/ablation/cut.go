// Package ablation names the parts of a model’s pass that a request leaves out, and turns them into cuts of layers.
package ablation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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

// AlignCuts turns cuts of tokens into cuts of the tokens that share characters with them.
func AlignCuts(list []Cut, spans []tokenizer.Span) []Cut {
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

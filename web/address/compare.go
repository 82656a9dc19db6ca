package address

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/tokenizer"
)

// Keys of the two maps of a comparison. Each value is MECHANISM, MECHANISM:LAYER or
// MECHANISM:LAYER:HEAD, such as dense:2:3. A form can send layer and head separately, as a.layer=2
// and a.head=3.
const (
	SideA = "a"
	SideB = "b"
)

// LayerOf returns the key with which a form sends the layer of a side.
func LayerOf(side string) string { return side + "." + Layer }

// HeadOf returns the key with which a form sends the head of a side.
func HeadOf(side string) string { return side + "." + Head }

// Side is one of two maps: the main map of a mechanism's layer and head.
type Side struct {
	ID    string
	Layer int // from 1; 0: the first
	Head  int // as in State
}

// String returns the value of a side in URLs.
func (s Side) String() string {
	name := s.ID
	if s.Layer > 0 || s.Head != Default().Head {
		name += ":" + strconv.Itoa(max(s.Layer, 1))
	}
	if s.Head != Default().Head {
		name += ":" + exhibit.HeadName(s.Head)
	}
	return name
}

// Comparison is the state of two maps. Both belong to the state's text. If there is a second text,
// map B belongs to it.
type Comparison struct {
	State
	A, B Side
	// Chosen reports that a layer or a head comes from a form, which can have been filled in for
	// another mechanism.
	Chosen bool
}

// DefaultNorm is the normalisation of a comparison: one scale for both maps.
const DefaultNorm = figure.Shared

// Of returns the state of one side, with its own text.
func (c Comparison) Of(side string) State {
	st, one := c.State, c.A
	if side == SideB {
		one = c.B
		if st.Other != "" {
			st = st.Second()
		}
	}
	st.Other, st.Mechanisms, st.Layer, st.Head, st.Heads = "", []string{one.ID}, one.Layer, one.Head, nil
	return st
}

// Swapped returns the comparison with its sides exchanged.
func (c Comparison) Swapped() Comparison {
	c.A, c.B, c.Pin, c.Was = c.B, c.A, Pin{}, nil
	if c.Other != "" {
		c.Text, c.Other = c.Other, c.Text
	}
	return c
}

// or returns the side. If it is not named, it is the first mechanism of the state, or of the
// defaults, that is not the other side.
func (s Side) or(st State, other string) Side {
	if s.ID != "" {
		return s
	}
	for _, id := range slices.Concat(st.Mechanisms, Default().Mechanisms) {
		if id != other {
			return Side{ID: id, Layer: st.Layer, Head: st.HeadFor(id)}
		}
	}
	return s
}

// sides are the parameters of a comparison that its state does not have. The parameters of forms
// are read with the sides.
var sides = ParamTable[Comparison]{
	Custom(SideA, func(d *Decoder, c *Comparison) { c.A = d.side(SideA) },
		func(c Comparison) string { return c.A.String() }),
	Custom(SideB, func(d *Decoder, c *Comparison) { c.B = d.side(SideB) },
		func(c Comparison) string { return c.B.String() }),
}

// comparisonKeys are the keys of a comparison that its state does not have.
var comparisonKeys = append(sides.keys(), LayerOf(SideA), HeadOf(SideA), LayerOf(SideB), HeadOf(SideB))

// ComparisonTable is the table of a comparison's parameters, including those of its form.
var ComparisonTable PageParams = comparing{sides}

// comparing is the table of sides, with the keys of forms.
type comparing struct{ ParamTable[Comparison] }

func (comparing) has(key string) bool { return slices.Contains(comparisonKeys, key) }

func (comparing) keys() []string { return comparisonKeys }

// DecodeComparison reads the two maps to compare.
func DecodeComparison(v url.Values, vocab *tokenizer.Vocabulary) (Comparison, []ParamError) {
	st, bad := Decode(v, vocab, "")
	return ComparisonOf(v, st), append(bad, sides.check(v)...)
}

// ComparisonOf returns a comparison in a state. If a map is not named, it is one of the first that
// the main view shows at the same URL.
func ComparisonOf(v url.Values, st State) Comparison {
	if !v.Has(Norm) {
		st.Norm = DefaultNorm
	}
	st.Order = exhibit.TextOrder // so that both maps have the same rows
	c, _ := sides.Decode(v)
	c.State = st
	c.A, c.B = c.A.or(st, c.B.ID), c.B.or(st, c.A.ID)
	if c.A.ID == c.B.ID && !v.Has(SideA) && !v.Has(SideB) {
		c.B = Side{Head: st.Head}.or(st, c.A.ID)
	}
	for _, side := range []string{SideA, SideB} {
		c.Chosen = c.Chosen || v.Has(LayerOf(side)) || v.Has(HeadOf(side))
	}
	c.Mechanisms = []string{c.A.ID, c.B.ID}
	return c
}

// UnknownOfComparison reports unknown parameters of a comparison.
func UnknownOfComparison(v url.Values, others ...string) []ParamError {
	return Unknown(v, append(others, comparisonKeys...)...)
}

// side reads the name of a map, and the parameters of a form for it.
func (d *Decoder) side(key string) Side {
	value, _ := d.Get(key)
	s := Side{ID: value, Head: Default().Head}
	if id, rest, parted := strings.Cut(value, ":"); parted {
		layer, head, named := strings.Cut(rest, ":")
		n, ok := WholeNumber(layer)
		s.ID, s.Layer = id, n
		if named {
			one := Decoder{values: url.Values{key: {head}}}
			s.Head = one.head(key)
			ok = ok && one.bad == nil
		}
		if !ok || id == "" {
			d.Fail(key, "param.side", "value", quote(value))
			return Side{ID: id, Head: Default().Head}
		}
	}
	if d.values.Has(LayerOf(key)) {
		s.Layer = d.number(LayerOf(key))
	}
	if d.values.Has(HeadOf(key)) {
		s.Head = d.head(HeadOf(key))
	}
	return s
}

// Compare returns the URL of a comparison.
func Compare(c Comparison) string { return At("/compare", encodeComparison(c)) }

func encodeComparison(c Comparison) url.Values {
	c.Heads = nil
	v := Encode(c.State)
	for _, key := range []string{Mechanisms, Layer, Head, Norm} {
		v.Del(key)
	}
	if c.Norm != DefaultNorm {
		v.Set(Norm, c.Norm.String())
	}
	v.Set(SideA, c.A.String())
	v.Set(SideB, c.B.String())
	return v
}

// withText returns the query of a comparison with its text, without parameters that concern only
// the page.
func withText(c Comparison) url.Values {
	c.State = c.Plain()
	c.Pin, c.Was, c.Step = Pin{}, nil, 0
	v := encodeComparison(c)
	v.Set(Text, c.Text)
	return v
}

// CompareData returns the URL of the numbers of a comparison. It does not contain colours.
func CompareData(c Comparison) string { return At("/api/v1/compare", plain(c)) }

// CompareDrawing returns the URL of the cells of a comparison, as the scripts draw them. It does
// not contain colours.
func CompareDrawing(c Comparison) string { return At("/api/v1/compare-drawing", plain(c)) }

// CompareDrawingOf returns the URL of the cells of one side.
func CompareDrawingOf(c Comparison, side string) string {
	v := plain(c)
	v.Set(Of, side)
	return At("/api/v1/compare-drawing", v)
}

func plain(c Comparison) url.Values {
	usual := Default()
	c.Cmap, c.Theme = usual.Cmap, usual.Theme
	return withText(c)
}

// CompareFigure returns the URL of a figure of a comparison: its three maps in a row, unless extra
// selects another figure.
func CompareFigure(c Comparison, extension string, extra url.Values) string {
	v := withText(c)
	for key, values := range extra {
		v[key] = values
	}
	return At("/export/"+CompareFile+"."+extension, v)
}

// CompareFile is the base name of the figures of a comparison.
const CompareFile = "compare"

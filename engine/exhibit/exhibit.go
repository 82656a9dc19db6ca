package exhibit

import (
	"cmp"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Exhibit is a map of one head and one plane as it is shown.
type Exhibit struct {
	Result *engine.Result
	Name   string         // of the map in addresses
	View   attention.View // its symbol; the zero View if it has none
	Layer  engine.Layer   // the zero Layer for a map of the whole model
	Whole  bool           // the map belongs to the architecture around the layers
	Part   string         // of an encoder–decoder; empty for the layers of other models
	Head   messages.Message
	Number int       // of the head, from 1, or Mean
	Map    trace.Map // of one or two axes
	Layout figure.Layout
	Plane  int                // from 1, if the map is one of several planes; else 0
	Planes []messages.Message // labels of all planes
	Figure *figure.Figure     // cells, scale and legend; options of the drawing alone are not set
	chosen figure.Norm        // the normalisation that the Choice names
	text   *engine.Report
	aside  *filteredCells // the cells that the filter excludes; nil: none
	// rearranged reports whether Map has only some of the tokens, or has them in another order than the text.
	rearranged bool
	positions  [][]int // for a rearranged map: for each axis of Map, the positions in the computed map
}

// tokens returns the tokens that the mechanism of the map reads.
func (x *Exhibit) tokens() []tokenizer.Token { return x.text.TokensOf(x.Result) }

// show draws a plane of a map that find returned.
func (s *Selection) show(f *Exhibit, plane int) (*Exhibit, error) {
	one := *f
	x := &one
	if err := x.choosePlane(plane); err != nil {
		return nil, err
	}
	spec := figure.Spec{Noun: nounOf(x.Map)}
	spec.Norm, spec.SharedMax = s.norm(f)
	if x.Layout.Form == figure.Wiring { // the words enter at the first positions
		x.Map.Axes = slices.Clone(x.Map.Axes)
		x.Map.Axes[1].Labels = tokenizer.Labels(s.Report.TokensOf(f.Result))
	}
	spec.Map = x.Map
	if f.View.By != "" {
		by, err := s.find(f.Result.ID, f.View.By)
		if err != nil {
			return nil, err
		}
		spec.By, spec.Words = &by.Map, tokenizer.Labels(s.Report.TokensOf(f.Result))
	}
	if x.aside = s.Choice.Filter.apply(x.Map, s.Report.TokensOf(f.Result)); x.aside != nil {
		cols := x.Map.Value.Dim(-1)
		spec.Aside = func(r, c int) bool { return x.aside.cells[r*cols+c] }
	}
	spec.Cut = x.cutCells()
	spec.Remark = messages.Join("; ", x.far(), s.remark(x, x.aside), x.CutNote())
	if shown := s.Shown(f.Result); shown != nil {
		x.rearrange(&spec, shown)
	}
	var err error
	x.Figure, err = figure.New(spec)
	return x, err
}

// rearrange keeps only the tokens with these indices, in this order. Maps whose values are tokens, such as the
// contents of a bucket, keep all tokens.
func (x *Exhibit) rearrange(spec *figure.Spec, shown []int) {
	if spec.By != nil || x.Layout.Form == figure.Wiring {
		return
	}
	var at [][]int
	spec.Map, at = spec.Map.Only(shown, len(x.tokens()))
	moved := func(is func(row, col int) bool) func(row, col int) bool {
		if is == nil {
			return nil
		}
		return func(row, col int) bool {
			if len(at) == 2 {
				row = at[0][row]
			}
			return is(row, at[len(at)-1][col])
		}
	}
	whole := *x // decides which cells were ablated
	x.Map, x.rearranged = spec.Map, true
	spec.Aside, spec.Cut = moved(spec.Aside), moved(whole.cutCells())
	if x.positions = at; len(shown) < len(x.tokens()) {
		spec.Remark = messages.Join("; ", spec.Remark, messages.New("figure.words-alone"))
	}
	if !slices.IsSorted(shown) {
		spec.Remark = messages.Join("; ", spec.Remark, messages.New("figure.by-similarity"))
	}
}

// Positions returns the indices of the tokens along an axis of a map that is rearranged. It returns nil for other maps,
// and for axes without tokens.
func (x *Exhibit) Positions(axis int) []int {
	if !x.rearranged || !x.Map.Axes[axis].Text {
		return nil
	}
	return x.positions[axis]
}

// choosePlane selects one plane of a stack of planes.
func (x *Exhibit) choosePlane(plane int) error {
	switch n := x.Layout.Planes; {
	case n == 0 && plane > 0:
		return fault.Errorf(fault.NotFound, "error.no-planes", "map", messages.Quote(x.Name))
	case n == 0:
		return nil
	case plane > n:
		return fault.Errorf(fault.NotFound, "error.no-plane", "map", messages.Quote(x.Name),
			"has", messages.New("count.plane", "count", n), "number", plane)
	}
	for i := range x.Layout.Planes {
		x.Planes = append(x.Planes, figure.Label(x.Map.Axes[0], i))
	}
	x.Plane = max(plane, 1)
	x.Map = x.Map.Plane(x.Plane - 1)
	return nil
}

func nounOf(t trace.Map) messages.Message {
	if of := unitOf(t).derived; of != "" {
		return messages.New("noun." + of)
	}
	return messages.Message{}
}

// Grid returns the cells.
func (x *Exhibit) Grid() *figure.Grid { return x.Figure.Grid }

// Norm returns the normalisation of the map.
func (x *Exhibit) Norm() figure.Norm { return x.Figure.Grid.Scale.Norm }

// Legend returns the explanation of the colours. It also says when the chosen normalisation is not defined for the
// map.
func (x *Exhibit) Legend() figure.Legend {
	l := x.Grid().Legend()
	signed := x.Grid().Scale.Signed && (x.chosen == figure.Log || x.chosen == figure.Uniform)
	if x.Map.Kind != trace.Category && (signed || !meaningful(x.chosen, x.Map)) {
		l.Text = messages.New("legend.instead", "legend", l.Text, "norm", messages.New("norm."+x.chosen.String()+".label"),
			"noun", messages.New("noun.plural."+x.unitName()))
	}
	return l
}

// unitName returns the name of the unit of the values.
func (x *Exhibit) unitName() string {
	u := unitOf(x.Map)
	return cmp.Or(u.derived, u.kind.String())
}

// UsualHead reports whether the map shows the head that is chosen for all cards, or has no heads.
func (x *Exhibit) UsualHead() bool {
	switch x.Head.ID {
	case "head.none", "head.mean", "head.number", "head.distinctive":
		return true
	}
	return x.Part != ""
}

// PerHead reports whether heads have maps of their own.
func (x *Exhibit) PerHead() bool {
	switch x.Head.ID {
	case "head.none", "head.same", "head.all":
		return false
	}
	return true
}

// Places returns, for each stage of a wiring, the positions that each position takes its input from.
func (x *Exhibit) Places() [][]int {
	all := make([][]int, x.Map.Value.Dim(0))
	for s := range all {
		for _, from := range x.Map.Value.Sub(s).Data {
			all[s] = append(all[s], int(from))
		}
	}
	return all
}

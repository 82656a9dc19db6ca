package exhibit

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Names of maps that only comparisons have: A − B, and the map of the second text.
const (
	DifferenceMap = "difference"
	SecondMap     = "second"
)

// Comparison compares two maps cell by cell: of two mechanisms, layers or heads, or of one mechanism for two
// texts. A measure that is not defined for the two maps is nil or NaN, and a message says why.
type Comparison struct {
	A, B *Exhibit
	// Difference is A − B. A cell that only one map can reach counts as 0 in the other.
	Difference   *Exhibit
	NoDifference messages.Message
	// Rows are the Jensen–Shannon divergences of the rows in bits. A row that is not a distribution in both maps
	// has NaN.
	Rows   []float64
	NoRows messages.Message
	// Rank is Spearman's correlation of the cells that both maps can reach.
	Rank   float64
	NoRank messages.Message
	// Changed is ‖A−B‖₁/(‖A‖₁+‖B‖₁). Same reports whether the two maps have the same bits.
	Changed float64
	Same    bool
}

// Compare compares two maps.
func Compare(a, b *Exhibit) *Comparison {
	c := &Comparison{A: a, B: b, Rank: math.NaN(), Changed: math.NaN()}
	if why := axesMismatch(a, b); !why.IsZero() {
		c.NoDifference, c.NoRows, c.NoRank = why, why, why
		return c
	}
	c.rank()
	if unitOf(a.Map) != unitOf(b.Map) {
		c.NoDifference = messages.New("compare.why.units", "a", unitNoun(a), "b", unitNoun(b))
	} else {
		c.subtract()
	}
	if a.Map.Kind != trace.Probability || b.Map.Kind != trace.Probability {
		c.NoRows = messages.New("compare.why.no-shares")
		return c
	}
	c.Rows = make([]float64, a.Grid().Rows)
	for i := range c.Rows {
		c.Rows[i] = metrics.JensenShannon(a.row(i), b.row(i))
	}
	return c
}

// ChangedRows returns for each row how much it changed, as Changed does for the whole map. It returns nil if the
// maps cannot be subtracted.
func (c *Comparison) ChangedRows() []float64 {
	if c.Difference == nil {
		return nil
	}
	rows, n := make([]float64, c.A.Grid().Rows), c.A.Grid().Cols
	for i := range rows {
		a, b := c.A.Map.Value.Data[i*n:][:n], c.B.Map.Value.Data[i*n:][:n]
		rows[i] = metrics.Changed(&tensor.T{Data: a}, &tensor.T{Data: b})
	}
	return rows
}

// Against compares the main map of a mechanism with that of another selection, which shows the same view of
// another text.
func (s *Selection) Against(other *Selection, id string) (*Comparison, error) {
	a, err := s.Exhibit(id, "", 0)
	if err != nil {
		return nil, err
	}
	b, err := other.Exhibit(id, "", 0)
	if err != nil {
		return nil, err
	}
	return Compare(a, b), nil
}

// SameHeads chooses for every card the head that another selection shows. It must be called before the first map
// is selected.
func (s *Selection) SameHeads(as *Selection) {
	heads := map[string]int{}
	for i := range as.Report.Mechanisms {
		res := &as.Report.Mechanisms[i]
		if layer, err := engine.LayerOf(res, res.Layers, as.Choice.Layer); err == nil {
			heads[res.ID] = as.HeadIn(res, layer)
		}
	}
	s.Choice.Heads = heads
}

// axesMismatch returns why the cells of two maps do not correspond. It is zero if both maps have the same axes.
func axesMismatch(a, b *Exhibit) messages.Message {
	ga, gb := a.Grid(), b.Grid()
	switch {
	case a.Map.Kind == trace.Category || b.Map.Kind == trace.Category:
		return messages.New("compare.why.classes")
	case !slices.Equal(a.Map.Roles(), b.Map.Roles()):
		return messages.New("compare.why.axes", "a", a.Result.Name(), "axesA", axesOf(a), "b", b.Result.Name(),
			"axesB", axesOf(b))
	case len(a.tokens()) != len(b.tokens()):
		return messages.New("compare.why.lengths", "a", messages.New("count.token", "count", len(a.tokens())), "b",
			messages.New("count.token", "count", len(b.tokens())))
	case ga.Rows != gb.Rows || ga.Cols != gb.Cols || !ofWords(a.Map) && !sameHead(a, b):
		return messages.New("compare.why.places", "axis", figure.Title(a.Map.Axes[len(a.Map.Axes)-1]))
	}
	return messages.Message{}
}

// sameHead reports whether two maps belong to the same head of one model.
func sameHead(a, b *Exhibit) bool {
	return a.Result.ID == b.Result.ID && a.Layer.Number == b.Layer.Number && a.Number == b.Number
}

// axesOf returns the names of the axes of a map.
func axesOf(x *Exhibit) messages.Message {
	var all []messages.Message
	for _, axis := range x.Map.Axes {
		all = append(all, messages.New("compare.axis."+axis.Role.String()))
	}
	return messages.Join(" × ", all...)
}

// unitNoun returns the noun for the values of a map.
func unitNoun(x *Exhibit) messages.Message { return messages.New("noun.plural." + x.unitName()) }

// row returns the values of a row as float64.
func (x *Exhibit) row(i int) []float64 {
	n := x.Grid().Cols
	row := make([]float64, n)
	for j, v := range x.Map.Value.Data[i*n:][:n] {
		row[j] = float64(v)
	}
	return row
}

// reaches reports whether a cell of a map is not forbidden.
func (x *Exhibit) reaches(i int) bool { return x.Grid().Class[i] != figure.Forbidden }

// rank computes the rank correlation of the cells that both maps can reach.
func (c *Comparison) rank() {
	var a, b []float64
	for i := range c.A.Grid().Class {
		if c.A.reaches(i) && c.B.reaches(i) {
			a, b = append(a, float64(c.A.Map.Value.Data[i])), append(b, float64(c.B.Map.Value.Data[i]))
		}
	}
	if c.Rank = metrics.Spearman(a, b); math.IsNaN(c.Rank) {
		c.NoRank = messages.New("compare.why.no-order")
	}
}

// subtract computes the difference.
func (c *Comparison) subtract() {
	a, b := c.A, c.B
	c.Changed, c.Same = metrics.Changed(a.Map.Value, b.Map.Value), metrics.SameBits(a.Map.Value, b.Map.Value)
	d := tensor.New(a.Map.Value.Shape...)
	for i := range d.Data {
		d.Data[i] = a.Map.Value.Data[i] - b.Map.Value.Data[i]
	}
	cols := a.Grid().Cols
	m := trace.Map{
		Name: DifferenceMap, Kind: trace.Activation, Axes: a.Map.Axes, Value: d,
		Reach: func(row, col int) bool { return a.reaches(row*cols+col) || b.reaches(row*cols+col) },
	}
	x := *a
	x.Name, x.Map, x.chosen, x.Plane, x.Planes, x.aside = DifferenceMap, m, figure.PerMap, 0, nil,
		nil // filters do not apply to differences
	x.View = attention.View{Map: DifferenceMap, Symbol: "A − B", Caption: messages.New("compare.caption")}
	f, err := figure.New(figure.Spec{Map: m, Norm: figure.PerMap, Noun: messages.New("noun.difference")})
	if err != nil {
		c.NoDifference = messages.Of(err)
		return
	}
	x.Figure, x.Layout = f, figure.Layout{Form: f.Grid.Form()}
	c.Difference = &x
}

// Divergence returns the mean divergence, in bits, of the rows that have one. It returns NaN if no row has one.
func (c *Comparison) Divergence() float64 {
	sum, n := 0.0, 0
	for _, d := range c.Rows {
		if !math.IsNaN(d) {
			sum, n = sum+d, n+1
		}
	}
	return sum / float64(n)
}

// Contrast is a cell in which two maps differ.
type Contrast struct {
	Row, Col int // from 0
	A, B     float64
	Text     messages.Message // the sentence about the cell
}

// mostContrasts is the number of the largest differences that are described in words.
const mostContrasts = 5

// Contrasts returns the cells that differ most, the largest difference first. There are at most mostContrasts, and
// fewer if fewer cells differ.
func (c *Comparison) Contrasts(s Show) []Contrast {
	if c.Difference == nil || c.Same {
		return nil
	}
	values := c.Difference.Map.Value.Data
	size := func(i int) float64 { return math.Abs(float64(values[i])) }
	var order []int
	for i, class := range c.Difference.Grid().Class {
		if class != figure.Forbidden && size(i) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(size(j), size(i)) })
	var list []Contrast
	for _, i := range order[:min(mostContrasts, len(order))] {
		list = append(list, c.contrast(i, s))
	}
	return list
}

// contrast describes a cell.
func (c *Comparison) contrast(i int, s Show) Contrast {
	cols := c.A.Grid().Cols
	k := Contrast{Row: i / cols, Col: i % cols, A: float64(c.A.Map.Value.Data[i]), B: float64(c.B.Map.Value.Data[i])}
	nameA, nameB := c.Names()
	said := func(x *Exhibit) messages.Message { return x.Reading(k.Row, k.Col).Text }
	row, column, otherRow, otherColumn := c.A.rowLabel(k.Row), c.A.columnLabel(k.Col), c.B.rowLabel(k.Row),
		c.B.columnLabel(k.Col)
	args := []any{
		"row", row, "column", column, "verb", s.Verb(),
		"a", said(c.A), "nameA", nameA, "b", said(c.B), "nameB", nameB,
	}
	id := "compare.cell"
	if row.String() != otherRow.String() || column.String() != otherColumn.String() {
		id = "compare.cells"
		args = append(args, "otherRow", otherRow, "otherColumn", otherColumn)
	}
	k.Text = messages.New(id, args...)
	return k
}

// Names returns names that distinguish the two maps: their mechanisms, or if these are equal their layers and
// heads, or else their texts.
func (c *Comparison) Names() (a, b messages.Message) {
	a, b = c.A.Result.Name(), c.B.Result.Name()
	if c.A.Result.ID != c.B.Result.ID {
		return a, b
	}
	if !sameHead(c.A, c.B) {
		return c.A.Where(", "), c.B.Where(", ")
	}
	if c.A.text.Text != c.B.text.Text {
		return messages.New("compare.first-text"), messages.New("compare.second-text")
	}
	return messages.New("compare.side-a"), messages.New("compare.side-b")
}

package figure

import (
	"fmt"
	"slices"
	"strconv"

	"attnatlas/engine/trace"
)

// Form is a way of drawing a map of one or two axes.
type Form uint8

// The forms.
const (
	Heatmap   Form = iota // rows of words read columns of words: square
	Rectangle             // any two other axes
	Strip                 // one row of cells
	Strips                // rows of cells over the same positions, whose rows are no positions
	Pattern               // classes of pairs of words: why one may read the other
	Buckets               // classes of words, a row for each round of hashing
	Order                 // words in another order, a row for each round
	Wiring                // the place that each place takes from, stage by stage
)

var formNames = []string{"heatmap", "rectangle", "strip", "strips", "pattern", "buckets", "order", "wiring"}

func (f Form) String() string { return formNames[f] }

// MarshalText gives the form's name.
func (f Form) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Layout says how a map is drawn. Pages and figures ask LayoutOf and nothing else:
// axes and kind decide, never the array's shape.
type Layout struct {
	Form  Form
	Stack trace.Role // the leading axis of a map of three, of which one plane is drawn at a time
	// Planes is how many planes there are; 0: the map has one or two axes.
	Planes int
}

// categories are the forms of classes, which their two axes decide.
var categories = map[[2]trace.Role]Form{
	{trace.Query, trace.Key}:   Pattern,
	{trace.Round, trace.Token}: Buckets,
	{trace.Round, trace.Slot}:  Order,
	{trace.Stage, trace.Slot}:  Wiring,
}

// repeated are the roles of an axis along which something happens again, not of positions.
var repeated = []trace.Role{trace.Batch, trace.Layer, trace.Head, trace.Round, trace.Stage, trace.Ponder}

// LayoutOf decides how a map is drawn. A head axis in front of two others has to be
// taken away before. The error says which axes have no drawing.
func LayoutOf(m trace.Map) (Layout, error) {
	roles := m.Roles()
	none := fmt.Errorf("%w: the map %s has axes %v; a figure shows one head or the mean of the heads, which has one or two axes, or three if the first counts rounds or stages",
		ErrInvalid, m.Name, roles)
	if m.Value == nil || m.Value.Rank() != len(roles) {
		return Layout{}, fmt.Errorf("%w: the map %s names %d axes for an array of another number", ErrInvalid, m.Name, len(roles))
	}
	switch len(roles) {
	case 1:
		return Layout{Form: Strip}, nil
	case 2:
		return Layout{Form: pairForm(m.Kind, roles[0], roles[1])}, nil
	case 3:
		if roles[0] == trace.Head || !slices.Contains(repeated, roles[0]) {
			return Layout{}, none
		}
		return Layout{Form: pairForm(m.Kind, roles[1], roles[2]), Stack: roles[0], Planes: m.Value.Dim(0)}, nil
	}
	return Layout{}, none
}

// pairForm decides for two axes.
func pairForm(k trace.Kind, rows, cols trace.Role) Form {
	if form, ok := categories[[2]trace.Role{rows, cols}]; ok && k == trace.Category {
		return form
	}
	switch {
	case rows == trace.Query && cols == trace.Key:
		return Heatmap
	case slices.Contains(repeated, rows):
		return Strips
	}
	return Rectangle
}

// formOf is the form of a map that has been found to have one.
func formOf(m trace.Map) Form {
	l, err := LayoutOf(m)
	if err != nil {
		panic(err)
	}
	return l.Form
}

// stripped says whether the rows of a form are cells over the same positions, and no
// positions themselves.
func (f Form) stripped() bool {
	switch f {
	case Strip, Strips, Buckets, Order, Wiring:
		return true
	}
	return false
}

// strips says so of a map.
func strips(m trace.Map) bool { return formOf(m).stripped() }

// AxisTitles are what stands at the rows and under the columns of a map of one or two
// axes: who reads and who is read, or the name of the axis. Empty: each row says what it is.
func AxisTitles(m trace.Map) (rows, cols string) {
	cols = Title(m.Axes[len(m.Axes)-1]) + " →"
	if strips(m) {
		return "", cols
	}
	return Title(m.Axes[0]) + " ↓", cols
}

// Title is what a figure calls an axis: for pairs of words, what the row or column does.
func Title(a trace.Axis) string {
	switch {
	case a.Name != "":
		return a.Name
	case a.Role == trace.Query:
		return "reads"
	case a.Role == trace.Key:
		return "is read"
	}
	return a.Role.String()
}

// Label names position i of an axis: by its labels, by its role where the role says what
// is repeated ("round 2"), or by a number from 0.
func Label(a trace.Axis, i int) string {
	switch {
	case i < len(a.Labels):
		return a.Labels[i]
	case slices.Contains(repeated, a.Role):
		return a.Role.String() + " " + strconv.Itoa(i+1)
	}
	return strconv.Itoa(i)
}

// labelsOf are the labels of an axis, cleaned and cut: the caller's, the map's,
// or numbers; nil when there is nothing to say (the one row of a strip).
func labelsOf(m trace.Map, given []string, rows bool, n int) []string {
	if given == nil && rows && len(m.Axes) == 1 {
		return nil
	}
	a := axisOf(m, rows)
	out := make([]string, n)
	for i := range out {
		switch {
		case i < len(given):
			out[i] = shorten(visible(given[i]))
		case given == nil && (a.Labels == nil || i < len(a.Labels)):
			out[i] = shorten(visible(Label(a, i)))
		}
	}
	return out
}

// axisOf is the axis of the rows or that of the columns.
func axisOf(m trace.Map, rows bool) trace.Axis {
	if rows {
		return m.Axes[0]
	}
	return m.Axes[len(m.Axes)-1]
}

// numbered says whether an axis has only numbers, which a ruler shows better.
func numbered(m trace.Map, given []string, rows bool) bool {
	a := axisOf(m, rows)
	return given == nil && a.Labels == nil && !slices.Contains(repeated, a.Role)
}

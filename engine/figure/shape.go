package figure

import (
	"fmt"

	"attnatlas/engine/axes"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// Form is a way to draw a map of one or two axes.
type Form uint8

// The forms.
const (
	Heatmap   Form = iota // query rows over key columns: square
	Rectangle             // any two other axes
	Strip                 // one row of cells
	Strips                // rows of cells over the same positions; rows are not positions
	Pattern               // classes of pairs of tokens: why one can attend to the other
	Buckets               // classes of tokens, one row per hashing round
	Order                 // tokens in another order, one row per round
	Wiring                // the slot from which each slot takes its value, stage by stage
)

var formNames = []string{"heatmap", "rectangle", "strip", "strips", "pattern", "buckets", "order", "wiring"}

// String returns the name of the form.
func (f Form) String() string { return formNames[f] }

// MarshalText returns the name of the form.
func (f Form) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Layout states how a map is drawn. Pages and figures use only LayoutOf to decide. Axes and kind
// determine the result, never the array's shape.
type Layout struct {
	Form  Form
	Stack trace.Role // leading axis of a map of three axes, of which one plane is drawn at a time
	// Planes is the number of planes; 0: the map has one or two axes.
	Planes int
}

// categories maps the two axes of a map of classes to its form.
var categories = map[[2]trace.Role]Form{
	{trace.Query, trace.Key}:   Pattern,
	{trace.Round, trace.Token}: Buckets,
	{trace.Round, trace.Slot}:  Order,
	{trace.Stage, trace.Slot}:  Wiring,
}

// LayoutOf decides how a map is drawn. A head axis in front of two others must be removed before.
// The error names the axes that cannot be drawn.
func LayoutOf(m trace.Map) (Layout, error) {
	roles := m.Roles()
	none := func() error { return invalid("figure.error.axes", "map", m.Name, "axes", fmt.Sprintf("%v", roles)) }
	if m.Value == nil || m.Value.Rank() != len(roles) {
		return Layout{}, invalid("figure.error.rank", "map", m.Name, "axes", len(roles))
	}
	switch len(roles) {
	case 1:
		return Layout{Form: Strip}, nil
	case 2:
		return Layout{Form: pairForm(m.Kind, roles[0], roles[1])}, nil
	case 3:
		if roles[0] == trace.Head || !axes.Repeats(roles[0]) {
			return Layout{}, none()
		}
		return Layout{Form: pairForm(m.Kind, roles[1], roles[2]), Stack: roles[0], Planes: m.Value.Dim(0)}, nil
	}
	return Layout{}, none()
}

// pairForm decides for a map of two axes.
func pairForm(k trace.Kind, rows, cols trace.Role) Form {
	if form, ok := categories[[2]trace.Role{rows, cols}]; ok && k == trace.Category {
		return form
	}
	switch {
	case rows == trace.Query && cols == trace.Key:
		return Heatmap
	case axes.Repeats(rows):
		return Strips
	}
	return Rectangle
}

// stripped reports whether the rows of a form are cells over the same positions, and not positions
// themselves.
func (f Form) stripped() bool {
	switch f {
	case Strip, Strips, Buckets, Order, Wiring:
		return true
	}
	return false
}

// Title returns the title of an axis.
func Title(a trace.Axis) messages.Message { return axes.Title(a) }

// RowTitle returns the title of the rows of a map of one or two axes. It is the zero Message if
// each row has its own label.
func RowTitle(m trace.Map) messages.Message {
	if l, err := LayoutOf(m); err != nil || l.Form.stripped() {
		return messages.Message{}
	}
	return Title(m.Axes[0])
}

// Label returns the name of position i of an axis.
func Label(a trace.Axis, i int) messages.Message { return axes.Label(a, i) }

// Numbered reports whether the positions of an axis have numbers instead of names.
func Numbered(a trace.Axis) bool { return axes.Numbered(a) }

// labelsOf returns the labels of the rows or columns, cleaned and shortened. It is nil for the
// single row of a strip.
func (s *Spec) labelsOf(side side, n int) []string {
	if side == rowSide && len(s.Map.Axes) == 1 {
		return nil
	}
	a := s.axis(side)
	out := make([]string, n)
	for i := range out {
		out[i] = shorten(visible(s.say(Label(a, i))))
	}
	return out
}

// side is a side of a drawing: rows or columns.
type side uint8

const (
	columnSide side = iota
	rowSide
)

// axis returns the axis of the rows or of the columns.
func (s *Spec) axis(side side) trace.Axis {
	if side == rowSide {
		return s.Map.Axes[0]
	}
	return s.Map.Axes[len(s.Map.Axes)-1]
}

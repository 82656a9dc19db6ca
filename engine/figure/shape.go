package figure

import (
	"fmt"

	"attnatlas/engine/axes"
	"attnatlas/engine/messages"
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

// String returns the name of the form.
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

// LayoutOf decides how a map is drawn. A head axis in front of two others has to be
// taken away before. The error says which axes have no drawing.
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

// pairForm decides for two axes.
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

// stripped says whether the rows of a form are cells over the same positions, and no
// positions themselves.
func (f Form) stripped() bool {
	switch f {
	case Strip, Strips, Buckets, Order, Wiring:
		return true
	}
	return false
}

// Title is what an axis is called.
func Title(a trace.Axis) messages.Message { return axes.Title(a) }

// RowTitle is the title of the rows of a map of one or two axes; the zero Message where
// each row says what it is.
func RowTitle(m trace.Map) messages.Message {
	if l, err := LayoutOf(m); err != nil || l.Form.stripped() {
		return messages.Message{}
	}
	return Title(m.Axes[0])
}

// Label names position i of an axis.
func Label(a trace.Axis, i int) messages.Message { return axes.Label(a, i) }

// Numbered says whether the positions of an axis have numbers and no names.
func Numbered(a trace.Axis) bool { return axes.Numbered(a) }

// labelsOf are the labels of the rows or columns, cleaned and cut; nil when there is
// nothing to say (the one row of a strip).
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

// side is a side of a drawing of a map.
type side uint8

const (
	columnSide side = iota
	rowSide
)

// axis is the axis of the rows or that of the columns.
func (s *Spec) axis(side side) trace.Axis {
	if side == rowSide {
		return s.Map.Axes[0]
	}
	return s.Map.Axes[len(s.Map.Axes)-1]
}

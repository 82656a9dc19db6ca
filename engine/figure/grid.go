package figure

import (
	"fmt"
	"math"
	"slices"

	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// Class is the kind of content of a cell. Seven of the eight kinds show no amount, for different
// reasons, and look different.
type Class uint8

// The classes.
const (
	Value     Class = iota // a visible amount
	Forbidden              // masked out, or outside the mechanism's pattern: 45° hatch
	Missing                // not computed: cross hatch
	Zero                   // exactly 0: lowest colour, with a dot where there is room
	Tiny                   // more than 0, but too little for the scale: lowest colour
	Bad                    // NaN or infinite: magenta with a ✕
	Aside                  // an amount that a filter excludes: 45° hatch the other way
	Cut                    // ablated in the forward pass: upright hatch
)

var classNames = []string{"value", "forbidden", "missing", "zero", "tiny", "bad", "aside", "cut"}

// String returns the name of the class.
func (c Class) String() string { return classNames[c] }

// MarshalText returns the name of the class.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Grid is a map ready to be painted. For each cell, row by row, it holds an entry of the colour
// table and a class.
type Grid struct {
	Rows, Cols int
	Index      []uint8
	Class      []Class
	Scale      Scale

	form    Form
	noun    messages.Message // quantity of the values
	remark  messages.Message // follows the legend
	names   []string         // names of the classes of a Category; nil: numbers
	numbers []int            // visible classes that occur, ascending
	also    []Class          // classes of other grids that this legend also explains
}

// Form returns how the grid is drawn.
func (g *Grid) Form() Form { return g.form }

// Has reports whether any cell has the class.
func (g *Grid) Has(c Class) bool {
	for _, x := range g.Class {
		if x == c {
			return true
		}
	}
	return false
}

// Table returns the colour table for the grid: the palette's own, or the diverging or categorical
// table if the data require it.
func (g *Grid) Table(p Palette, t Theme) *Table {
	switch {
	case g.Scale.Category:
		return Categorical()
	case g.Scale.Diverging():
		return Diverging(t)
	}
	return p.Table(t)
}

// Quantise normalises the map of a Spec. It reads only Map, By, Computed, Cut, Aside, Norm,
// SharedMax and Remark. Its errors wrap ErrInvalid.
func Quantise(s Spec) (*Grid, error) {
	form, rows, cols, err := shape(s.Map)
	if err != nil {
		return nil, err
	}
	if s.Norm == Shared && !(s.SharedMax > 0 && s.SharedMax <= math.MaxFloat64) {
		return nil, invalid("figure.error.shared", "max", fmt.Sprint(s.SharedMax))
	}
	if int(s.Norm) >= len(normNames) {
		return nil, invalid("figure.error.norm", "norm", int(s.Norm))
	}
	g := &Grid{Rows: rows, Cols: cols, Index: make([]uint8, rows*cols), Class: make([]Class, rows*cols), form: form,
		noun: nounOf(s), remark: s.Remark, names: s.Map.Classes}
	g.classify(s)
	g.measure(s)
	g.index(s)
	return g, nil
}

// shape returns the form of a map of one or two axes, and its numbers of rows and columns.
func shape(m trace.Map) (form Form, rows, cols int, err error) {
	if m.Value == nil || m.Value.Len() == 0 {
		return 0, 0, 0, invalid("figure.error.empty")
	}
	l, err := LayoutOf(m)
	switch {
	case err != nil:
		return 0, 0, 0, err
	case l.Planes > 0:
		return 0, 0, 0, invalid("figure.error.planes", "map", m.Name, "planes", l.Planes, "axis", l.Stack.String())
	case m.Value.Rank() == 1:
		return l.Form, 1, m.Value.Dim(0), nil
	}
	return l.Form, m.Value.Dim(0), m.Value.Dim(1), nil
}

// classify finds the cells without a value to measure, and the zeros.
func (g *Grid) classify(s Spec) {
	reach := s.Map.Reach
	if g.form.stripped() {
		reach = nil // reach concerns pairs of positions
	}
	for r := range g.Rows {
		for c := range g.Cols {
			i := r*g.Cols + c
			v := float64(s.Map.Value.Data[i])
			switch {
			case s.Cut != nil && s.Cut(r, c):
				g.Class[i] = Cut
			case s.Computed != nil && !s.Computed(r, c):
				g.Class[i] = Missing
			case reach != nil && !reach(r, c):
				g.Class[i] = Forbidden
			case math.IsNaN(v) || math.IsInf(v, 0):
				g.Class[i] = Bad
			case s.Aside != nil && s.Aside(r, c):
				g.Class[i] = Aside
			case s.Map.Kind == trace.Category:
				g.Class[i] = s.category(v)
			case v == 0:
				g.Class[i] = Zero
			}
		}
	}
}

// category returns the class of a cell that holds a class number.
func (s Spec) category(v float64) Class {
	switch {
	case v < 0, s.By != nil && int(v) >= s.By.Value.Dim(-1):
		return Missing
	case int(v) < len(s.Map.Classes) && s.Map.Classes[int(v)] == "":
		return Forbidden
	}
	return Value
}

// hue returns the class number that colours a cell with the given value.
func (s Spec) hue(row int, v float64) float64 {
	if s.By == nil {
		return v
	}
	return float64(s.By.Value.At(row, int(v)))
}

// measure computes the fields of the scale from the map.
func (g *Grid) measure(s Spec) {
	sc := Scale{
		Norm: s.Norm, Category: s.Map.Kind == trace.Category, Signed: s.Map.Kind == trace.Activation,
		RowMax: make([]float64, g.Rows), RowKeys: make([]int, g.Rows), Columns: g.Cols,
	}
	for i, class := range g.Class {
		row := i / g.Cols
		if class == Forbidden || class == Missing || class == Cut {
			continue
		}
		sc.RowKeys[row]++
		if class == Bad || class == Aside {
			continue
		}
		v := float64(s.Map.Value.Data[i])
		sc.RowMax[row] = max(sc.RowMax[row], math.Abs(v))
		sc.Signed = sc.Signed || v < 0
	}
	for _, m := range sc.RowMax {
		sc.Max = max(sc.Max, m)
	}
	if s.Norm == Shared {
		sc.Max = s.SharedMax
	}
	if sc.Category {
		sc.Signed = false
	}
	if sc.Category || sc.Signed && (sc.Norm == Log || sc.Norm == Uniform) {
		sc.Norm = PerMap
	}
	g.Scale = sc
}

// index computes the table index of every finite cell, and marks the tiny ones.
func (g *Grid) index(s Spec) {
	for i, class := range g.Class {
		if class != Value && class != Zero {
			continue
		}
		v := float64(s.Map.Value.Data[i])
		if g.Scale.Category {
			v = s.hue(i/g.Cols, v)
			if at, found := slices.BinarySearch(g.numbers, int(v)); !found {
				g.numbers = slices.Insert(g.numbers, at, int(v))
			}
		}
		g.Index[i] = g.Scale.Index(v, i/g.Cols)
		if class == Value && g.Index[i] == 0 && !g.Scale.Signed && !g.Scale.Category {
			g.Class[i] = Tiny
		}
	}
}

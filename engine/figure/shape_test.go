package figure

import (
	"errors"
	"strings"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// of returns a map of zeros with these axes.
func of(k trace.Kind, roles ...trace.Role) trace.Map {
	m := trace.Map{Name: "map", Kind: k}
	var shape []int
	for i, r := range roles {
		m.Axes, shape = append(m.Axes, trace.Axis{Role: r}), append(shape, 2+i)
	}
	m.Value = tensor.New(shape...)
	return m
}

func TestAxesAndKindDecideTheForm(t *testing.T) {
	for _, c := range []struct {
		m      trace.Map
		form   Form
		planes int
	}{
		{of(trace.Probability, trace.Query, trace.Key), Heatmap, 0},
		{of(trace.Category, trace.Query, trace.Key), Pattern, 0},
		{of(trace.Count, trace.Query, trace.Key), Heatmap, 0},
		{of(trace.Probability, trace.Query, trace.Slot), Rectangle, 0},
		{of(trace.Weight, trace.Key, trace.Slot), Rectangle, 0},
		{of(trace.Activation, trace.Channel, trace.Channel), Rectangle, 0},
		{of(trace.Activation, trace.Token, trace.Channel), Rectangle, 0},
		{of(trace.Probability, trace.Token), Strip, 0},
		{of(trace.Probability, trace.Channel), Strip, 0},
		{of(trace.Gate, trace.Round, trace.Token), Strips, 0},
		{of(trace.Count, trace.Ponder, trace.Token), Strips, 0},
		{of(trace.Gate, trace.Stage, trace.Slot), Strips, 0},
		{of(trace.Probability, trace.Head, trace.Token), Strips, 0},
		{of(trace.Category, trace.Round, trace.Token), Buckets, 0},
		{of(trace.Category, trace.Round, trace.Slot), Order, 0},
		{of(trace.Category, trace.Stage, trace.Slot), Wiring, 0},
		{of(trace.Category, trace.Stage, trace.Query, trace.Key), Pattern, 2},
		{of(trace.Probability, trace.Round, trace.Query, trace.Key), Heatmap, 2},
		{of(trace.Probability, trace.Ponder, trace.Query, trace.Slot), Rectangle, 2},
	} {
		l, err := LayoutOf(c.m)
		if err != nil || l.Form != c.form || l.Planes != c.planes {
			t.Errorf("%v %v: %v with %d planes, %v; want %v with %d", c.m.Kind, c.m.Roles(), l.Form, l.Planes, err,
				c.form, c.planes)
		}
	}
	for _, m := range []trace.Map{
		of(trace.Probability, trace.Head, trace.Query, trace.Key),
		of(trace.Activation, trace.Channel, trace.Query, trace.Key),
		of(trace.Probability, trace.Head, trace.Round, trace.Query, trace.Key), {Name: "no axes", Value: tensor.New(2, 2)},
	} {
		if l, err := LayoutOf(m); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v has the form %v: %v", m.Roles(), l.Form, err)
		}
	}
}

func TestLegendNamesTheClasses(t *testing.T) {
	m := square(trace.Category, []float64{0, 1, 2}, []float64{2, 1, 0})
	m.Classes = []string{"", "window", "global block", "random block"}
	g := mustQuantise(t, Spec{Map: m})
	l := g.Legend()
	if len(l.Hues) != 2 || l.Hues[0].Text.String() != "window" || l.Hues[1].Text.String() != "global block" ||
		l.Hues[0].Index != g.Index[1] || l.Ticks != nil {
		t.Errorf("%+v", l)
	}
	if g.Class[0] != Forbidden || g.Class[1] != Value {
		t.Errorf("classes %v: a class without a name is nothing", g.Class)
	}
	buckets := square(trace.Category, []float64{0, 9, 1})
	buckets.Axes = []trace.Axis{{Role: trace.Round}, {Role: trace.Token}}
	if l := mustQuantise(t, Spec{Map: buckets}).Legend(); len(l.Hues) != 2 || l.Hues[1].Text.String() != "1, 9" ||
		l.Text.String() != "bucket" {
		t.Errorf("%+v", l)
	}
}

func TestOrderHasTheColoursOfItsBuckets(t *testing.T) {
	order := square(trace.Category, []float64{2, 0, 1, 3})
	order.Axes = []trace.Axis{{Role: trace.Round}, {Role: trace.Slot}}
	by := square(trace.Category, []float64{4, 6, 4})
	g := mustQuantise(t, Spec{Map: order, By: &by})
	hue := func(bucket int) uint8 { return uint8(32*bucket + 16) }
	if g.Index[0] != hue(4) || g.Index[1] != hue(4) || g.Index[2] != hue(6) || g.Class[3] != Missing {
		t.Errorf("%v %v", g.Index, g.Class)
	}
}

// TestRulerOfAPart: the ruler of a part of a map has the numbers of the whole map. The ruler of a pooled map has round
// numbers at the ends of its cells.
func TestRulerOfAPart(t *testing.T) {
	for want, axis := range map[string]trace.Axis{"1 16 32": {}, "101 116 132": {First: 100}, "1025 1088 1152": {First: 1024,
		Each: 4}} {
		var got []string
		for _, tick := range ruler(axis, 40, 3) {
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%+v: %v, wanted %s", axis, got, want)
		}
	}
}

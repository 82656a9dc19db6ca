package exhibit_test

import (
	"math"
	"testing"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/method"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestHeadSheet: the small maps of the mean and of every head stand side by side. Each row, or each small map, is
// scaled to its largest value. Cells out of reach stay so. In long texts several cells share one, which has the
// largest of their values.
func TestHeadSheet(t *testing.T) {
	m := pairs("weights", trace.Probability, 0.5)
	m.Value.Set(0.25, 0, 2, 1)
	m.Reach = func(q, k int) bool { return k <= q+2 }
	r := report(result("dense", []trace.Map{m}), result("shuffle-exchange",
		[]trace.Map{over("meeting", trace.Count, 4, trace.Query, trace.Key)}))
	for norm, second := range map[figure.Norm]tensor.Elem{figure.PerRow: 1, figure.PerMap: 0.5, figure.Log: 0.5} {
		s := exhibit.Select(r, exhibit.Choice{Norm: norm})
		x := show(t, s, "dense", exhibit.HeadSheet)
		if s.Tiles(&r.Mechanisms[0]) != 1+heads || x.Grid().Rows != n || x.Grid().Cols != (1+heads)*n ||
			x.Norm() != figure.PerMap {
			t.Fatalf("%d×%d, %s", x.Grid().Rows, x.Grid().Cols, x.Norm())
		}
		for tile, want := range [][2]tensor.Elem{{1, second}, {1, second},
			{0, 0}} { // the mean has the rows of the first head, halved
			if a, b := x.Map.Value.At(1, tile*n+3), x.Map.Value.At(2, tile*n+1); a != want[0] || b != want[1] {
				t.Errorf("%s, tile %d: %v, %v", norm, tile, a, b)
			}
			if c := x.Grid().Class[tile*n+3]; c != figure.Forbidden {
				t.Errorf("%s, tile %d: %s", norm, tile, c)
			}
		}
	}
	for _, show := range []exhibit.Show{exhibit.Influence, exhibit.Show(method.Rollout)} {
		if s := exhibit.Select(r, exhibit.Choice{Show: show}); s.Tiles(&r.Mechanisms[0]) != 0 {
			t.Errorf("%s has small maps", show)
		}
	}
	s := exhibit.Select(r, exhibit.Choice{})
	if _, err := s.Exhibit("shuffle-exchange", exhibit.HeadSheet, 0); fault.KindOf(err) != fault.NotFound ||
		s.Tiles(&r.Mechanisms[1]) != 0 {
		t.Error(err)
	}
}

func TestHeadSheetOfManyWords(t *testing.T) {
	const long = 60
	m := trace.Map{Name: "weights", Kind: trace.Probability, Value: tensor.New(1, long, long),
		Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Key}}}
	m.Value.Set(0.5, 0, 0, 0)
	m.Value.Set(1, 0, 1, 1) // it shares a cell with the first: 60 words share 24
	m.Value.Set(tensor.Elem(math.NaN()), 0, long-1, long-1)
	x := show(t, exhibit.Select(report(result("dense", []trace.Map{m})), exhibit.Choice{Head: 1, Norm: figure.PerMap}),
		"dense", exhibit.HeadSheet)
	last := x.Grid().Class[len(x.Grid().Class)-1]
	if g := x.Grid(); g.Rows != 24 || g.Cols != 48 || x.Map.Value.At(0, 24) != 1 || last != figure.Bad {
		t.Errorf("%d×%d, %v, %s", g.Rows, g.Cols, x.Map.Value.At(0, 24), last)
	}
}

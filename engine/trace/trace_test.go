package trace_test

import (
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

func heads() trace.Map {
	return trace.Map{
		Name: "weights", Kind: trace.Probability,
		Axes:  []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Key}},
		Value: tensor.From([]tensor.Elem{1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60}, 2, 2, 3),
	}
}

func TestHeadAndMean(t *testing.T) {
	second, err := heads().Head(1)
	if err != nil || second.Value.At(1, 2) != 60 || len(second.Axes) != 2 || second.Axes[0].Role != trace.Query {
		t.Errorf("%+v, %v", second, err)
	}
	mean := heads().HeadMean()
	if mean.Value.At(0, 1) != 11 || len(mean.Axes) != 2 {
		t.Errorf("%+v", mean)
	}
	for _, h := range []int{-1, 2} {
		if _, err := heads().Head(h); err == nil {
			t.Errorf("there is a head %d", h)
		}
	}
	if same, err := second.Head(7); err != nil || same.Value != second.Value || second.HeadMean().Value != second.Value {
		t.Error("a map without heads is not returned as it is")
	}
	if m := heads(); m.Value.Rank() != 3 || m.Value.Data[0] != 1 {
		t.Error("the map itself was changed")
	}
}

// TestBucketsOfTheFirstHeadStandForTheMean: buckets of different heads are
// unrelated. Their largest would be a bucket that no head has.
func TestBucketsOfTheFirstHeadStandForTheMean(t *testing.T) {
	m := heads()
	m.Kind, m.Axes = trace.Category, []trace.Axis{{Role: trace.Head}, {Role: trace.Round}, {Role: trace.Token}}
	if got := m.HeadMean(); got.Value.At(1, 2) != 6 || len(got.Axes) != 2 || got.Axes[0].Role != trace.Round {
		t.Errorf("%+v", got)
	}
}

// TestFeaturesOfTheFirstHeadStandForTheMean: features of different heads are
// unrelated. Their mean would be features that no head has.
func TestFeaturesOfTheFirstHeadStandForTheMean(t *testing.T) {
	for _, c := range []struct {
		rows, cols trace.Role
		want       tensor.Elem
	}{
		{trace.Token, trace.Channel, 6}, {trace.Channel, trace.Channel, 6}, {trace.Query, trace.Channel, 6},
		{trace.Query, trace.Key, 33}, {trace.Round, trace.Token, 33},
	} {
		m := heads()
		m.Axes = []trace.Axis{{Role: trace.Head}, {Role: c.rows}, {Role: c.cols}}
		if got := m.HeadMean(); got.Value.At(1, 2) != c.want || len(got.Axes) != 2 || m.Features() != (c.want == 6) {
			t.Errorf("%s, %s: %v, features %v", c.rows, c.cols, got.Value, m.Features())
		}
	}
}

func TestRun(t *testing.T) {
	var r trace.Run
	r.In("layer 1").Steps = []trace.Map{{Name: "a"}, {Name: "b", Tex: "old"}, {Name: "b", Tex: "new"}}
	if _, ok := r.Find("a"); ok {
		t.Error("a part's map is found in the whole")
	}
	if m, ok := r.Parts[0].Find("b"); !ok || m.Tex != "new" {
		t.Errorf("%+v, %v", m, ok)
	}
}

func TestHeadsWithTheirOwnReach(t *testing.T) {
	m := heads()
	m.Kind = trace.Category
	m.Reach = func(q, k int) bool { return true }
	m.HeadReach = func(h, q, k int) bool { return h == 1 && k == 2 }
	first, _ := m.Head(0)
	second, _ := m.Head(1)
	if first.Reach(0, 2) || !second.Reach(0, 2) || second.Reach(0, 1) {
		t.Error("a head does not have its own reach")
	}
	mean := m.HeadMean()
	if mean.HeadReach != nil || !mean.Reach(0, 0) || mean.Value.At(0, 1) != 20 {
		t.Errorf("of categories, the heads together should have the largest: %+v", mean)
	}
}

// TestWithoutHeads: the remaining heads keep their values and their own reach. Without any head,
// one head of zeros remains.
func TestWithoutHeads(t *testing.T) {
	m := heads()
	m.HeadReach = func(h, _, _ int) bool { return h == 1 }
	left := m.Without([]bool{true, false})
	if mean := left.HeadMean(); mean.Value.At(1, 2) != 60 || left.Value.Dim(0) != 1 {
		t.Errorf("%+v", left)
	}
	if one, _ := left.Head(0); !one.Reach(0, 0) {
		t.Error("a head has another's reach")
	}
	if none := m.Without([]bool{true, true}).HeadMean(); none.Value.At(1, 2) != 0 {
		t.Errorf("%+v", none)
	}
	if same := m.Without([]bool{false, false}); same.Value != m.Value || m.Without(nil).Value != m.Value {
		t.Error("without a cut it is another map")
	}
}

package exhibit_test

import (
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// resting returns a map of two heads. The first attends only to [CLS]. In the second, "two" attends to "three"
// with a share.
func resting(name string, share tensor.Elem) trace.Map {
	m := pairs(name, trace.Probability, 0)
	for i := range n {
		m.Value.Set(1, 0, i, 0)
		m.Value.Set(1, 1, i, 0)
	}
	m.Value.Set(share, 1, 2, 3)
	m.Value.Set(1-share, 1, 2, 0)
	return m
}

// TestDistinctiveHead: a card shows the head that stands out in the layer, with all its maps, unless another head
// is chosen for it or for all cards.
func TestDistinctiveHead(t *testing.T) {
	r := report(
		result("dense", []trace.Map{resting("weights", 0.3), pairs("scores", trace.Activation, 1)},
			[]trace.Map{pairs("weights", trace.Probability, 1)}),
		result("random", []trace.Map{resting("weights", 0.1)}),
		result("bigbird", []trace.Map{resting("weights", 0)}),
		result("shuffle-exchange", []trace.Map{over("meeting", trace.Count, 4, trace.Query, trace.Key)}),
	)
	auto := exhibit.Choice{Head: exhibit.Auto, Heads: map[string]int{"random": 1}}
	deeper, mean := auto, exhibit.Choice{Heads: map[string]int{"dense": exhibit.Auto}}
	deeper.Layer = 2
	for _, c := range []struct {
		id, name string
		choice   exhibit.Choice
		number   int
		head     string
	}{
		{"dense", "", auto, 2, "head 2 of 2, the most distinctive"},
		{"dense", "scores", auto, 2, "head 2 of 2, the most distinctive"},
		{"dense", "", deeper, 1, "head 1 of 2, the most distinctive"},
		{"random", "", auto, 1, "head 1"},
		{"bigbird", "", auto, exhibit.Mean, "mean of 2 heads"}, // all of it goes to [CLS]
		{"shuffle-exchange", "", auto, exhibit.Mean, "without heads"},
		{"dense", "", mean, 2, "head 2 of 2, the most distinctive"},
		{"random", "", mean, exhibit.Mean, "mean of 2 heads"},
	} {
		x := show(t, exhibit.Select(r, c.choice), c.id, c.name)
		if x.Number != c.number || x.Head.String() != c.head {
			t.Errorf("%s %s, %v: %d, %s; want %d, %s", c.id, c.name, c.choice.Heads, x.Number, x.Head, c.number, c.head)
		}
		if all, _ := r.Mechanisms[0].Layers[0].Find("weights"); c.id == "dense" && c.number == 2 && c.name == "" &&
			&x.Map.Value.Data[0] != &all.Value.Data[n*n] {
			t.Error("the map is not that of head 2")
		}
	}
}

// TestDistinctiveHeadOfParts: in a decoder, the tokens that attend are not the tokens that are attended to.
func TestDistinctiveHeadOfParts(t *testing.T) {
	r := report(generation())
	s := exhibit.Select(r, exhibit.Choice{Head: exhibit.Auto})
	for _, part := range []string{engine.CrossPart, engine.DecoderPart} {
		if x := show(t, s, "encoder-decoder", part); x.Number != 1 {
			t.Errorf("%s: head %d", part, x.Number)
		}
	}
}

// TestHeadsOfParts: a decoder with fewer heads than the encoder shows its last one; a head that no encoder has is an error.
func TestHeadsOfParts(t *testing.T) {
	res := generation()
	res.Heads = 4 // but the maps have two
	for head, want := range map[int]int{1: 1, 4: 2} {
		s := exhibit.Select(report(res), exhibit.Choice{Head: head})
		if x := show(t, s, "encoder-decoder", engine.DecoderPart); x.Number != want {
			t.Errorf("head %d is %d, wanted %d", head, x.Number, want)
		}
	}
	_, err := exhibit.Select(report(res), exhibit.Choice{Head: 99}).Exhibit("encoder-decoder", engine.DecoderPart, 0)
	if fault.KindOf(err) != fault.NotFound {
		t.Errorf("head 99: %v", err)
	}
}

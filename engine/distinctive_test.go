package engine

import (
	"context"
	"slices"
	"testing"
)

// TestDistinctiveHeads: for every text, a layer has the head that depends most on the words of the sentences, or else
// the sharpest. It has none if heads have no maps of their own. Parts have their own heads.
func TestDistinctiveHeads(t *testing.T) {
	e := New()
	ids := []string{"dot-product", "random", "dense", "fastformer", "shuffle-exchange", "encoder-decoder", "universal"}
	inspect := func(text string) *Report {
		rep, err := e.Inspect(t.Context(), Request{Text: text, Mechanisms: ids})
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	sharp, depends := map[string][][]float64{}, map[string][][]float64{}
	for _, text := range sentences {
		rep, back := inspect(text), inspect(reversed(text))
		for i := range rep.Mechanisms {
			res := &rep.Mechanisms[i]
			if res.Err != nil {
				t.Fatal(text, res.Err)
			}
			for part, layers := range layersOf(res) {
				name := res.ID + part
				for l, layer := range layers {
					if l == len(sharp[name]) {
						sharp[name], depends[name] = append(sharp[name], nil), append(depends[name], nil)
					}
					sharp[name][l] = sum(sharp[name][l], Sharpness(res.Entry, layer, res.Tokens))
					if other := layersOf(&back.Mechanisms[i])[part]; l < len(other) {
						depends[name][l] = sum(depends[name][l], dependence(res.Entry, layer, other[l]))
					}
				}
			}
		}
	}
	for _, text := range []string{"x", "red blue"} {
		rep := inspect(text)
		for i := range rep.Mechanisms {
			res := &rep.Mechanisms[i]
			for part, layers := range layersOf(res) {
				apart := res.ID != "shuffle-exchange" && part != EncoderRolloutPart
				for l, layer := range layers {
					l = min(l, len(sharp[res.ID+part])-1)
					sharpness, dependence := sharp[res.ID+part][l], depends[res.ID+part][l]
					want, top := 0, 0.0
					for h, d := range dependence {
						if res.ID != "random" && d > top {
							want, top = h+1, d
						}
					}
					if res.ID == "random" {
						want = slices.Index(sharpness, slices.Max(sharpness)) + 1
					}
					if layer.Distinctive != want || (want > 0) != apart || layer.Depends() != (apart && res.ID != "random") ||
						len(layer.Dependence) != len(dependence) || apart && layer.Dependence[want-1] > 1 {
						t.Errorf("%q, %s %s, layer %d: head %d, want %d of %v, sharpness %v", text, res.ID, part, l+1, layer.Distinctive,
							want, layer.Dependence, sharpness)
					}
				}
			}
		}
	}
}

// TestLayerHeads: the mean dependence is over the sentences that reach the layer in both orders.
func TestLayerHeads(t *testing.T) {
	var l layerHeads
	l.add([]float64{0.5, 0}, []float64{1, 2})
	l.add(nil, []float64{1, 2})
	l.add([]float64{0.25, 1}, []float64{1, 2})
	if !slices.Equal(l.dependence, []float64{0.375, 0.5}) || !slices.Equal(l.sharpness, []float64{3, 6}) {
		t.Errorf("%+v", l)
	}
}

// TestPairHeadsStop: a request that has ended compares no more heads.
func TestPairHeadsStop(t *testing.T) {
	rep, err := New().Inspect(t.Context(), Request{Text: "the cat", Mechanisms: []string{"dense"}})
	if err != nil {
		t.Fatal(err)
	}
	heads, err := Profiles(&rep.Mechanisms[0])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if pairs, err := PairHeads(ctx, heads, heads, true); err == nil {
		t.Errorf("%d pairs were compared", len(pairs))
	}
}

// TestReversed: words keep their punctuation marks.
func TestReversed(t *testing.T) {
	if got := reversed("The cat, and the dog\n saw it."); got != "it. saw dog the and cat, The" {
		t.Error(got)
	}
}

package headstats_test

import (
	"context"
	"slices"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/headstats"
)

// layersOf returns the layers of a result and of its parts, by the name of the part.
func layersOf(res *engine.Result) map[string][]engine.Layer {
	all := map[string][]engine.Layer{"": res.Layers}
	for _, part := range res.Parts {
		all[part.Name] = part.Layers
	}
	return all
}

// TestDistinctiveHeads: for every text, a layer has the head that depends most on the words of the sentences, or else
// the sharpest. It has none if heads have no maps of their own. Parts have their own heads.
func TestDistinctiveHeads(t *testing.T) {
	e := engine.New()
	ids := []string{"dot-product", "random", "dense", "fastformer", "shuffle-exchange", "encoder-decoder", "universal"}
	inspect := func(text string) *engine.Report {
		rep, err := e.Inspect(t.Context(), engine.Request{Text: text, Mechanisms: ids})
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	sharp, depends := map[string][][]float64{}, map[string][][]float64{}
	for _, text := range headstats.Sentences {
		rep, back := inspect(text), inspect(headstats.Reversed(text))
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
					sharp[name][l] = headstats.Sum(sharp[name][l], headstats.Sharpness(res.Entry, layer.Maps, res.Tokens))
					if other := layersOf(&back.Mechanisms[i])[part]; l < len(other) {
						depends[name][l] = headstats.Sum(depends[name][l], headstats.Dependence(res.Entry, layer.Maps, other[l].Maps))
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
				apart := res.ID != "shuffle-exchange" && part != engine.EncoderRolloutPart
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

// TestPairHeadsStop: a request that has ended compares no more heads.
func TestPairHeadsStop(t *testing.T) {
	rep, err := engine.New().Inspect(t.Context(), engine.Request{Text: "the cat", Mechanisms: []string{"dense"}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := rep.Mechanisms[0].Profiles()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if pairs, err := headstats.PairHeadsOf(ctx, all); err == nil {
		t.Errorf("%d pairs were compared", len(pairs))
	}
}

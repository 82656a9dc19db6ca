package engine

import (
	"testing"
)

// TestSharpestHeads: whatever the text, a layer has the head that is the sharpest on the
// sentences; where heads have no maps of their own there is none. Parts have theirs.
func TestSharpestHeads(t *testing.T) {
	e := New()
	ids := []string{"dot-product", "fastformer", "shuffle-exchange", "encoder-decoder", "universal"}
	inspect := func(text string) *Report {
		rep, err := e.Inspect(t.Context(), Request{Text: text, Mechanisms: ids})
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	sums := map[string][][]float64{}
	for _, text := range sentences {
		rep := inspect(text)
		for i := range rep.Mechanisms {
			res := &rep.Mechanisms[i]
			if res.Err != nil {
				t.Fatal(text, res.Err)
			}
			for part, layers := range layersOf(res) {
				name := res.ID + part
				for len(sums[name]) < len(layers) {
					sums[name] = append(sums[name], make([]float64, res.Heads))
				}
				for l, layer := range layers {
					for h, s := range Sharpness(res.Entry, layer) {
						sums[name][l][h] += s
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
					if want := Sharpest(sums[res.ID+part][l]); layer.Sharpest != want || (want > 0) != apart {
						t.Errorf("%q, %s %s, layer %d: head %d, want %d of %v", text, res.ID, part, l+1, layer.Sharpest, want,
							sums[res.ID+part][l])
					}
				}
			}
		}
	}
}

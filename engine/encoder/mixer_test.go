package encoder_test

import (
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// spy records the inputs of a mixer.
type spy struct {
	attention.Mixer
	got []tensor.Elem
}

func (s *spy) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	s.got = slices.Clone(x.Value.Data)
	return s.Mixer.Mix(p, x)
}

// TestMixer: Observe returns the mixer of a layer with its inputs when the model runs.
func TestMixer(t *testing.T) {
	for _, norm := range []encoder.Norm{encoder.PreNorm, encoder.PostNorm} {
		var spies []*spy
		m, err := encoder.NewWith(config("dense", norm), 3, func(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
			inner, err := attention.Dense.New(s, c)
			spies = append(spies, &spy{Mixer: inner})
			return spies[len(spies)-1], err
		})
		if err != nil {
			t.Fatal(err)
		}
		ids := []int{1, 5, 7, 3, 8, 5, 8, 2}
		p := nn.NewPass(ad.NewFrozen())
		for i, s := range spies {
			p.Reset()
			at := encoder.Observe(p, i+1)
			m.Encode(p, ids, 1)
			if at.Mixer != s || !slices.Equal(at.X.Data, s.got) {
				t.Errorf("%s norm, layer %d: another mixer or another input than in Encode", norm, i+1)
			}
		}
		p.Reset()
		at := encoder.Observe(p, len(spies)+1)
		if m.Encode(p, ids, 1); at.Mixer != nil {
			t.Error("there is a mixer behind the last")
		}
	}
}

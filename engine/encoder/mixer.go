package encoder

import (
	"fmt"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

// Mixer is the mixer of a layer, counted from 1, and what it mixes for these
// sequences (as for Encode): its input [B,N,d], which in a pre-norm model is
// already normalised.
func (m *Model) Mixer(p *nn.Pass, ids []int, batch, number int) (attention.Mixer, *ad.Var) {
	if number < 1 || number > len(m.layers) {
		panic(fmt.Sprintf("encoder: there is no layer %d of %d", number, len(m.layers)))
	}
	x := m.embed(p, ids, batch) // [N,d]
	for _, l := range m.layers[:number-1] {
		x = l.apply(p, x) // [N,d]
	}
	l := m.layers[number-1]
	if l.position == PreNorm {
		x = l.mixNorm.Apply(p, x)
	}
	return l.mix, x
}

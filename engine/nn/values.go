package nn

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// A mixer says where its values are, and which sums of them it makes: attribution methods need
// nothing else of it.

// WeightedSum is a sum of values in the result of a mixer: at position i
//
//	Share · [Σ_j A_1ij·v_1j … Σ_j A_Hij·v_Hj] · Outᵀ
//
// where the weights A do not depend on the values.
type WeightedSum struct {
	Weights *tensor.T // A [B,H,N,M], or [H,N,M] of all sequences
	Values  *tensor.T // v [B,M,H·w] with its bias, or [B,M,w] where all heads have the same
	Out     *tensor.T // W_O [d,H·w]; nil: the heads are the result, side by side
	Share   float64
}

// summing is what a pass knows of values.
type summing struct {
	// OnValues, unless nil, replaces the values [B,N,·] of every mixer that has some.
	OnValues func(v *ad.Var) *ad.Var
	sums     *[]WeightedSum
	portion  float64 // of the part of a mixture that runs; 0: it is the whole
}

// Values says that v [B,M,·] are values: row j is all that others get of position j.
func (p *Pass) Values(v *ad.Var) *ad.Var {
	if p.OnValues == nil {
		return v
	}
	return p.OnValues(v)
}

// CollectSums is the pass in which the sums of mixers are listed in the result.
func (p *Pass) CollectSums() (*Pass, *[]WeightedSum) {
	other := *p
	other.sums = new([]WeightedSum)
	if other.Run == nil {
		other.Run = &trace.Run{Only: []string{""}} // mixers that are not watched never form all weights
	}
	return &other, other.sums
}

// Sums says whether sums are listed.
func (p *Pass) Sums() bool { return p.sums != nil }

// Sum says that the mixer sums values [B,M,·] with weights [B,H,N,M] or [H,N,M], which are copied.
func (p *Pass) Sum(weights, values *tensor.T) {
	if p.sums == nil {
		return
	}
	share := p.portion
	if share == 0 {
		share = 1
	}
	*p.sums = append(*p.sums, WeightedSum{Weights: weights.Clone(), Values: values, Share: share})
}

// Project is the output projection of a mixer: of the sums that it has made, and of no head that is cut.
func (p *Pass) Project(w Linear, y *ad.Var) *ad.Var {
	if p.sums != nil {
		all := *p.sums
		for i := range all {
			if all[i].Out == nil {
				all[i].Out = p.Mask.KeepColumns(w.W.Value)
			}
		}
	}
	tex := `YW_O^\top + b_O`
	if w.B == nil {
		tex = `YW_O^\top`
	}
	return p.Step("projected", tex, trace.Activation, w.Apply(p, p.KeepHeads(y)), trace.Token, trace.Channel)
}

// Portion is the pass of a part of a mixture whose result is multiplied by a share.
func (p *Pass) Portion(share float64) *Pass {
	other := *p
	other.portion = share
	return &other
}

// AfterMixer is what a layer does with the result y of its mixer.
type AfterMixer struct {
	// Inputs are the streams of the layer [B,N,d]. The first is the one that y is added to.
	Inputs []*tensor.T
	Norm   *LayerNorm // of that sum, where one follows (post-norm); nil: none
	// Rest is the layer from there on: the output [B,N,·] for such streams and for y [B,N,d].
	Rest func(p *Pass, inputs []*ad.Var, y *ad.Var) *ad.Var
}

// Within is the pass of a mixer inside a layer, for OnMix.
func (p *Pass) Within(around func() *AfterMixer) *Pass {
	if p.OnMix == nil {
		return p
	}
	other := *p
	other.Around = around()
	return &other
}

// Mixing is one call of a mixer: its input, its mask, and what the layer around it does.
type Mixing struct {
	Mixer  Mixer     // nil: the layer does not exist, or mixes by something else than the model's mechanism
	X      *tensor.T // its input [B,N,d]; in a pre-norm model already normalised
	Mask   Mask
	Around *AfterMixer // nil: nothing is known of a layer
}

// Note is the call of a mixer that is about to happen, in memory of its own.
func (p *Pass) Note(m Mixer, x *ad.Var) Mixing {
	call := Mixing{Mixer: m, X: x.Value.Clone(), Mask: p.Mask}
	if p.Around != nil {
		around := *p.Around
		around.Inputs = slices.Clone(around.Inputs)
		for i, in := range around.Inputs {
			around.Inputs[i] = in.Clone()
		}
		call.Around = &around
	}
	return call
}

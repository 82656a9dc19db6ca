package nn

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Mixers report where their values are and which weighted sums of values they compute. Attribution
// methods need nothing else from a mixer.

// WeightedSum is a sum of values in the result of a mixer. At position i, it is
//
//	Share · [Σ_j A_1ij·v_1j … Σ_j A_Hij·v_Hj] · Outᵀ
//
// where the weights A do not depend on the values.
type WeightedSum struct {
	Weights *tensor.T // A [B,H,N,M], or [H,N,M] for all sequences
	Values  *tensor.T // v [B,M,H·w] including its bias, or [B,M,w] if all heads share the values
	Out     *tensor.T // W_O [d,H·w]; nil: the result is the concatenated heads
	Share   float64
}

// summing is the part of a pass's state that concerns values.
type summing struct {
	// OnValues, unless nil, replaces the values [B,N,·] of every mixer that has values.
	OnValues func(v *ad.Var) *ad.Var
	sums     *[]WeightedSum
	portion  float64 // mixing weight of the component that runs; 0: the mixer is not a component
}

// Values declares that v [B,M,·] are values: row j is all that other positions receive from
// position j.
func (p *Pass) Values(v *ad.Var) *ad.Var {
	if p.OnValues == nil {
		return v
	}
	return p.OnValues(v)
}

// CollectSums returns a pass that lists the sums of mixers in the second result.
func (p *Pass) CollectSums() (*Pass, *[]WeightedSum) {
	other := *p
	other.sums = new([]WeightedSum)
	if other.Run == nil {
		other.Run = &trace.Run{Only: []string{""}} // unwatched mixers never form all weights
	}
	return &other, other.sums
}

// Sums reports whether sums are listed.
func (p *Pass) Sums() bool { return p.sums != nil }

// Sum declares that the mixer sums values [B,M,·] with weights [B,H,N,M] or [H,N,M]. It copies the
// weights.
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

// Project applies the output projection of a mixer. It completes the listed sums, and leaves out
// heads that are zeroed out.
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

// Portion returns the pass for a component of a mixture whose result is multiplied by share.
func (p *Pass) Portion(share float64) *Pass {
	other := *p
	other.portion = share
	return &other
}

// AfterMixer describes what a layer does with the result y of its mixer.
type AfterMixer struct {
	// Inputs are the streams [B,N,d] of the layer. The result y is added to the first.
	Inputs []*tensor.T
	Norm   *LayerNorm // LayerNorm of that sum, if one follows (post-norm); nil: none
	// Rest is the rest of the layer: it returns the output [B,N,·] for such streams and for y
	// [B,N,d].
	Rest func(p *Pass, inputs []*ad.Var, y *ad.Var) *ad.Var
}

// Within returns the pass for a mixer inside a layer, for OnMix.
func (p *Pass) Within(around func() *AfterMixer) *Pass {
	if p.OnMix == nil {
		return p
	}
	other := *p
	other.Around = around()
	return &other
}

// Mixing is one call of a mixer: its input, its mask, and the rest of the layer around it.
type Mixing struct {
	Mixer  Mixer     // nil: the layer does not exist, or mixes with something other than the model's mechanism
	X      *tensor.T // input [B,N,d]; in a pre-norm model already normalised
	Mask   Mask
	Around *AfterMixer // nil: there is no layer, or it is unknown
}

// Note returns the call of a mixer that is about to happen, with copies of its inputs.
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

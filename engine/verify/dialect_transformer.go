package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

var transformerInputs = []string{"src", "tgt", "src_key_padding_mask", "tgt_key_padding_mask", "memory_key_padding_mask"}

// computeTransformer reads torch.nn.Transformer.
func computeTransformer(c *Case) (computed, error) {
	r := &transformerRun{mixerRun: mixerRun{c: c.unfused(), out: computed{}}}
	if err := r.build(); err != nil {
		return nil, err
	}
	src, err := c.input("src")
	if err != nil {
		return nil, err
	}
	for b := 0; b < src.Dim(0) && err == nil; b++ {
		err = r.sequence(b)
	}
	return rejoined(c, r.out), err
}

// The three projections of an attention are one array in this library.
const fusedPart = "in_proj_"

// unfused is the case with every fused array [3d,…] cut into three, named "q:…", ….
func (c *Case) unfused() *Case {
	cut := func(f *checkpoint.File) *checkpoint.File {
		g := *f
		g.Arrays = map[string]*tensor.T{}
		for name, t := range f.Arrays {
			if !strings.Contains(name, fusedPart) || t.Dim(0)%3 != 0 {
				g.Arrays[name] = t
				continue
			}
			shape, third := slices.Clone(t.Shape), t.Len()/3
			shape[0] /= 3
			for i, part := range "qkv" {
				g.Arrays[fusedName(name, string(part))] = tensor.From(t.Data[i*third:][:third], shape...)
			}
		}
		return &g
	}
	apart := *c
	apart.Weights, apart.IO = cut(c.Weights), cut(c.IO)
	return &apart
}

// fusedName is "grad.a.in_proj_q_weight" of "grad.a.in_proj_weight".
func fusedName(name, part string) string {
	return strings.Replace(name, fusedPart, fusedPart+part+"_", 1)
}

// rejoined puts what was computed of the parts together again.
func rejoined(c *Case, out computed) computed {
	for name, want := range c.IO.Arrays {
		if !strings.Contains(name, fusedPart) {
			continue
		}
		whole := tensor.New(want.Shape...)
		third, all := want.Len()/3, true
		for i, part := range "qkv" {
			t, ok := out[fusedName(name, string(part))]
			if all = all && ok; ok {
				copy(whole.Data[i*third:], t.Data)
			}
		}
		if all {
			out[name] = whole
		}
	}
	return out
}

type transformerRun struct {
	mixerRun
	stacks *encoder.TwoStacks
}

// layersIn counts the layers that the weights of a stack have.
func (r *transformerRun) layersIn(stack string) int {
	l := 0
	for r.c.Weights.Arrays[fmt.Sprintf("%s.layers.%d.linear1.weight", stack, l)] != nil {
		l++
	}
	return l
}

func (r *transformerRun) build() error {
	inner, err := r.c.weight("encoder.layers.0.linear1.weight")
	if err != nil {
		return err
	}
	act, ok := activations[cmp.Or(r.c.Config.Act, "relu")]
	if !ok {
		return fmt.Errorf("verify: %s/%s: the activation %q is not known here", r.c.Mechanism, r.c.Name, r.c.Config.Act)
	}
	config := encoder.Config{
		Layers: r.layersIn("encoder"), Width: inner.Dim(1), Heads: r.c.Config.Heads, Inner: inner.Dim(0), Length: 1,
		Norm: encoder.PostNorm, Act: act, Eps: cmp.Or(r.c.Config.Eps, 1e-5),
		Options: map[string]string{"decoder layers": fmt.Sprint(r.layersIn("decoder"))},
	}
	if r.c.Config.NormFirst {
		config.Norm = encoder.PreNorm
	}
	s := nn.NewScope(0)
	if r.stacks, err = encoder.NewTwoStacks(s, config, attention.DotProduct.New); err != nil {
		return fmt.Errorf("verify: %s/%s: %w", r.c.Mechanism, r.c.Name, err)
	}
	return r.adopt(s.Params(), transformerWeights)
}

// transformerWeights names the weights of both stacks.
func transformerWeights(param string) []string {
	norms := map[string]string{"gamma": "weight", "beta": "bias"}
	for _, stack := range []string{"encoder", "decoder"} {
		if name, ok := strings.CutPrefix(param, stack+" norm/"); ok {
			return []string{stack + ".norm." + norms[name]}
		}
		l, place, ok := layerPlace(param, stack+" layer ")
		if !ok {
			continue
		}
		last := map[string]string{"encoder": "norm2.", "decoder": "norm3."}[stack]
		in, name, _ := strings.Cut(place, "/")
		switch in {
		case "mixer norm":
			name = "norm1." + norms[name]
		case "cross norm":
			name = "norm2." + norms[name]
		case "ffn norm":
			name = last + norms[name]
		case "ffn":
			name = "linear" + name[2:] + "." + kind(name)
		case "mixer":
			name = "self_attn." + projection(name)
		case "cross":
			name = "multihead_attn." + projection(name)
		}
		return []string{fmt.Sprintf("%s.layers.%d.%s", stack, l, name)}
	}
	return nil
}

// projection names W_Q, b_Q, … of an attention.
func projection(name string) string {
	if name[2:] == "O" {
		return "out_proj." + kind(name)
	}
	return fusedPart + strings.ToLower(name[2:]) + "_" + kind(name)
}

// padding reads a mask [B,N] in which 1 means padding.
func (r *transformerRun) padding(name string, b, n int) (nn.Mask, error) {
	m, ok := r.c.IO.Ints[name]
	if !ok {
		return nn.Mask{}, nil
	}
	if len(m.Data) < (b+1)*n {
		return nn.Mask{}, fmt.Errorf("verify: %s/%s: %s has shape %v, wanted [B,%d]", r.c.Mechanism, r.c.Name, name, m.Shape, n)
	}
	mask := nn.Mask{Keys: make([]bool, n), N: n}
	for i := range mask.Keys {
		mask.Keys[i] = m.Data[b*n+i] == 0
	}
	return mask, nil
}

// sequence runs pair b forwards and backwards.
func (r *transformerRun) sequence(b int) error {
	p := nn.NewPass(ad.NewTape())
	p.Run = &trace.Run{}
	var texts [2]*ad.Var
	for i, name := range []string{"src", "tgt"} {
		x, err := r.c.input(name)
		if err != nil {
			return err
		}
		texts[i] = p.Tape.Leaf(tensor.From(x.Sub(b).Data, 1, x.Dim(1), x.Dim(2)))
	}
	var masks [3]nn.Mask
	for i, name := range transformerInputs[2:] {
		var err error
		if masks[i], err = r.padding(name, b, texts[i%2].Dim(1)); err != nil {
			return err
		}
	}
	memory := r.stacks.Encode(p.WithMask(masks[0]), texts[0])
	y := r.stacks.Decode(p.WithMask(masks[1]), texts[1], memory, masks[2])
	r.put("memory.0", b, memory.Value)
	r.put("out", b, y.Value)
	r.shown(b, p.Run)
	if w, ok := r.c.IO.Arrays["loss_w"]; ok {
		p.Tape.Backward(y, tensor.From(w.Sub(b).Data, y.Shape()...))
		for i, name := range []string{"src", "tgt"} {
			if g := texts[i].Grad(); g != nil {
				r.put("grad.input."+name, b, g)
			}
		}
		r.slopes(p)
	}
	return nil
}

// shown files what the layers showed.
func (r *transformerRun) shown(b int, run *trace.Run) {
	for l := range max(r.layersIn("encoder"), r.layersIn("decoder")) {
		encoder, decoder := fmt.Sprintf("encoder layer %d/", l+1), fmt.Sprintf("decoder layer %d/", l+1)
		r.show(b, run, encoder+"weights", fmt.Sprintf("enc_self_attn.%d", l))
		r.show(b, run, encoder+"layer output", fmt.Sprintf("encoder.layer%d.out.0", l))
		r.show(b, run, decoder+"weights", fmt.Sprintf("dec_self_attn.%d", l))
		r.show(b, run, decoder+"layer output", fmt.Sprintf("decoder.layer%d.out.0", l))
		r.show(b, run, decoder+"cross/weights", fmt.Sprintf("dec_cross_attn.%d", l))
	}
}

// layerPlace takes "layer 2/ffn/W_1" apart: layer 1, counted from 0, and "ffn/W_1".
func layerPlace(param, prefix string) (layer int, place string, ok bool) {
	rest, ok := strings.CutPrefix(param, prefix)
	if !ok {
		return 0, "", false
	}
	number, place, _ := strings.Cut(rest, "/")
	layer, err := strconv.Atoi(number)
	return layer - 1, place, err == nil
}

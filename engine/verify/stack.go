package verify

import (
	"fmt"
	"slices"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// stackDialects are the references that are whole models around a mixer.
var stackDialects = map[string]dialect{
	"longformer": {run: computeLongformer, inputs: []string{"input_ids", "attention_mask", "global_attention_mask"}},
	"bigbird":    {run: computeBigBird, inputs: []string{"input_ids", "attention_mask", "rand_blocks."}},
}

// postNorm runs an encoder of the transformers library: embeddings of words,
// positions and types, a LayerNorm, and layers
//
//	a = LN(Mix(x) + x)    x = LN(W_2·act(W_1·a + b_1) + b_2 + a)
//
// The sequences of a case are run one at a time; gradients of the weights add up.
type postNorm struct {
	c         *Case
	out       computed
	length    int                                         // of a sequence as it is run: the text and what it is padded with
	positions func(ids []int) []int                       // rows of the table of positions
	mixer     func(b, layer int) (attention.Entry, knobs) // for a sequence
	show      func(b, layer int, run *trace.Run)          // hands over what a mixer showed
	padRows   []string                                    // tables whose row of the padding's id is not trained
	scope     *nn.Scope
	mask      nn.Mask
	input     *tensor.T // [1,N,d] of the layer that is being run
}

type knobs = map[string]string

// mixerWeights are the library's names of the parts of a mixer, by our names.
var mixerWeights = map[string]string{"Q": "self.query.", "K": "self.key.", "V": "self.value.", "O": "output.dense.",
	"Q'": "self.query_global.", "K'": "self.key_global.", "V'": "self.value_global."}

// ints finds an array of whole numbers [B,N] that the case must have.
func (c *Case) ints(name string) ([]int64, error) {
	if t, ok := c.IO.Ints[name]; ok {
		return t.Data, nil
	}
	return nil, fmt.Errorf("verify: %s/%s: the input %q is missing", c.Mechanism, c.Name, name)
}

// size is the number of sequences and their length.
func (c *Case) size() (batch, n int, err error) {
	t, ok := c.IO.Ints["input_ids"]
	if !ok || len(t.Shape) != 2 {
		return 0, 0, fmt.Errorf("verify: %s/%s: the input \"input_ids\" [B,N] is missing", c.Mechanism, c.Name)
	}
	return t.Shape[0], t.Shape[1], nil
}

// row is sequence b of an input [B,N], filled up to a length.
func (c *Case) row(name string, b, length, fill int) ([]int, error) {
	data, err := c.ints(name)
	if err != nil {
		return nil, err
	}
	_, n, err := c.size()
	if err != nil {
		return nil, err
	}
	if len(data) < (b+1)*n {
		return nil, fmt.Errorf("verify: %s/%s: %q has %d numbers, too few for sequence %d", c.Mechanism, c.Name, name, len(data), b)
	}
	row := slices.Repeat([]int{fill}, length)
	for i := range n {
		row[i] = int(data[b*n+i])
	}
	return row, nil
}

func (r *postNorm) run() (computed, error) {
	batch, _, err := r.c.size()
	if err != nil {
		return nil, err
	}
	r.out = computed{}
	for name := range r.c.IO.Arrays { // an unused weight has the gradient 0
		if w, ok := strings.CutPrefix(name, "grad."); ok && r.c.Weights.Arrays[w] != nil {
			r.out[name] = tensor.New(r.c.Weights.Arrays[w].Shape...)
		}
	}
	for b := range batch {
		if err := r.sequence(b); err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

// param is the parameter of that name with the reference's values.
func (r *postNorm) param(name string) (*nn.Param, error) {
	w, err := r.c.weight(name)
	if err != nil {
		return nil, err
	}
	p := r.scope.Param(name, nn.Zeros, w.Shape...)
	copy(p.Value.Data, w.Data)
	return p, nil
}

// linear is the projection of that name; its names end in weight and bias.
func (r *postNorm) linear(name string) (nn.Linear, error) {
	w, err := r.param(name + "weight")
	if err != nil {
		return nn.Linear{}, err
	}
	b, err := r.param(name + "bias")
	return nn.Linear{W: w, B: b}, err
}

func (r *postNorm) norm(name string) (nn.LayerNorm, error) {
	l, err := r.linear(name)
	return nn.LayerNorm{Gamma: l.W, Beta: l.B, Eps: r.c.Config.HF.Eps}, err
}

// sequence runs sequence b forwards and backwards.
func (r *postNorm) sequence(b int) error {
	ids, err := r.c.row("input_ids", b, r.length, r.c.Config.HF.Pad)
	if err != nil {
		return err
	}
	text, err := r.c.row("attention_mask", b, r.length, 0)
	if err != nil {
		return err
	}
	r.scope, r.mask = nn.NewScope(0), nn.Mask{}
	if slices.Contains(text, 0) {
		r.mask = nn.Mask{Keys: make([]bool, r.length), N: r.length}
		for i, v := range text {
			r.mask.Keys[i] = v != 0
		}
	}
	p := nn.NewPass(ad.NewTape())
	p.Mask, p.Run = r.mask, &trace.Run{}
	x, err := r.embed(p, ids)
	if err != nil {
		return err
	}
	r.put("hidden.0", b, x.Value)
	for l := range r.c.Config.HF.Layers {
		if x, err = r.layer(p, b, l, x); err != nil {
			return err
		}
		r.put(fmt.Sprintf("hidden.%d", l+1), b, x.Value)
	}
	r.put("last_hidden_state", b, x.Value)
	return r.finish(p, b, x)
}

// embed is LN(word + position + type 0).
func (r *postNorm) embed(p *nn.Pass, ids []int) (*ad.Var, error) {
	var sum *ad.Var
	for _, part := range []struct {
		table string
		ids   []int
	}{{"word", ids}, {"position", r.positions(ids)}, {"token_type", make([]int, len(ids))}} {
		table, err := r.param("embeddings." + part.table + "_embeddings.weight")
		if err != nil {
			return nil, err
		}
		rows := ad.Rows(p.Use(table), part.ids)
		if sum == nil {
			sum = rows
		} else {
			sum = ad.Add(sum, rows)
		}
	}
	norm, err := r.norm("embeddings.LayerNorm.")
	if err != nil {
		return nil, err
	}
	return norm.Apply(p, ad.Reshape(sum, 1, len(ids), sum.Dim(-1))), nil // [N,d]
}

func (r *postNorm) layer(p *nn.Pass, b, l int, x *ad.Var) (*ad.Var, error) {
	name := fmt.Sprintf("encoder.layer.%d.", l)
	entry, options := r.mixer(b, l)
	before := len(r.scope.Params())
	mixer, err := entry.New(r.scope.In(name), attention.Config{Width: x.Dim(-1), Heads: r.c.Config.HF.Heads, Length: r.length, Knobs: options})
	if err != nil {
		return nil, fmt.Errorf("verify: %s/%s: %w", r.c.Mechanism, r.c.Name, err)
	}
	for _, w := range r.scope.Params()[before:] {
		w.Name = name + "attention." + mixerWeights[w.Name[len(name)+3:]] + kind(w.Name[len(name)+1:])
		value, err := r.c.weight(w.Name)
		if err != nil {
			return nil, err
		}
		copy(w.Value.Data, value.Data)
	}
	var norms [2]nn.LayerNorm
	var linears [2]nn.Linear
	for i, part := range [2][2]string{{"attention.output.LayerNorm.", "intermediate.dense."}, {"output.LayerNorm.", "output.dense."}} {
		if norms[i], err = r.norm(name + part[0]); err != nil {
			return nil, err
		}
		if linears[i], err = r.linear(name + part[1]); err != nil {
			return nil, err
		}
	}
	act := ad.GELU
	if r.c.Config.HF.Act == "gelu_new" {
		act = ad.GELUTanh
	}
	in := p.In(name)
	r.input = x.Value
	a := norms[0].Apply(p, ad.Add(mixer.Mix(in, x), x))
	r.show(b, l, in.Run)
	return norms[1].Apply(p, ad.Add(linears[1].Apply(p, act(linears[0].Apply(p, a))), a)), nil
}

// finish compares the pooler, where there is one, and runs the sequence backwards.
func (r *postNorm) finish(p *nn.Pass, b int, x *ad.Var) error {
	var loss *ad.Var
	add := func(name string, y *ad.Var) { // what of the loss reads y
		if w, ok := r.c.IO.Arrays["loss_w."+name]; ok {
			part := tensor.New(y.Shape()...)
			copy(part.Data, w.Sub(b).Data) // what lies beyond the text has no part in the loss
			if d := ad.Dot(y, part); loss == nil {
				loss = d
			} else {
				loss = ad.Add(loss, d)
			}
		}
	}
	add("last_hidden_state", x)
	if _, ok := r.c.Weights.Arrays["pooler.weight"]; ok {
		pooler, err := r.linear("pooler.")
		if err != nil {
			return err
		}
		pooled := ad.Tanh(pooler.Apply(p, ad.Rows(x, []int{0}))) // [1,d]
		r.put("pooler_output", b, pooled.Value)
		add("pooler_output", pooled)
	}
	if loss == nil {
		return nil
	}
	p.Tape.Backward(loss, tensor.From([]tensor.Elem{1}))
	for _, w := range r.scope.Params() {
		g, to := p.Grad(w), r.out["grad."+w.Name]
		if g == nil || to == nil {
			continue
		}
		if slices.Contains(r.padRows, w.Name) {
			clear(g.Data[r.c.Config.HF.Pad*g.Dim(-1):][:g.Dim(-1)])
		}
		tensor.Add(to.Data, to.Data, g.Data)
	}
	return nil
}

// put files a value [1,…] or […] of sequence b in the reference's array [B,…], cut
// to the reference's length where ours is padded.
func (r *postNorm) put(name string, b int, value *tensor.T) {
	want, ok := r.c.IO.Arrays[name]
	if !ok {
		return
	}
	if r.out[name] == nil {
		r.out[name] = tensor.New(want.Shape...)
	}
	to := r.out[name].Sub(b)
	if value.Rank() == to.Rank()+1 {
		value = value.Sub(0)
	}
	if value.Rank() != to.Rank() {
		delete(r.out, name)
		return
	}
	crop(to.Data, to.Shape, value.Data, value.Shape)
}

// crop copies the beginning of every axis.
func crop(to []tensor.Elem, toShape []int, from []tensor.Elem, fromShape []int) {
	if len(toShape) == 0 {
		copy(to, from[:1])
		return
	}
	toSize, fromSize := tensor.Size(toShape[1:]...), tensor.Size(fromShape[1:]...)
	for i := range min(toShape[0], fromShape[0]) {
		crop(to[i*toSize:][:toSize], toShape[1:], from[i*fromSize:][:fromSize], fromShape[1:])
	}
}

// putTime files a value [N,d] of sequence b in the reference's array [N,B,d].
func (r *postNorm) putTime(name string, b int, value *tensor.T) {
	want, ok := r.c.IO.Arrays[name]
	if !ok {
		return
	}
	if r.out[name] == nil {
		r.out[name] = tensor.New(want.Shape...)
	}
	d := want.Dim(-1)
	for i := range min(want.Dim(0), value.Dim(0)) {
		copy(r.out[name].Data[(i*want.Dim(1)+b)*d:][:d], value.Data[i*d:])
	}
}

package huggingface

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// builder builds a model from a state dict. It allocates nothing before the tensors are known to
// exist.
type builder struct {
	Config
	side    string // prefix of its modules' names: empty, or decoder/
	tensors map[string]checkpoint.Raw
	prefix  string
	used    map[string]bool
	params  []*nn.Param
	missing []string
	wrong   error // the first error of another kind
	need    need
	mapped  map[*nn.Param]int    // number of elements of the parameters that are read where the file has them
	tables  map[string]*nn.Param // word embeddings by the names of their tensors, which both sides of a pair can share
	// fill reads the parameters, after all are known to exist
	fill []func()
}

// old maps names of earlier versions of the library.
var old = strings.NewReplacer("LayerNorm.gamma", "LayerNorm.weight", "LayerNorm.beta", "LayerNorm.bias")

func newBuilder(c Config, stored map[string]checkpoint.Raw) *builder {
	b := &builder{Config: c, tensors: make(map[string]checkpoint.Raw, len(stored)), used: map[string]bool{},
		tables: map[string]*nn.Param{}, mapped: map[*nn.Param]int{},
		prefix: c.Prefixes[0]}
	for name, t := range stored {
		now := old.Replace(name)
		if _, taken := stored[now]; taken {
			now = name
		}
		b.tensors[now] = t
	}
	for _, prefix := range append([]string{""}, c.Prefixes...) {
		for name := range strings.SplitSeq(c.Trunk["words"], "|") {
			if _, ok := b.tensors[prefix+name+".weight"]; ok {
				b.prefix = prefix
			}
		}
	}
	return b
}

// decoder returns the builder of a pair's decoder, with the same tensors.
func (b *builder) decoder() *builder {
	d := *b
	d.side, d.Form, d.params, d.missing, d.fill, d.need = "decoder/", b.Form.Decoder(), nil, nil, nil, need{}
	return &d
}

// join adds the results of a builder with the same tensors.
func (b *builder) join(d *builder) {
	b.params, b.missing, b.fill = append(b.params, d.params...), append(b.missing, d.missing...), append(b.fill, d.fill...)
	b.need = need{b.need.numbers + d.need.numbers, b.need.copied + d.need.copied, b.need.ordered + d.need.ordered}
	if b.wrong == nil {
		b.wrong = d.wrong
	}
}

// place returns the place of a module's weight or bias.
func (b *builder) place(module, kind string) (Place, bool) {
	p, ok := b.Architecture.place(b.side+module, kind)
	if p.fused != "" {
		p.fuse(module[len(module)-1:], b.Form.Heads, b.Form.kvHeads())
	}
	return p, ok
}

// tensor returns the stored tensor of a module, with its name.
func (b *builder) tensor(module, kind string) (name string, place Place, t checkpoint.Raw, ok bool) {
	place, known := b.place(module, kind)
	if !known {
		return module, place, t, false
	}
	for i := range place.Names {
		name = place.Names[i]
		if place.Trunk {
			name = b.prefix + name
		}
		if t, ok = b.tensors[name]; ok {
			break
		}
	}
	return name, place, t, ok
}

// has reports whether the file has a module.
func (b *builder) has(module, kind string) bool {
	_, _, _, ok := b.tensor(module, kind)
	return ok
}

// wanted reports whether the model needs a module, or its bias.
func (b *builder) wanted(module, kind string) bool {
	pattern := number.ReplaceAllString(b.side+module, "$1 #")
	if kind == "bias" {
		if option, ok := b.When[pattern+".bias"]; ok && !b.Form.holds(option) {
			return false
		}
		if slices.Contains(b.Optional, pattern+".bias") && !b.has(module, "bias") {
			return false
		}
	}
	option, ok := b.When[pattern]
	_, known := b.place(module, kind)
	return known && (!ok || b.Form.holds(option)) && (!slices.Contains(b.Optional, pattern) || b.has(module, "weight"))
}

// param returns a parameter, or nil if the model does not have it.
func (b *builder) param(ours, module, kind string, shape ...int) *nn.Param {
	if b.wrong != nil || !b.wanted(module, kind) {
		return nil
	}
	name, place, t, ok := b.tensor(module, kind)
	p := &nn.Param{Name: b.side + ours, Rate: 1, Decay: len(shape) > 1 && ours != module}
	switch {
	case !ok:
		b.missing = append(b.missing, name)
		return p
	case !t.Floats():
		b.wrong = messages.Errorf("huggingface.number-type", "array", name, "type", t.Type)
		return p
	case !place.Fits(t.Shape, shape):
		b.wrong = messages.Errorf("huggingface.shape", "array", name, "shape", fmt.Sprint(t.Shape), "needed",
			fmt.Sprint(place.shape(shape)))
		return p
	}
	b.used[name] = true
	b.params = append(b.params, p)
	moved := place.Turned || place.units != nil && place.units[len(place.units)-1]-place.units[0] >= len(place.units)
	copied := moved || t.Type != "F32" || t.Change != nil
	size := tensor.Size(shape...)
	if b.need.add(p, shape); copied {
		b.need.copy(size)
	} else {
		b.mapped[p] = size
	}
	b.fill = append(b.fill, func() { p.Value = place.Read(t.Tensor(), shape...) })
	return p
}

// factor declares that products with the table of words are frequent. Its second copy, in the order of the kernels, is
// made only for a mapped table: a table that was copied from another type already takes enough memory.
func (b *builder) factor(words *nn.Param) {
	if n := b.mapped[words]; n > 0 && !words.Factor {
		words.Factor = true
		b.need.ordered += 4 * int64(n)
	}
}

// linear returns a projection [out,in]: the module "layer 1/mixer/Q" has W_Q and b_Q.
func (b *builder) linear(module string, out, in int) nn.Linear {
	at := strings.LastIndexByte(module, '/') + 1
	return nn.Linear{
		W: b.param(module[:at]+"W_"+module[at:], module, "weight", out, in),
		B: b.param(module[:at]+"b_"+module[at:], module, "bias", out),
	}
}

// norm returns a LayerNorm. Without a bias in the file, the bias is zero.
func (b *builder) norm(module string, width int) nn.LayerNorm {
	n := nn.LayerNorm{Eps: b.Form.Eps, Gamma: b.param(module+"/gamma", module, "weight", width)}
	if b.Form.RMS {
		n.Formula = rootMeanSquare
	} else {
		n.Beta = b.param(module+"/beta", module, "bias", width)
	}
	if gamma := n.Gamma; gamma != nil && b.Form.PlusOne {
		b.fill = append(b.fill, func() { gamma.Value = plusOne(gamma.Value) })
	}
	if n.Gamma != nil && n.Beta == nil && b.wrong == nil {
		n.Beta = &nn.Param{Name: module + "/beta", Value: tensor.New(b.widthOf(module, width)), Frozen: true}
	}
	return n
}

// widthOf returns the width of a norm, or 0 if the file has another number of values.
func (b *builder) widthOf(module string, width int) int {
	if _, _, t, ok := b.tensor(module, "weight"); !ok || len(t.Shape) != 1 || t.Shape[0] != width {
		return 0
	}
	return width
}

// row returns a row [width], which some files store as a matrix.
func (b *builder) row(ours, module, kind string, width int) *nn.Param {
	if _, _, t, _ := b.tensor(module, kind); len(t.Shape) != 2 {
		return b.param(ours, module, kind, width)
	}
	p := b.param(ours, module, kind, 1, width)
	if p != nil {
		b.fill = append(b.fill, func() { p.Value = p.Value.Reshape(width) })
	}
	return p
}

// embeddings returns the table of word embeddings. Files can have it under several names.
func (b *builder) embeddings() *nn.Param {
	place, _ := b.place("words", "weight")
	for _, name := range place.Names {
		b.used[b.prefix+name] = true
	}
	name, _, t, ok := b.tensor("words", "weight")
	shape := []int{b.Form.Vocab, b.Form.embed()}
	if same := b.tables[name]; ok && same != nil && slices.Equal(t.Shape, shape) {
		return same
	}
	b.tables[name] = b.table("words", shape[0], shape[1])
	return b.tables[name]
}

// table returns a table of embeddings [rows,cols].
func (b *builder) table(module string, rows, cols int) *nn.Param {
	return b.param(module, module, "weight", rows, cols)
}

// enough rejects sizes that exceed the stored weights, before anything is allocated.
func (b *builder) enough() error {
	f, there := &b.Form, 0.0
	for _, t := range b.tensors {
		n := 1.0
		for _, s := range t.Shape {
			n *= float64(s)
		}
		there += n
	}
	width, groups := float64(f.Width), float64(f.Layers)
	if f.Groups > 0 {
		groups = float64(f.Groups) * float64(f.InEach)
	}
	rows := float64(f.Vocab)
	if b.wanted("positions", "weight") {
		rows += float64(f.Length)
	}
	heads := float64(f.Heads+f.kvHeads()) * float64(f.headWidth())
	asked := groups*width*(2*heads+2*float64(f.Inner)) + rows*float64(f.embed())
	if b.pair() {
		d := f.Decoder()
		asked += float64(d.Layers) * width * (4*float64(d.Heads*d.headWidth()) + 2*float64(d.Inner))
	}
	if asked > 4*there+1e6 {
		return messages.Errorf("huggingface.numbers", "asked", strconv.FormatFloat(asked, 'g', 2, 64), "there",
			strconv.FormatFloat(there, 'g', 2, 64))
	}
	return nil
}

// complete returns an error if tensors are missing or left over.
func (b *builder) complete() error {
	switch {
	case len(b.missing) > 0:
		slices.Sort(b.missing)
		missing := slices.Compact(b.missing)
		return messages.Errorf("huggingface.missing", "count", len(missing), "arrays", first(missing))
	case b.wrong != nil:
		return b.wrong
	}
	return b.unaccounted()
}

// constants matches tensors without trained numbers: position numbers, masks and frequencies.
var constants = regexp.MustCompile(`(^|\.)(position_ids|token_type_ids|(attn|attention)\.(bias|masked_bias)|inv_freq|embed_positions\.weights|EncDecAttention\.relative_attention_bias\.weight)$`)

// unused lists the tensors that the model does not use, such as stored masks and heads for other
// tasks.
func (b *builder) unused() []string {
	var left []string
	for _, name := range slices.Sorted(maps.Keys(b.tensors)) {
		if !b.used[name] {
			left = append(left, name)
		}
	}
	return left
}

// unaccounted rejects unused tensors of the trunk.
func (b *builder) unaccounted() error {
	begins := map[string]bool{}
	for module, names := range b.Trunk {
		if strings.HasPrefix(module, "decoder/") && !b.pair() {
			continue
		}
		for name := range strings.SplitSeq(names, "|") {
			begin, _, _ := strings.Cut(name, ".")
			begins[begin] = begins[begin] || name != ""
		}
	}
	var left []string
	for _, name := range b.unused() {
		rest, trunk := strings.CutPrefix(name, b.prefix)
		begin, _, _ := strings.Cut(rest, ".")
		if trunk && begins[begin] && begin != "pooler" && !constants.MatchString(name) {
			left = append(left, name)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return messages.Errorf("huggingface.unaccounted", "left", len(left), "arrays", first(left))
}

package huggingface

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"

	"github.com/BurntSushi/toml"
)

// ModuleType is the model_type of an attention layer without a model.
const ModuleType = "attention-module"

// module is a class of modules.toml, which documents the fields.
type module struct {
	Mechanism, Width string
	Length           []string
	Options, Weights map[string]string
	Parts            []struct{ Mark, Class, Prefix string }
}

//go:embed modules.toml
var modulesTable string

// modules returns the known classes by name.
var modules = sync.OnceValue(func() (all map[string]module) {
	if known, err := toml.Decode(modulesTable, &all); err != nil || len(known.Undecoded()) > 0 {
		panic(fmt.Sprintf("huggingface: modules.toml: %v %v", err, known.Undecoded())) // part of the program
	}
	return all
})

// Modules lists the known classes in alphabetical order.
func Modules() []string { return slices.Sorted(maps.Keys(modules())) }

// Fields of the config.json of a module.
const (
	classField = "class"
	headsField = "num_heads"
)

// parseModule reads the config.json of a module.
func parseModule(o object) (Config, error) {
	c := Config{Architecture: &Architecture{}, ModelType: ModuleType}
	if json.Unmarshal(o[classField], &c.Class) != nil || modules()[c.Class].Mechanism == "" {
		return c, messages.Errorf("huggingface.class", "field", classField, "value", messages.Quote(c.Class), "known",
			messages.List(Modules()))
	}
	if err := json.Unmarshal(o[headsField], &c.Form.Heads); err != nil || c.Form.Heads < 1 {
		return c, messages.Errorf("huggingface.type", "field", headsField, "value", cmp.Or(excerpt(o[headsField]), "null"),
			"right", messages.New("huggingface.count"))
	}
	return c, nil
}

// freeLength is the number of tokens for a module without position parameters.
const freeLength = 512

// loadModule builds the model of a module.
func loadModule(c Config, stored map[string]checkpoint.Raw) (*Model, error) {
	l, err := newLayer(c, stored)
	if err != nil {
		return nil, err
	}
	if err := l.need().check(); err != nil {
		return nil, err
	}
	l.fill()
	return &Model{Library: c, Model: l.model()}, nil
}

// module summarises a module.
func (s *Summary) module(c Config, stored map[string]checkpoint.Raw) error {
	l, err := newLayer(c, stored)
	if err != nil {
		return err
	}
	s.Mechanism, s.Options, s.need = l.entry.ID, l.config.Options, l.need()
	s.Form.Layers, s.Form.Width, s.Form.Length, s.Params = 1, l.config.Width, l.config.Length, s.need.numbers
	return nil
}

// layer builds a module from existing tensors.
type layer struct {
	of      Config
	tensors map[string]checkpoint.Raw
	config  attention.Config
	entry   *attention.Entry
	mixer   attention.Mixer
	params  []*nn.Param
	weights map[string]string // as in module, for all components
	places  [][]string        // tensors of each parameter
	used    map[string]bool
}

// newLayer builds the module of a configuration. Its parameters have shapes, but no values until
// fill.
func newLayer(c Config, stored map[string]checkpoint.Raw) (*layer, error) {
	l := &layer{of: c, tensors: stored, used: map[string]bool{}, config: attention.Config{Heads: c.Form.Heads}}
	if err := l.read(modules()[c.Class]); err != nil {
		return nil, err
	}
	if l.config.Width%l.config.Heads != 0 {
		return nil, messages.Errorf("huggingface.divides", "heads", headsField, "value", l.config.Heads, "width", "d_model",
			"given", l.config.Width)
	}
	scope := nn.NewScope(0).Shapes()
	var err error
	if l.mixer, err = l.entry.New(scope, l.config); err != nil {
		return nil, err
	}
	l.params = scope.Params()
	return l, l.check()
}

// read sets mechanism, sizes and weight names from a class.
func (l *layer) read(m module) error {
	l.weights = maps.Clone(m.Weights)
	if len(m.Parts) > 0 {
		return l.readParts(m)
	}
	l.entry, _ = attention.Find(m.Mechanism)
	return l.sizes(m, "")
}

// readParts reads a mixture, in which each component has its own values and output.
func (l *layer) readParts(m module) error {
	marks, known := "", []string{}
	for _, part := range m.Parts {
		class := modules()[part.Class]
		if known = append(known, part.Prefix+class.Width); l.tensors[part.Prefix+class.Width].Type == "" {
			continue
		}
		if marks += part.Mark; len(marks) == 1 { // check compares the sizes of the others
			if err := l.sizes(class, part.Prefix); err != nil {
				return err
			}
		}
		for name, place := range class.Weights {
			l.weights[class.Mechanism+"/"+name] = part.Prefix + place
		}
	}
	var ok bool
	if l.entry, ok = attention.Find(m.Mechanism + marks); !ok {
		return messages.Errorf("huggingface.mixture", "class", l.of.Class, "arrays", messages.List(known))
	}
	l.config.Options = map[string]string{"mix": "outputs"}
	return nil
}

// sizes reads the sizes of a class whose tensors begin with a prefix.
func (l *layer) sizes(m module, prefix string) (err error) {
	if l.config.Width, err = l.size(prefix + m.Width + " 0"); err != nil {
		return err
	}
	l.config.Length = 1
	for _, axis := range m.Length {
		n, err := l.size(prefix + axis)
		if err != nil {
			return err
		}
		l.config.Length *= n
	}
	if len(m.Length) == 0 {
		l.config.Length = freeLength
	}
	l.config.Options = map[string]string{}
	for name, axis := range m.Options {
		n, err := l.size(prefix + axis)
		if err != nil {
			return err
		}
		l.config.Options[name] = strconv.Itoa(n)
	}
	return nil
}

// size returns the size of an axis: "R 1".
func (l *layer) size(axis string) (int, error) {
	name, digit, _ := strings.Cut(axis, " ")
	t, ok := l.tensors[name]
	at, _ := strconv.Atoi(digit) // a digit in modules.toml
	switch {
	case !ok:
		return 0, messages.Errorf("huggingface.missing", "count", 1, "arrays", name)
	case at >= len(t.Shape) || t.Shape[at] < 1:
		return 0, messages.Errorf("huggingface.axis", "array", name, "shape", fmt.Sprint(t.Shape), "axis", at+1)
	}
	return t.Shape[at], nil
}

// check finds the tensors of every parameter, and rejects mismatches and leftovers.
func (l *layer) check() error {
	var missing []string
	for _, p := range l.params {
		place, shape, count := l.place(p.Name), p.Value.Shape, 1
		if strings.Contains(place, "*") {
			count = l.config.Heads
			shape = append([]int{shape[0] / count}, shape[1:]...)
		}
		names := make([]string, count)
		for i := range names {
			names[i] = strings.Replace(place, "*", strconv.Itoa(i), 1)
			t, ok := l.tensors[names[i]]
			needed := shape
			if shape[0] == 1 && len(t.Shape) == len(shape)-1 { // ours has an axis for the heads
				needed = shape[1:]
			}
			switch {
			case !ok:
				missing = append(missing, names[i])
			case !t.Floats():
				return messages.Errorf("huggingface.number-type", "array", names[i], "type", t.Type)
			case !slices.Equal(t.Shape, needed):
				return messages.Errorf("huggingface.module-shape", "array", names[i], "shape", fmt.Sprint(t.Shape), "needed",
					fmt.Sprint(needed))
			}
			l.used[names[i]] = true
		}
		l.places = append(l.places, names)
	}
	if len(missing) > 0 {
		return messages.Errorf("huggingface.missing", "count", len(missing), "arrays", first(missing))
	}
	left := slices.DeleteFunc(slices.Sorted(maps.Keys(l.tensors)), func(name string) bool { return l.used[name] })
	if len(left) > 0 {
		return messages.Errorf("huggingface.module-left", "class", l.of.Class, "arrays", first(left))
	}
	return nil
}

// place returns the tensor name of a parameter, such as "dense/W_1" or "R".
func (l *layer) place(param string) string {
	if place, ok := l.weights[param]; ok {
		return place
	}
	module, kind := moduleOf(param)
	return strings.Replace(l.weights[module], "%", kind, 1)
}

// need returns the memory for the parameters.
func (l *layer) need() (n need) {
	for _, p := range l.params {
		n.add(p, p.Value.Shape)
		n.copy(tensor.Size(p.Value.Shape...))
	}
	return n
}

// fill reads the values of the parameters.
func (l *layer) fill() {
	for i, p := range l.params {
		p.Value = tensor.New(p.Value.Shape...)
		rest := p.Value.Data
		for _, name := range l.places[i] {
			rest = rest[copy(rest, l.tensors[name].Tensor().Data):]
		}
	}
}

// model returns the layer as a model. Its input is the sum of word vectors and positions, and its
// output is the model's output.
func (l *layer) model() *encoder.Model {
	same := func(_ *nn.Pass, x *ad.Var) *ad.Var { return x }
	c := encoder.Config{Mechanism: l.entry.ID, MixerOptions: l.config.Options, Layers: 1, Width: l.config.Width,
		Heads: l.config.Heads, Length: l.config.Length, Vocab: tokenizer.Default().Size(), Norm: encoder.PreNorm,
		Positions: encoder.Sinusoidal}
	return encoder.Assemble(c, encoder.Parts{Params: l.params, Begin: same, End: same,
		Embed:  func(p *nn.Pass, in encoder.Input) *ad.Var { return embedded(p, in, l.config.Width) },
		Layers: []encoder.LayerParts{{Mixer: l.mixer}}})
}

// embedded returns word vectors [B,N,d], from WordVector, plus encoder.Sinusoids.
func embedded(p *nn.Pass, in encoder.Input, width int) *ad.Var {
	n := len(in.IDs) / in.Count
	x := tensor.New(in.Count, n, width)
	for i, id := range in.IDs {
		copy(x.Data[i*width:], WordVector(id, width))
	}
	places := encoder.Sinusoids(in.From+n, width).Data[in.From*width:]
	for i := range x.Data {
		x.Data[i] += places[i%(n*width)]
	}
	return p.Step("embedding", `X_0`, trace.Activation, p.Tape.Const(x), trace.Token, trace.Channel) // [N,d]
}

// WordVector returns the vector of a word for layers without embeddings. Number f of word w is
// uniform in [−√3, √3), so that its variance is 1. It is drawn by SplitMix64 (Steele et al. 2014)
// from the state w·2³² + f.
func WordVector(word, width int) []tensor.Elem {
	v := make([]tensor.Elem, width)
	for f := range v {
		z := (uint64(word)<<32 + uint64(f) + 1) * 0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		v[f] = tensor.Elem((float64(z>>11)/(1<<52) - 1) * math.Sqrt(3))
	}
	return v
}

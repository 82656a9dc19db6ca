package huggingface

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
)

// Config is the content of a config.json.
type Config struct {
	*Architecture
	ModelType string
	Class     string // class in the library: "BertForMaskedLM"; empty: not named
	Form      Form
	Labels    []string // labels of classes, by number
	Problem   string   // problem type in the library's words; empty: derived from the number of classes
}

// Name returns the class in the file, or the model type if the file names none.
func (c *Config) Name() string { return cmp.Or(c.Class, c.ModelType) }

// deepest is the largest number of layers. With shared parameters the weights do not limit it.
const deepest = 1000

// ParseConfig reads a config.json.
func ParseConfig(raw []byte) (Config, error) {
	o, err := parseObject(configFile, raw)
	if err != nil {
		return Config{}, err
	}
	var c struct {
		ModelType     string          `json:"model_type"`
		Architectures []string        `json:"architectures"`
		Code          json.RawMessage `json:"auto_map"`
		Quantization  *struct {
			Method string `json:"quant_method"`
		} `json:"quantization_config"`
		Labels  map[string]string `json:"id2label"`
		Problem string            `json:"problem_type"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return Config{}, fileError(configFile, err)
	}
	if c.ModelType == ModuleType {
		return parseModule(o)
	}
	class := strings.Join(c.Architectures[:min(len(c.Architectures), 1)], "")
	named := Config{ModelType: c.ModelType, Class: class}
	switch {
	case c.Code != nil && string(c.Code) != "null":
		return named, messages.Errorf("huggingface.code")
	case c.Quantization != nil:
		return named, messages.Errorf("huggingface.quantised", "method", messages.Quote(c.Quantization.Method))
	case c.ModelType == "" && class == "":
		return Config{}, messages.Errorf("huggingface.architectures", "known", messages.List(Types()))
	case c.ModelType == "":
		c.ModelType = typeOf(class)
	}
	a, ok := architectures()[c.ModelType]
	if !ok {
		return named, messages.Errorf("huggingface.architecture", "given", class, "type", messages.Quote(c.ModelType),
			"known", messages.List(Types()))
	}
	parsed := Config{Architecture: a, ModelType: c.ModelType, Class: class, Form: a.Form, Labels: labels(c.Labels),
		Problem: c.Problem}
	return parsed, parsed.read(o)
}

// typeOf returns the model type of a class: the known type with which its name begins, such as bert
// for "BertForMaskedLM".
func typeOf(class string) string {
	found := ""
	for _, t := range Types() {
		name := strings.ReplaceAll(t, "-", "")
		if len(t) > len(found) && strings.HasPrefix(strings.ToLower(class), name) {
			found = t
		}
	}
	return found
}

// labels returns the names of classes in the order of their numbers.
func labels(of map[string]string) []string {
	var names []string
	for i := range len(of) {
		name, ok := of[strconv.Itoa(i)]
		if !ok {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// read sets the form from the fields.
func (c *Config) read(o object) error {
	for _, name := range slices.Sorted(maps.Keys(c.Must)) {
		if raw, ok := o.field(name); ok && !same(raw, c.Must[name]) {
			return messages.Errorf("huggingface.field", "field", name, "value", excerpt(raw), "right",
				fmt.Sprintf("%#v", c.Must[name]))
		}
	}
	for _, option := range slices.Sorted(maps.Keys(c.Fields)) {
		given := ""
		for _, name := range c.Fields[option] {
			raw, ok := o.field(name)
			if outer, wrong := o.flat(name); wrong {
				return messages.Errorf("huggingface.type", "field", outer, "value", excerpt(o[outer]), "right",
					messages.New("huggingface.fields"))
			}
			first, _ := o.field(given)
			switch {
			case ok && string(raw) == "null" && given == "" && slices.Contains(c.None, option):
				c.Form.clear(option)
			case !ok || string(raw) == "null":
			case given == "":
				given = name
				if err := c.Form.set(option, name, raw); err != nil {
					return err
				}
			case !slices.Contains(c.First, option) && !equal(raw, first):
				return messages.Errorf("huggingface.contradiction", "field", name, "value", excerpt(raw), "same", given, "given",
					excerpt(first))
			}
		}
	}
	if act, ok := c.Acts[c.Form.Act]; ok {
		c.Form.Act = act
	}
	if waves, ok := c.Waves[c.Form.Rope.Type]; ok {
		c.Form.Rope.Type = waves
	}
	if err := c.readForward(o); err != nil {
		return err
	}
	c.Form.settle()
	return c.check()
}

// readForward reads T5's name of the feed-forward network: an activation, after gated- if it has a
// gate.
func (c *Config) readForward(o object) error {
	f := &c.Form
	if f.Forward == "" {
		return nil
	}
	act, gated := strings.CutPrefix(f.Forward, "gated-")
	if _, ok := activations[act]; !ok {
		return messages.Errorf("huggingface.activation", "field", c.field("forward"), "value", messages.Quote(f.Forward),
			"known", messages.List(slices.Sorted(maps.Keys(activations))))
	}
	if gated && act == "gelu" {
		act = "gelu_new"
	}
	if f.Act != "" && f.Act != act {
		return messages.Errorf("huggingface.contradiction", "field", c.field("act"), "value", f.Act, "same",
			c.field("forward"), "given", f.Forward)
	}
	if raw, ok := o.field(c.field("gated")); ok && !same(raw, gated) {
		return messages.Errorf("huggingface.contradiction", "field", c.field("gated"), "value", excerpt(raw), "same",
			c.field("forward"), "given", f.Forward)
	}
	f.Act, f.Gated = act, gated
	return nil
}

// equal reports whether two field values are equal; 10000 and 10000.0 are.
func equal(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// same reports whether a field has its required value; null counts as no value.
func same(raw json.RawMessage, right any) bool {
	var value any
	if err := json.Unmarshal(raw, &value); err != nil || value == nil {
		return err == nil
	}
	if n, ok := right.(int64); ok {
		right = float64(n)
	}
	return reflect.DeepEqual(value, right)
}

// field returns the field of config.json that sets an option.
func (c *Config) field(option string) string {
	if names := c.Fields[option]; len(names) > 0 {
		return names[0]
	}
	return option
}

// check rejects impossible configurations, and those that the engine does not support.
func (c *Config) check() error {
	f := &c.Form
	for _, s := range []struct {
		option string
		value  int
	}{
		{"vocab", f.Vocab}, {"width", f.Width}, {"layers", f.Layers}, {"heads", f.Heads}, {"inner", f.Inner},
		{"length", f.Length},
		{"embed", f.embed()}, {"segments", f.Segments + 1}, {"groups", f.Groups + 1 - c.Architecture.Form.Groups},
		{"in_each", f.InEach + 1 - c.Architecture.Form.InEach},
		{"kv_heads", f.kvHeads()}, {"head_width", f.HeadWidth + 1}, {"norms", f.Norms + 1},
	} {
		if s.value < 1 {
			return messages.Errorf("huggingface.positive", "field", c.field(s.option), "value", strconv.Itoa(s.value))
		}
	}
	switch {
	case f.Heads%f.kvHeads() != 0:
		return messages.Errorf("huggingface.divides", "heads", c.field("kv_heads"), "value", strconv.Itoa(f.kvHeads()),
			"width", c.field("heads"), "given", strconv.Itoa(f.Heads))
	case f.HeadWidth == 0 && f.Width%f.Heads != 0:
		return messages.Errorf("huggingface.divides", "heads", c.field("heads"), "value", strconv.Itoa(f.Heads), "width",
			c.field("width"), "given", strconv.Itoa(f.Width))
	case f.Eps <= 0:
		return messages.Errorf("huggingface.epsilon", "field", c.field("eps"), "value", fmt.Sprint(f.Eps))
	case f.Layers > deepest || f.InEach > deepest || f.Runs() > deepest:
		return messages.Errorf("huggingface.deep", "field", c.field("layers"), "value", strconv.Itoa(f.Layers),
			"most", deepest)
	case f.Groups > f.Layers:
		return messages.Errorf("huggingface.groups", "field", c.field("groups"), "value", strconv.Itoa(f.Groups),
			"layers", f.Layers)
	case f.Longest() < 1:
		return messages.Errorf("huggingface.positive", "field", c.field("length"), "value", strconv.Itoa(f.Length))
	case f.Theta > 0 && f.turning()%2 != 0:
		option := c.turningOption()
		set, _ := f.option(option)
		return messages.Errorf("huggingface.odd", "field", c.field(option), "value", fmt.Sprint(set.Interface()),
			"features", strconv.Itoa(f.turning()))
	}
	for _, check := range []func() error{c.checkLayers, c.checkWaves, c.checkPair} {
		if err := check(); err != nil {
			return err
		}
	}
	return c.checkActivations()
}

// turningOption returns the option that sets the number of rotating features of a head.
func (c *Config) turningOption() string {
	switch f := &c.Form; {
	case f.RotaryWidth > 0:
		return "rotary_width"
	case f.RotaryPart > 0:
		return "rotary_part"
	case f.HeadWidth > 0:
		return "head_width"
	}
	return "heads"
}

// checkLayers rejects unsupported kinds of layers and relative positions.
func (c *Config) checkLayers() error {
	f := &c.Form
	if f.Kinds != nil && len(f.Kinds) != f.Layers {
		return messages.Errorf("huggingface.kinds", "field", c.field("kinds"), "kinds", len(f.Kinds), "layers", f.Layers)
	}
	for _, k := range f.Kinds {
		if k != "full_attention" && k != "sliding_attention" {
			return messages.Errorf("huggingface.field", "field", c.field("kinds"), "value", messages.Quote(k), "right",
				`"full_attention", "sliding_attention"`)
		}
	}
	for _, how := range f.Compared {
		if how != "c2p" && how != "p2c" {
			return messages.Errorf("huggingface.field", "field", c.field("compared"), "value", messages.Quote(how), "right",
				`"c2p", "p2c"`)
		}
	}
	for _, o := range []struct {
		option string
		wrong  bool
		value  int
	}{
		{"every", f.Window > 0 && f.Every < 1 && c.Architecture.Form.Every > 0 && f.Kinds == nil, f.Every},
		{"window", f.Window < 0, f.Window},
		{"last_of", f.LastOf < 0, f.LastOf}, {"no_rotary_step", f.NoRotaryStep < 0, f.NoRotaryStep},
		{c.turningOption(), f.turning() < 0 || f.turning() > f.headWidth(), f.turning()},
		{"conv", f.Conv < 0 || f.Conv > 0 && f.Conv%2 == 0, f.Conv}, {"pad", f.Pad < 0, f.Pad},
		{"bucket_rows", f.BucketRows > 0 && f.BucketRows < f.Buckets, f.BucketRows},
		{"buckets", f.Relative == "disentangled" && (f.Buckets == 1 || f.Buckets > 1<<20), f.Buckets},
		{"farthest", f.Relative == "disentangled" && f.span() > 1<<20, f.Farthest},
	} {
		if o.wrong {
			return messages.Errorf("huggingface.positive", "field", c.field(o.option), "value", strconv.Itoa(o.value))
		}
	}
	return nil
}

func (c *Config) checkActivations() error {
	f := &c.Form
	for option, name := range map[string]string{"act": f.Act, "guess_act": f.GuessAct, "pool_act": f.PoolAct,
		"conv_act": f.ConvAct} {
		if _, ok := activations[name]; !ok && (name != "" || option == "act") {
			return messages.Errorf("huggingface.activation", "field", c.field(option), "value", messages.Quote(name), "known",
				messages.List(slices.Sorted(maps.Keys(activations))))
		}
	}
	return nil
}

// Writes reports whether the model reads one text and writes another.
func (c *Config) Writes() bool { return c.pair() && ends(c.Class, c.Words) }

// pair reports whether the model has an encoder and a decoder.
func (c *Config) pair() bool { return c.Form.Pair && !ends(c.Class, c.Encoders) }

// ends reports whether a class name ends with an element of a list.
func ends(class string, with []string) bool {
	return slices.ContainsFunc(with, func(end string) bool { return strings.HasSuffix(class, end) })
}

// checkPair rejects unsupported pairs.
func (c *Config) checkPair() error {
	if !c.Form.Pair {
		return nil
	}
	known := slices.Concat(c.Words, c.Encoders, c.Bare)
	if c.Class != "" && !ends(c.Class, known) {
		return messages.Errorf("huggingface.field", "field", "architectures", "value", messages.Quote(c.Class), "right",
			messages.List(known))
	}
	f, d := &c.Form, c.Form.Decoder()
	exact := f.Buckets / 4 // distances with their own bucket
	if c.pair() {
		exact = d.Buckets / 2
	}
	for _, o := range []struct {
		option string
		wrong  bool
		value  int
	}{
		{"length", f.Longest() < 2, f.Length}, // the first token of the decoder and a written token
		{"decoder_layers", d.Layers < 1 || d.Layers > deepest, d.Layers}, {"decoder_heads", d.Heads < 1, d.Heads},
		{"decoder_inner", d.Inner < 1, d.Inner}, {"decoder_vocab", d.Vocab < 1, d.Vocab},
		{"start", c.pair() && (f.Start < 0 || f.Start >= d.Vocab), f.Start}, {"forced", f.Forced >= d.Vocab, f.Forced},
		{"buckets", f.Relative != "" && (f.Buckets < 4 || f.Buckets > 1<<20), f.Buckets},
		{"farthest", f.Relative != "" && f.Farthest <= exact, f.Farthest},
	} {
		if o.wrong {
			return messages.Errorf("huggingface.positive", "field", c.field(o.option), "value", strconv.Itoa(o.value))
		}
	}
	if f.HeadWidth == 0 && d.Width%d.Heads != 0 {
		return messages.Errorf("huggingface.divides", "heads", c.field("decoder_heads"), "value", strconv.Itoa(d.Heads),
			"width", c.field("width"), "given", strconv.Itoa(d.Width))
	}
	return nil
}

// heads returns the heads of the class in the file.
func (c *Config) heads() []outputHead {
	var all []outputHead
	for _, h := range c.Heads {
		if slices.ContainsFunc(h.Classes, func(end string) bool { return strings.HasSuffix(c.Class, end) }) {
			all = append(all, h)
		}
	}
	return all
}

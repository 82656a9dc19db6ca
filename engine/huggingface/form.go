package huggingface

import (
	"encoding/json"
	"reflect"
	"strings"

	"attnatlas/engine/messages"
)

// Form is what a model of the library computes, in options that choose between parts. Sizes are numbers of features,
// tokens or layers; an option that is left out is 0 or false.
type Form struct {
	Order string // of a layer: post, LN(x + f(x)), or pre, x + f(LN(x))

	Vocab, Width, Layers, Heads, Inner, Length int
	Embed                                      int // width of the embeddings; 0: Width
	Segments                                   int // rows of the segments' table; 0: there is none
	Groups                                     int // of layers with the same parameters (ALBERT)
	InEach                                     int `toml:"in_each"` // layers of a group

	Eps           float64 // of the norms
	Act           string  // of the feed-forward parts
	GuessAct      string  `toml:"guess_act"` // of the word scores; empty: Act
	PoolAct       string  `toml:"pool_act"`  // of the pooler; empty: tanh
	Gated         bool    // act(W₁x)∘W_gx (Shazeer 2020, arXiv:2002.05202)
	FirstUnnormed bool    `toml:"first_unnormed"` // the first mixer has no norm before it

	First    int  // row of the first position in the table, without Pad
	AfterPad bool `toml:"after_pad"` // Pad is added
	Pad      int  // id of padding

	Causal        bool // tokens read backwards only
	Scaled        bool // products are divided by √d_h
	ScaledByLayer bool `toml:"scaled_by_layer"` // and by the number of the layer

	Relative         string // what relative positions add to the scores: buckets, disentangled, or nothing
	Buckets          int
	Farthest         int    // distance from which on all are alike
	Compared         list   // of disentangled positions: c2p, p2c
	PositionsInInput bool   `toml:"positions_in_input"`
	ShareKeys        bool   `toml:"share_keys"`    // positions have the projections of the words
	RelativeNorm     string `toml:"relative_norm"` // layer_norm: the table is normalised
	Conv             int    // positions that a convolution beside the first layer reads
	ConvAct          string `toml:"conv_act"`

	Theta      float64  // base of rotary positions; 0: there are none
	LocalTheta float64  `toml:"local_theta"` // in layers with a window
	Window     int      // tokens that the other layers read, half of them on each side
	Every      int      // which layers read all, counted from the first
	Kinds      []string // of each layer, instead of Every: full_attention, sliding_attention

	AttentionBias bool   `toml:"attention_bias"`
	FFNBias       bool   `toml:"ffn_bias"`
	NormBias      bool   `toml:"norm_bias"`
	HeadBias      bool   `toml:"head_bias"`
	ScoresBias    bool   `toml:"scores_bias"`
	Pooling       string // of classes: cls, mean
}

// list is a list of names, which old files write in one string.
type list []string

// UnmarshalJSON reads ["c2p", "p2c"] or "c2p|p2c".
func (l *list) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*l = strings.Split(one, "|")
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(l))
}

// holds says whether a model has the option of this name.
func (f *Form) holds(option string) bool {
	switch option {
	case "normed_relative":
		return strings.Contains(f.RelativeNorm, "layer_norm")
	case "own_relative_queries":
		return !f.ShareKeys && f.compares("p2c")
	case "own_relative_keys":
		return !f.ShareKeys && f.compares("c2p")
	case "convolved":
		return f.Conv > 0
	}
	field, ok := f.option(option)
	return ok && field.Bool()
}

// option is the field of this name.
func (f *Form) option(name string) (reflect.Value, bool) {
	v := reflect.ValueOf(f).Elem()
	for i := range v.NumField() {
		t := v.Type().Field(i)
		if t.Tag.Get("toml") == name || t.Tag.Get("toml") == "" && strings.EqualFold(t.Name, name) {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// set reads an option from a field of config.json. null is the default.
func (f *Form) set(option, name string, raw json.RawMessage) error {
	to, ok := f.option(option)
	if !ok {
		panic("huggingface: there is no option " + option) // a file of architectures/ names it
	}
	if string(raw) == "null" {
		return nil
	}
	if err := json.Unmarshal(raw, to.Addr().Interface()); err != nil {
		return messages.Errorf("huggingface.type", "field", name, "value", excerpt(raw), "right", kind(to.Type()))
	}
	return nil
}

// kind is the JSON type of an option, in words.
func kind(t reflect.Type) messages.Message {
	id := map[reflect.Kind]string{reflect.Int: "whole", reflect.Float64: "number", reflect.Bool: "truth", reflect.Slice: "list"}[t.Kind()]
	if id == "" {
		id = "string"
	}
	return messages.New("huggingface." + id)
}

func (f *Form) embed() int {
	if f.Embed == 0 {
		return f.Width
	}
	return f.Embed
}

// firstPosition is the row of the first token in the table of positions.
func (f *Form) firstPosition() int {
	if f.AfterPad {
		return f.First + f.Pad
	}
	return f.First
}

// Longest is how many tokens a model reads.
func (f *Form) Longest() int { return f.Length - f.firstPosition() }

// Runs is how many layers run, one after the other.
func (f *Form) Runs() int { return f.Layers * max(f.InEach, 1) }

// local says whether layer l, from 0, reads a window.
func (f *Form) local(l int) bool {
	switch {
	case f.Window == 0:
		return false
	case len(f.Kinds) > 0:
		return f.Kinds[l] == "sliding_attention"
	}
	return l%f.Every != 0
}

package huggingface

import (
	"cmp"
	"encoding/json"
	"errors"
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
	KVHeads                                    int `toml:"kv_heads"`   // heads of keys and values; 0: as many as Heads
	HeadWidth                                  int `toml:"head_width"` // features of a head; 0: Width/Heads
	Groups                                     int // of layers with the same parameters (ALBERT)
	InEach                                     int `toml:"in_each"` // layers of a group

	Eps           float64 // of the norms
	Act           string  // of the feed-forward parts
	GuessAct      string  `toml:"guess_act"` // of the word scores; empty: Act
	PoolAct       string  `toml:"pool_act"`  // of the pooler; empty: tanh
	Gated         bool    // act(W₁x)∘W_gx (Shazeer 2020, arXiv:2002.05202)
	FirstUnnormed bool    `toml:"first_unnormed"` // the first mixer has no norm before it
	RMS           bool    // norms divide by the root mean square alone
	PlusOne       bool    `toml:"plus_one"`    // factors of norms are stored less 1
	NormBefore    bool    `toml:"norm_before"` // the order is pre, where Order leaves that open
	NoFinalNorm   bool    `toml:"no_final_norm"`
	Parallel      bool    // both parts of a layer read what goes into it: x + f(x) + g(x)
	NewDecoder    bool    `toml:"new_decoder"` // parallel, with the norms that Norms counts (Falcon)
	Norms         int     // of a layer with both parts parallel; 0: 2
	TwoNorms      bool    `toml:"two_norms"` // each of two parallel parts has its own
	OnNormed      bool    `toml:"on_normed"` // parts are added to what their norms give
	QKNorm        string  `toml:"qk_norm"`   // of queries and keys: head, heads with factors of their own, or width
	QKNormed      bool    `toml:"qk_normed"`

	EmbedScale    float64 `toml:"embed_scale"` // multiplies the embeddings of words; 0: nothing does
	RootEmbed     bool    `toml:"root_embed"`  // √Width does
	Residual      float64 // multiplies what parts of layers add; 0: nothing does
	LogitScale    float64 `toml:"logit_scale"`    // multiplies the word scores; 0: nothing does
	LogitDivisor  float64 `toml:"logit_divisor"`  // divides them
	LogitCap      float64 `toml:"logit_cap"`      // they become c·tanh(s/c); 0: they stay
	ScoreCap      float64 `toml:"score_cap"`      // likewise the scores of attention
	QueryScalar   float64 `toml:"query_scalar"`   // products are divided by its root, not that of the head's width
	MixMultiplier float64 `toml:"mix_multiplier"` // or multiplied by this

	Pair          bool   // an encoder, and a decoder that reads it
	DecoderLayers int    `toml:"decoder_layers"` // 0: as many as Layers, and so on
	DecoderHeads  int    `toml:"decoder_heads"`
	DecoderInner  int    `toml:"decoder_inner"`
	DecoderVocab  int    `toml:"decoder_vocab"`
	Forward       string // T5's name of the feed-forward parts: relu, gated-gelu
	RootLogits    bool   `toml:"root_logits"` // word scores are divided by √Width
	Waves         bool   // positions are waves where the file has no table of them
	Start         int    // id that a decoder begins with
	Stops         ints   // ids that end what it writes
	Forced        int    // id of the first token that it writes; -1: it is free

	First    int  // row of the first position in the table, without Pad
	Spare    int  // rows of the table beyond Length
	Late     bool // positions are as wide as the layers, and added to widened words
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

	Alibi        bool // scores have a slope along the keys (Press et al. 2022, arXiv:2108.12409)
	AlibiRounded bool `toml:"alibi_rounded"` // to bfloat16, and they are scaled like products

	Theta        float64 // base of rotary positions; 0: there are none
	LocalTheta   float64 `toml:"local_theta"`  // in layers with a window; 0: the same
	RotaryPart   float64 `toml:"rotary_part"`  // of the features of a head that turn; 0: all
	RotaryWidth  int     `toml:"rotary_width"` // so many features turn
	Interleaved  bool    // pairs of features are neighbours
	NoRotary     []int   `toml:"no_rotary"`      // 0 for layers without positions
	NoRotaryStep int     `toml:"no_rotary_step"` // or every so many layers has none
	Rope         scaling // how waves are stretched

	Window     int   // tokens that some layers read: backwards, or half of them on each side
	UseWindow  bool  `toml:"use_window"` // false: all layers read all
	Every      int   // which layers read all, counted from the first; 0: see LastOf and From
	LastOf     int   `toml:"last_of"` // the last of so many layers reads all
	From       int   // layers from this one on read a window
	Kinds      kinds // of each layer, instead: full_attention, sliding_attention
	MultiQuery bool  `toml:"multi_query"` // all heads have the same keys and values

	AttentionBias bool   `toml:"attention_bias"`
	FFNBias       bool   `toml:"ffn_bias"`
	NormBias      bool   `toml:"norm_bias"`
	HeadBias      bool   `toml:"head_bias"`
	ScoresBias    bool   `toml:"scores_bias"`
	Pooling       string // of classes: cls, mean
}

// ints are numbers, of which one may stand alone.
type ints []int

// UnmarshalJSON reads 1 or [1, 2].
func (l *ints) UnmarshalJSON(raw []byte) error {
	var one int
	if json.Unmarshal(raw, &one) == nil {
		*l = ints{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]int)(l))
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

// kinds are those of layers. GPT-Neo writes [[["global", "local"], 12]], or ["global", "local"].
type kinds []string

// UnmarshalJSON reads both.
func (k *kinds) UnmarshalJSON(raw []byte) error {
	var repeated [][2]json.RawMessage
	if json.Unmarshal(raw, (*[]string)(k)) != nil {
		if err := json.Unmarshal(raw, &repeated); err != nil {
			return err
		}
		*k = nil
	}
	for _, r := range repeated {
		var names []string
		var times int
		if err := errors.Join(json.Unmarshal(r[0], &names), json.Unmarshal(r[1], &times)); err != nil {
			return err
		}
		for range min(max(times, 0), deepest) {
			*k = append(*k, names...)
		}
	}
	for i, name := range *k {
		(*k)[i] = cmp.Or(map[string]string{"global": "full_attention", "local": "sliding_attention"}[name], name)
	}
	return nil
}

// settle gives options their values that follow from others.
func (f *Form) settle() {
	if f.Inner == 0 {
		f.Inner = 4 * f.Width
	}
	if f.MultiQuery && !f.NewDecoder {
		f.KVHeads = 1
	}
	if f.NewDecoder {
		f.Parallel, f.TwoNorms = true, f.Norms != 1
	}
	if !f.UseWindow {
		f.Window = 0
	}
	if f.Alibi {
		f.Theta = 0
	}
	switch {
	case f.Order == "" && f.NormBefore:
		f.Order = "pre"
	case f.Order == "":
		f.Order = "post"
	}
}

// Decoder is the form of the decoder of a pair.
func (f *Form) Decoder() Form {
	d := *f
	d.Causal = true
	d.Layers, d.Heads = cmp.Or(f.DecoderLayers, f.Layers), cmp.Or(f.DecoderHeads, f.Heads)
	d.Inner, d.Vocab = cmp.Or(f.DecoderInner, f.Inner), cmp.Or(f.DecoderVocab, f.Vocab)
	return d
}

// kvHeads are the heads of keys and values.
func (f *Form) kvHeads() int { return cmp.Or(f.KVHeads, f.Heads) }

// headWidth is how many features a head has.
func (f *Form) headWidth() int { return cmp.Or(f.HeadWidth, f.Width/max(f.Heads, 1)) }

// holds says whether a model has the option of this name.
func (f *Form) holds(option string) bool {
	switch option {
	case "normed_relative":
		return strings.Contains(f.RelativeNorm, "layer_norm")
	case "own_relative_queries":
		return !f.ShareKeys && f.compares("p2c")
	case "own_relative_keys":
		return !f.ShareKeys && f.compares("c2p")
	case "never":
		return false
	case "convolved":
		return f.Conv > 0
	case "own_ffn_norm":
		return !f.Parallel || f.TwoNorms
	case "final_norm":
		return f.Order == "pre" && !f.NoFinalNorm
	}
	field, ok := f.option(option)
	return ok && field.Bool()
}

// option is the field of this name.
func (f *Form) option(name string) (reflect.Value, bool) {
	v := reflect.ValueOf(f).Elem()
	if outer, inner, nested := strings.Cut(name, "."); nested && outer == "rope" {
		v, name = reflect.ValueOf(&f.Rope).Elem(), inner
	}
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

// clear gives an option no value.
func (f *Form) clear(option string) {
	if to, ok := f.option(option); ok {
		to.SetZero()
	}
}

// kind is the JSON type of an option, in words.
func kind(t reflect.Type) messages.Message {
	id := map[reflect.Kind]string{reflect.Int: "whole", reflect.Float64: "number", reflect.Bool: "truth",
		reflect.Slice: "list"}[t.Kind()]
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
func (f *Form) Longest() int {
	if f.Rope.Type == "dynamic" {
		return int(float64(f.Length) * max(f.Rope.Factor, 1))
	}
	return f.Length + f.Spare - f.firstPosition()
}

// Runs is how many layers run, one after the other.
func (f *Form) Runs() int { return f.Layers * max(f.InEach, 1) }

// local says whether layer l, from 0, reads a window.
func (f *Form) local(l int) bool {
	switch {
	case f.Window == 0:
		return false
	case len(f.Kinds) > 0:
		return f.Kinds[l] == "sliding_attention"
	case f.Every > 0:
		return l%f.Every != 0
	case f.LastOf > 0:
		return (l+1)%f.LastOf != 0
	case len(f.NoRotary) > 0 || f.NoRotaryStep > 0:
		return !f.turns(l)
	}
	return l >= f.From
}

// turns says whether layer l, from 0, has rotary positions.
func (f *Form) turns(l int) bool {
	switch {
	case f.Theta == 0:
		return false
	case len(f.NoRotary) > 0:
		return f.NoRotary[l] != 0
	case f.NoRotaryStep > 0:
		return (l+1)%f.NoRotaryStep != 0
	}
	return true
}

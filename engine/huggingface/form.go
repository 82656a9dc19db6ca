package huggingface

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"attnatlas/engine/messages"
)

// Form describes the computation of a library model, in options that select its parts. Sizes are
// numbers of features, tokens or layers. An option that is left out is 0 or false.
type Form struct {
	Order string // order in a layer: post, LN(x + f(x)), or pre, x + f(LN(x))

	Vocab, Width, Layers, Heads, Inner, Length int
	Embed                                      int // width of the embeddings; 0: Width
	Segments                                   int // rows of the segment table; 0: no table
	KVHeads                                    int `toml:"kv_heads"`   // heads of keys and values; 0: Heads
	HeadWidth                                  int `toml:"head_width"` // features of a head; 0: Width/Heads
	Groups                                     int // groups of layers with the same parameters (ALBERT)
	InEach                                     int `toml:"in_each"` // layers in a group

	Eps           float64 // epsilon of the norms
	Act           string  // activation of the feed-forward networks
	GuessAct      string  `toml:"guess_act"` // activation before the logits; empty: Act
	PoolAct       string  `toml:"pool_act"`  // activation of the pooler; empty: tanh
	Gated         bool    // act(W₁x)∘W_gx (Shazeer 2020, arXiv:2002.05202)
	FirstUnnormed bool    `toml:"first_unnormed"` // the first mixer has no norm before it
	RMS           bool    // norms divide by the root mean square only
	PlusOne       bool    `toml:"plus_one"`    // norm factors are stored minus 1
	NormBefore    bool    `toml:"norm_before"` // the order is pre, if Order does not set it
	NoFinalNorm   bool    `toml:"no_final_norm"`
	Parallel      bool    // both parts of a layer have the same input: x + f(x) + g(x)
	NewDecoder    bool    `toml:"new_decoder"` // parallel, with the norms that Norms counts (Falcon)
	Norms         int     // norms of a layer with parallel parts; 0: 2
	TwoNorms      bool    `toml:"two_norms"` // each of two parallel parts has its own norm
	OnNormed      bool    `toml:"on_normed"` // residuals are added to the normalised input
	QKNorm        string  `toml:"qk_norm"`   // norm of queries and keys: head, heads (factors per head), or width
	QKNormed      bool    `toml:"qk_normed"`

	EmbedScale    float64 `toml:"embed_scale"` // factor of the word embeddings; 0: none
	RootEmbed     bool    `toml:"root_embed"`  // the factor is √Width
	Residual      float64 // factor of the residual branches; 0: none
	LogitScale    float64 `toml:"logit_scale"`    // factor of the logits; 0: none
	LogitDivisor  float64 `toml:"logit_divisor"`  // divisor of the logits
	LogitCap      float64 `toml:"logit_cap"`      // logits become c·tanh(s/c); 0: no cap
	ScoreCap      float64 `toml:"score_cap"`      // the same for attention scores
	QueryScalar   float64 `toml:"query_scalar"`   // its root divides products, in place of the root of the head width
	MixMultiplier float64 `toml:"mix_multiplier"` // or multiplied by this

	Pair          bool   // encoder–decoder
	DecoderLayers int    `toml:"decoder_layers"` // 0: Layers; the same for the fields below
	DecoderHeads  int    `toml:"decoder_heads"`
	DecoderInner  int    `toml:"decoder_inner"`
	DecoderVocab  int    `toml:"decoder_vocab"`
	SharedWords   bool   `toml:"shared_words"` // the decoder has the words of the encoder, whatever DecoderVocab is
	Forward       string // T5's name of the feed-forward networks: relu, gated-gelu
	RootLogits    bool   `toml:"root_logits"` // logits are divided by √Width
	Waves         bool   // positions are sinusoids if the file has no table
	Start         int    // id with which a decoder begins
	Stops         ints   // ids that end the written text
	Forced        int    // id of the first written token; -1: not forced

	First       int  // row of the first position in the table, before adding Pad
	Spare       int  // additional rows of the table after Length
	NormWidened bool `toml:"norm_widened"` // embeddings are widened before their norm, not after it
	Late        bool // positions are as wide as the layers, and added after widening the words
	AfterPad    bool `toml:"after_pad"` // Pad is added
	Pad         int  // id of padding

	Causal        bool // causal attention
	Scaled        bool // products are divided by √d_h
	ScaledByLayer bool `toml:"scaled_by_layer"` // and by the layer's number

	Relative         string // effect of relative positions on the scores: buckets, disentangled, or none
	Buckets          int
	BucketRows       int    `toml:"bucket_rows"` // rows of the table of buckets; 0: Buckets
	Farthest         int    // distance from which all are equal
	Compared         list   // parts of disentangled positions: c2p, p2c
	PositionsInInput bool   `toml:"positions_in_input"`
	ShareKeys        bool   `toml:"share_keys"`    // positions use the projections of the words
	RelativeNorm     string `toml:"relative_norm"` // layer_norm: the table is normalised
	Conv             int    // width in positions of a convolution next to the first layer
	ConvAct          string `toml:"conv_act"`

	Alibi        bool // slope of the scores along the keys (Press et al. 2022, arXiv:2108.12409)
	AlibiRounded bool `toml:"alibi_rounded"` // slopes are rounded to bfloat16, and scaled like products

	Theta        float64 // base of rotary positions; 0: none
	LocalTheta   float64 `toml:"local_theta"`  // base in layers with a window; 0: the same
	RotaryPart   float64 `toml:"rotary_part"`  // rotating fraction of a head's features; 0: all
	RotaryWidth  int     `toml:"rotary_width"` // number of rotating features
	Interleaved  bool    // pairs of features are adjacent
	NoRotary     []int   `toml:"no_rotary"`      // 0 for layers without positions
	NoRotaryStep int     `toml:"no_rotary_step"` // or every such layer has none
	Rope         scaling // stretching of the rotary waves

	Window     int   // tokens in the window of some layers: backwards, or half on each side
	UseWindow  bool  `toml:"use_window"` // false: no layer has a window
	Every      int   // every such layer, from the first, has full attention; 0: see LastOf and From
	LastOf     int   `toml:"last_of"` // the last of each group of this many layers has full attention
	From       int   // layers from this one on have a window
	Kinds      kinds // instead, the kind of each layer: full_attention, sliding_attention
	MultiQuery bool  `toml:"multi_query"` // all heads share keys and values

	AttentionBias bool   `toml:"attention_bias"`
	FFNBias       bool   `toml:"ffn_bias"`
	NormBias      bool   `toml:"norm_bias"`
	HeadBias      bool   `toml:"head_bias"`
	ScoresBias    bool   `toml:"scores_bias"`
	Pooling       string // pooling for classes: cls, mean
}

// ints is a list of numbers; JSON can have a single number instead.
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

// list is a list of names; old files have a single string instead.
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

// kinds are the kinds of layers: [[["global", "local"], 12]] in GPT-Neo, or ["global", "local"].
type kinds []string

// UnmarshalJSON reads both notations.
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

// settle sets options that follow from others.
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
	if f.SharedWords {
		f.DecoderVocab = 0
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

// Decoder returns the form of a pair's decoder.
func (f *Form) Decoder() Form {
	d := *f
	d.Causal = true
	d.Layers, d.Heads = cmp.Or(f.DecoderLayers, f.Layers), cmp.Or(f.DecoderHeads, f.Heads)
	d.Inner, d.Vocab = cmp.Or(f.DecoderInner, f.Inner), cmp.Or(f.DecoderVocab, f.Vocab)
	return d
}

// kvHeads returns the number of key and value heads.
func (f *Form) kvHeads() int { return cmp.Or(f.KVHeads, f.Heads) }

// headWidth returns the number of features of a head.
func (f *Form) headWidth() int { return cmp.Or(f.HeadWidth, f.Width/max(f.Heads, 1)) }

// holds reports whether a model has the named option.
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

// option returns the field with this name.
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

// set sets an option from a field of config.json. null stands for the default.
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

// clear sets an option to its zero value.
func (f *Form) clear(option string) {
	if to, ok := f.option(option); ok {
		to.SetZero()
	}
}

// kind returns the JSON type of an option, in words.
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

// firstPosition returns the row of the first token in the position table.
func (f *Form) firstPosition() int {
	if f.AfterPad {
		return f.First + f.Pad
	}
	return f.First
}

// Longest returns the largest number of tokens that a model can read.
func (f *Form) Longest() int {
	if f.Rope.Type == "dynamic" {
		return int(float64(f.Length) * max(f.Rope.Factor, 1))
	}
	return f.Length + f.Spare - f.firstPosition()
}

// Runs returns the number of layers that run one after another.
func (f *Form) Runs() int { return f.Layers * max(f.InEach, 1) }

// local reports whether layer l, from 0, has a window.
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

// Reach describes the attention of layer l, from 0 in running order. window is the number of tokens in its window, or 0
// for all tokens; both reports whether the window is on both sides, and positioned whether the layer knows token
// positions.
func (f *Form) Reach(l int) (window int, both, positioned bool) {
	l /= max(f.InEach, 1)
	positioned = f.Theta == 0 || f.turns(l)
	switch {
	case !f.local(l):
		return 0, false, positioned
	case f.Causal:
		return f.Window, false, positioned
	}
	return f.Window / 2, true, positioned
}

// turns reports whether layer l, from 0, has rotary positions.
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

package huggingface

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"sync"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface/tokenizers"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Model is an opened library model.
type Model struct {
	*encoder.Model                  // for a pair the encoder, with all parameters
	Seq2Seq        *encoder.Seq2Seq // the pair; nil: the model is not a pair
	Library        Config
	Unused         []string // tensors of the file that the model does not use, such as stored masks
	Bytes          int64    // size of its weight files

	pooler *pooler // nil: no pooler
	sealed sync.Once
}

// Is reports whether a folder looks like a library model: it has a config.json, which names an
// architecture or has the library's weights next to it. An adapter counts as a model.
func Is(dir string) bool {
	if _, err := disk.Size(filepath.Join(dir, adapterFile)); err == nil {
		return true
	}
	raw, err := disk.Read(filepath.Join(dir, configFile), longestText)
	if err != nil {
		return otherForm(dir) != nil
	}
	var c struct {
		ModelType     string   `json:"model_type"`
		Architectures []string `json:"architectures"`
	}
	if json.Unmarshal(raw, &c) == nil && (c.ModelType != "" || len(c.Architectures) > 0) {
		return true
	}
	for _, name := range [...]string{weightsFile, indexFile} {
		if _, err := disk.Size(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// Open opens a folder with config.json and either model.safetensors or the files named by
// model.safetensors.index.json. The files are memory-mapped if the system supports it, so that only
// the needed parts are read.
func Open(dir string) (*Model, error) {
	c, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	stored, size, err := stateDict(dir, c)
	if err != nil {
		return nil, err
	}
	m, err := Load(c, stored)
	if err == nil {
		m.Bytes = size
	}
	return m, err
}

// Summary holds facts about a model that are known before its weights are read.
type Summary struct {
	Class string // class in the library
	Bytes int64  // size of its weight files
	Form  Form
	// Params is the number of parameters.
	Params int
	// Writes reports whether the model reads one text and writes another.
	Writes bool
	// Mechanism is the mechanism of an attention module, with its options. Empty: a complete library
	// model.
	Mechanism string
	Options   map[string]string
	need      need
}

// Check reports whether a folder opens now, with its tokenizer. With an error, the summary holds
// the facts found before the error.
func Check(dir string) (Summary, error) {
	s, err := Summarise(dir)
	if err == nil {
		err = s.need.check()
	}
	if err == nil && s.Mechanism == "" {
		_, err = OpenTokenizer(dir, s.Form.Vocab)
	}
	return s, err
}

// Summarise does the same as Check without opening the tokenizer, which can take long, and without
// checking free memory, which changes. It reads only names and shapes of the weights.
func Summarise(dir string) (Summary, error) {
	c, err := ReadConfig(dir)
	s := Summary{Class: c.Name(), Form: c.Form}
	if err != nil {
		return s, err
	}
	s.Writes = c.Writes()
	if folder, _ := home(dir); folder != dir { // the folder of the base model
		s.Class += " + LoRA"
	}
	stored, size, err := stateDict(dir, c)
	s.Bytes = size
	if err != nil {
		return s, err
	}
	if c.ModelType == ModuleType {
		return s, s.module(c, stored)
	}
	b := newBuilder(c, stored)
	if err := b.enough(); err != nil {
		return s, err
	}
	b.all(&Model{})
	s.need, s.Params = b.need, b.need.numbers
	return s, b.complete()
}

// OpenTokenizer opens the tokenizer of a folder. It is an error if its ids exceed a vocabulary of
// words entries.
func OpenTokenizer(dir string, words int) (*tokenizers.Tokenizer, error) {
	dir, err := home(dir)
	if err != nil {
		return nil, err
	}
	t, err := tokenizers.Open(dir)
	if err != nil {
		return nil, err
	}
	if t.Size() > words {
		return nil, messages.Errorf("huggingface.vocabulary", "last", strconv.Itoa(t.Size()-1), "words", strconv.Itoa(words))
	}
	return t, nil
}

// ReadConfig reads the config.json of a folder.
func ReadConfig(dir string) (Config, error) {
	dir, err := home(dir)
	if err != nil {
		return Config{}, err
	}
	raw, err := disk.Read(filepath.Join(dir, configFile), longestText)
	switch other := otherForm(dir); {
	case err == nil:
		return ParseConfig(raw)
	case other != nil:
		return Config{}, other
	case errors.Is(err, fs.ErrNotExist):
		return Config{}, messages.Errorf("huggingface.none", "config", configFile)
	}
	return Config{}, fileError(configFile, err)
}

// Load builds a model from a state dict.
func Load(c Config, stored map[string]checkpoint.Raw) (*Model, error) {
	if c.ModelType == ModuleType {
		return loadModule(c, stored)
	}
	b := newBuilder(c, stored)
	if err := b.enough(); err != nil {
		return nil, err
	}
	m := &Model{Library: c}
	parts, pair := b.all(m)
	if err := b.complete(); err != nil {
		return nil, err
	}
	if err := b.need.check(); err != nil {
		return nil, err
	}
	for _, fill := range b.fill {
		fill()
	}
	parts.Params, m.Unused = b.params, b.unused()
	config := b.config()
	m.Model = encoder.Assemble(config, parts)
	if pair != nil {
		pair.Source, pair.Params = parts, b.params
		config.Stack, config.Objective = encoder.EncoderDecoder.ID, encoder.TargetWords
		config.Options = map[string]string{encoder.DecoderLayersOption: strconv.Itoa(len(pair.Target.Layers))}
		m.Seq2Seq = encoder.AssembleSeq2Seq(config, *pair)
	}
	return m, nil
}

// all returns all parts of a model and, for an encoder–decoder, the parts of the decoder. The encoder comes first.
func (b *builder) all(m *Model) (encoder.Parts, *encoder.PairParts) {
	parts := b.parts(m)
	if !b.pair() {
		return parts, nil
	}
	d := b.decoder()
	pair := &encoder.PairParts{Target: d.parts(m), Heads: d.Form.Heads}
	for l := range d.Form.Layers {
		if d.wrong != nil || len(d.missing) >= enoughMissing {
			break
		}
		in := layerName(l)
		pair.Reading = append(pair.Reading, encoder.ReadingParts{Cross: d.plain(in+"/cross", l).Cross(),
			Norm: d.norm(in+"/cross norm", d.Form.Width)})
	}
	pair.Scorer, pair.Target.Scorer = pair.Target.Scorer, nil
	b.join(d)
	return parts, pair
}

// enoughMissing is the number of missing tensors after which the search for others stops.
const enoughMissing = 64

// config returns the configuration of the engine.
func (b *builder) config() encoder.Config {
	f := &b.Form
	c := encoder.Config{
		Mechanism: attention.DotProduct.ID, Layers: f.Runs(), Width: f.Width, Heads: f.Heads, Inner: f.Inner,
		Length: f.Longest(), HeadWidth: f.headWidth(), KVHeads: f.kvHeads(),
		Vocab: f.Vocab, Embed: f.Embed, Types: f.Segments, Norm: encoder.PostNorm, Objective: encoder.MaskedWords, Eps: f.Eps,
	}
	if f.Order == "pre" {
		c.Norm = encoder.PreNorm
	}
	if f.Causal {
		c.Objective = encoder.NextWord
	}
	for _, h := range b.present() {
		labels := b.labelsOf(h)
		apart := len(labels) == 1 || b.Problem == "multi_label_classification" && len(h.Labels) == 0
		c.Tasks = append(c.Tasks, encoder.Task{Name: h.Name, Classes: labels, Pair: h.Pair, Tokens: h.Reads == "every",
			Apart: apart})
	}
	return c
}

// Prepare packs the weights for fast products. It runs once, before the first text.
func (m *Model) Prepare() {
	m.sealed.Do(func() {
		var all sync.WaitGroup
		half := len(m.Params) / 2
		for _, part := range [][]*nn.Param{m.Params[:half], m.Params[half:]} {
			all.Go(func() { nn.Seal(part) })
		}
		all.Wait()
	})
}

// activations maps the library's names to our functions.
var activations = map[string]func(*ad.Var) *ad.Var{
	"gelu": ad.GELU, "gelu_python": ad.GELU, "relu": ad.ReLU, "gelu_new": ad.GELUTanh, "gelu_pytorch_tanh": ad.GELUTanh,
	"gelu_fast": ad.GELUTanh, "quick_gelu": ad.QuickGELU, "tanh": ad.Tanh, "silu": silu, "swish": silu,
}

// silu is x·σ(x) (Hendrycks and Gimpel 2016, sec. 2).
func silu(x *ad.Var) *ad.Var { return ad.Mul(x, ad.Sigmoid(x)) }

// parts returns all parts of a model.
func (b *builder) parts(m *Model) encoder.Parts {
	f := &b.Form
	words := b.embeddings()
	parts := encoder.Parts{Words: words, Embed: b.embedding(words)}
	parts.Begin = b.begin()
	relative := b.relative()
	shared := map[[2]int]encoder.LayerParts{}
	for l := range f.Layers {
		for i := range max(f.InEach, 1) {
			at := [2]int{l, 0}
			if f.Groups > 0 {
				at = [2]int{l * f.Groups / f.Layers, i}
			}
			layer, ok := shared[at]
			if !ok && b.wrong == nil && len(b.missing) < enoughMissing {
				layer = b.layer(at, l, relative)
				shared[at] = layer
			}
			parts.Layers = append(parts.Layers, layer)
		}
	}
	parts.Between = b.convolution()
	parts.End = b.end()
	if b.wanted("pooler/pool", "weight") {
		m.pooler = &pooler{b.linear("pooler/pool", f.Width, f.Width), b.activation(f.PoolAct, "tanh")}
	}
	parts.Scorer = b.scorer(words)
	for _, h := range b.present() {
		parts.Classify = append(parts.Classify, b.classifier(h, m))
	}
	return parts
}

// activation returns the activation with a name, or the other one if the name is empty.
func (b *builder) activation(name, otherwise string) func(*ad.Var) *ad.Var {
	if name == "" {
		name = otherwise
	}
	return activations[name]
}

// embedding returns the function for the sum of a token's embeddings: [B,N,E].
func (b *builder) embedding(words *nn.Param) func(p *nn.Pass, in encoder.Input) *ad.Var {
	f := &b.Form
	late := b.widening()
	positions := b.table("positions", f.Length+f.Spare, f.positionWidth())
	waves := f.Waves && positions == nil
	var segments *nn.Param
	if f.Segments > 0 {
		segments = b.table("segments", f.Segments, f.embed())
	}
	return func(p *nn.Pass, in encoder.Input) *ad.Var {
		n := len(in.IDs) / in.Count
		rows := func(name, tex string, table *nn.Param, ids []int) *ad.Var {
			x := ad.Reshape(ad.Rows(p.Use(table), ids), in.Count, n, table.Value.Dim(1))
			return p.Step(name, tex, trace.Activation, x, trace.Token, trace.Channel) // [N,E]
		}
		x := late(p, f.scaled(rows("word embeddings", `E_{w_i}`, words, in.IDs)))
		if positions != nil {
			x = ad.Add(x, rows("position embeddings", `P_i`, positions, f.places(in.IDs, in.From, n)))
		}
		if waves {
			place := p.Tape.Const(encoder.HalvedSinusoids(in.From, n, f.Width))
			x = ad.AddRows(x, p.Step("position embeddings", `P_i`, trace.Activation, place, trace.Token, trace.Channel))
		}
		if segments != nil {
			types := in.Types
			if types == nil || f.Segments < 2 {
				types = make([]int, len(in.IDs))
			}
			x = ad.Add(x, rows("segment embeddings", `T_{s_i}`, segments, types))
		}
		return p.Step("embedding", `X_0`, trace.Activation, x, trace.Token, trace.Channel)
	}
}

// places returns the rows of the position table for the tokens of texts with n tokens each. If positions begin after
// the padding's id, padding in a text does not advance the position and gets the row of its id.
func (f *Form) places(ids []int, from, n int) []int {
	at, next := make([]int, len(ids)), 0
	for i, id := range ids {
		if i%n == 0 {
			next = f.firstPosition() + from
		}
		if f.AfterPad && id == f.Pad {
			at[i] = f.Pad
			continue
		}
		at[i] = next
		next++
	}
	return at
}

// positionWidth returns the width of the position embeddings.
func (f *Form) positionWidth() int {
	if f.Late {
		return f.Width
	}
	return f.embed()
}

// scaled multiplies the word embeddings by their factor.
func (f *Form) scaled(x *ad.Var) *ad.Var {
	switch {
	case f.RootEmbed:
		return ad.Scale(x, ad.Elem(math.Sqrt(float64(f.Width))))
	case f.EmbedScale != 0:
		return ad.Scale(x, ad.Elem(f.EmbedScale))
	}
	return x
}

// widening widens the word embeddings, if the model does this before it adds positions.
func (b *builder) widening() func(p *nn.Pass, x *ad.Var) *ad.Var {
	f := &b.Form
	if !f.Late || !b.has("embedding", "weight") && f.embed() == f.Width {
		return func(_ *nn.Pass, x *ad.Var) *ad.Var { return x }
	}
	return b.linear("embedding", f.Width, f.embed()).Apply
}

// end returns the function after the last layer: a norm, and a projection to the width of the
// embeddings.
func (b *builder) end() func(p *nn.Pass, x *ad.Var) *ad.Var {
	f := &b.Form
	var norm nn.LayerNorm
	if f.holds("final_norm") {
		norm = b.norm("norm", f.Width)
	}
	var narrow nn.Linear
	if f.Late && (b.has("narrow", "weight") || f.embed() != f.Width) {
		narrow = b.linear("narrow", f.embed(), f.Width)
	}
	return func(p *nn.Pass, x *ad.Var) *ad.Var {
		x = norm.Apply(p, x)
		if narrow.W != nil {
			x = narrow.Apply(p, x)
		}
		return x
	}
}

// begin computes the input [N,d] of the first layer from the embeddings [N,E].
func (b *builder) begin() func(p *nn.Pass, x *ad.Var) *ad.Var {
	name := "norm"
	if b.Form.Order == "pre" {
		name = "embedding norm"
	}
	width := b.Form.positionWidth()
	if b.Form.NormWidened {
		width = b.Form.Width
	}
	norm := b.norm(name, width)
	var widen nn.Linear
	if !b.Form.Late && (b.Form.embed() != b.Form.Width || b.has("embedding", "weight")) {
		widen = b.linear("embedding", b.Form.Width, b.Form.embed())
	}
	return func(p *nn.Pass, x *ad.Var) *ad.Var {
		if !b.Form.NormWidened {
			x = norm.Apply(p, x)
		}
		if widen.W != nil {
			x = widen.Apply(p, x)
		}
		if b.Form.NormWidened {
			x = norm.Apply(p, x)
		}
		return x
	}
}

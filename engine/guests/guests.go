// Package guests adds models of the transformers library and attention layers of PyTorch to the engine. It finds
// their folders and gives each an id for addresses. It opens a model with its tokenizer when the model is first
// used. It writes and fetches nothing.
package guests

import (
	"strconv"
	"strings"
	"sync"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/engine/similarity"
	"attnatlas/engine/tokenizer"
)

// prefix begins the ids of guests, so that they differ from the ids of mechanisms and architectures.
const prefix = "hf-"

// Invite turns folders into guests of the engine.
func Invite(folders []huggingface.Folder) []*engine.Guest {
	taken := map[string]bool{}
	for _, g := range engine.Guests() {
		taken[g.ID] = true
	}
	var all []*engine.Guest
	for _, f := range folders {
		g := &engine.Guest{
			ID: unlike(id(f.Name), taken), Name: f.Name, Commit: f.Commit, Training: f.Training, Step: f.Step,
			Describe: func() (engine.ModelInfo, error) { return describe(f.Dir) },
			Open:     func() (engine.Visit, error) { return open(f) },
			Mechanism: sync.OnceValue(func() string {
				if c, err := huggingface.ReadConfig(f.Dir); err != nil || c.ModelType != huggingface.ModuleType {
					return ""
				}
				s, _ := huggingface.Summarise(f.Dir) // Describe says why a folder does not open
				return s.Mechanism
			}),
			Causal: sync.OnceValue(func() bool {
				c, err := huggingface.ReadConfig(f.Dir)
				return err == nil && c.Form.Causal
			}),
			Losses: sync.OnceValues(func() (engine.Losses, error) { return huggingface.ReadLosses(f.Training, f.Dir) }),
			Layers: sync.OnceValue(func() []engine.LayerReach { return reaches(f.Dir) }),
			Pair: sync.OnceValue(func() bool {
				c, err := huggingface.ReadConfig(f.Dir)
				return err == nil && c.Writes()
			}),
		}
		taken[g.ID] = true
		all = append(all, g)
	}
	engine.Invite(all...)
	return all
}

// id turns a name into a part of an address: its last part in lower-case letters, digits and hyphens.
func id(name string) string {
	last := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	return prefix + strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, last), "-")
}

// unlike returns an id, with a number appended if it is taken.
func unlike(id string, taken map[string]bool) string {
	for n, first := 2, id; taken[id]; n++ {
		id = first + "-" + strconv.Itoa(n)
	}
	return id
}

// reaches returns what each layer of a folder's model attends to. It returns nil for a pair and for attention layers.
func reaches(dir string) (all []engine.LayerReach) {
	c, err := huggingface.ReadConfig(dir)
	if err != nil || c.ModelType == huggingface.ModuleType || c.Writes() {
		return nil
	}
	for l := range c.Form.Runs() {
		window, both, positioned := c.Form.Reach(l)
		all = append(all, engine.LayerReach{Window: window, BothSides: both, Positioned: positioned})
	}
	return all
}

// describe describes the model of a folder.
func describe(dir string) (engine.ModelInfo, error) {
	s, err := huggingface.Summarise(dir)
	if err != nil {
		return engine.ModelInfo{}, err
	}
	f := s.Form
	info := engine.ModelInfo{
		Layers: f.Runs(), Heads: f.Heads, Width: f.Width, Length: f.Longest(), Longest: f.Longest(), Norm: f.Order,
		Score: map[string]float64{}, Params: s.Params, Mechanism: s.Mechanism, MixerOptions: s.Options,
	}
	if s.Writes {
		info.Stack = encoder.EncoderDecoder.ID
		if heads := f.Decoder().Heads; heads != f.Heads {
			info.DecoderHeads = heads
		}
		info.Options = map[string]string{encoder.DecoderLayersOption: strconv.Itoa(f.Decoder().Layers)}
	}
	return info, nil
}

// open opens the model of a folder with its tokenizer. A checkpoint without a tokenizer has that of its training.
func open(f huggingface.Folder) (engine.Visit, error) {
	dir := f.Dir
	m, err := huggingface.Open(dir)
	if err != nil {
		return engine.Visit{}, err
	}
	if m.Library.ModelType == huggingface.ModuleType {
		m.Prepare()
		return engine.Visit{Model: m.Model, Words: atlasWords{tokenizer.Default()},
			Unpooled: messages.Errorf("guest.layer.unpooled")}, nil
	}
	t, err := huggingface.OpenTokenizer(dir, m.Library.Form.Vocab)
	if err != nil && f.Training != "" {
		if whole, other := huggingface.OpenTokenizer(f.Training, m.Library.Form.Vocab); other == nil {
			t, err = whole, nil
		}
	}
	if err != nil {
		return engine.Visit{}, err
	}
	pooled, err := huggingface.ReadPooling(dir)
	m.Prepare()
	v := engine.Visit{Model: m.Model, Words: newWords(t), Pooling: similarity.Pooling(pooled), Unpooled: err}
	if m.Seq2Seq != nil && m.Seq2Seq.Guesses() {
		f := m.Library.Form
		v.Model, v.Seq2Seq = nil, m.Seq2Seq
		v.Target = predict.Target{Start: f.Start, Forced: f.Forced, Stops: f.Stops, Never: []int{f.Pad}}
	}
	return v, nil
}

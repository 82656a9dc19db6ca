package engine

import (
	"context"
	"unsafe"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/pyramid"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// LongText is a text for ReadLong, with the cost of reading it.
type LongText struct {
	Tokens        []tokenizer.Token
	Longest       int            // most tokens that the model reads
	View          attention.View // the map: that of the weights, or else the main map of the mechanism
	Model         *ModelInfo
	Layers, Heads int
	Kept, Passing int64   // bytes of the sources of all maps, and of the pass
	Operations    float64 // of the pass
}

// Weighs reports whether the numbers of the map are attention weights of pairs of tokens.
func (t LongText) Weighs() bool { return t.View.Map == attendedMap }

// Long holds the sources of the attention maps of all layers of a model for one text: queries and
// keys, or the maps in 16 bits. It is safe for concurrent use.
type Long struct {
	LongText
	Kind   trace.Kind // of the numbers of the maps
	Causal bool       // no token attends to later ones
	layers []pyramid.Source
	engine *Engine
}

// longModel opens a model that ReadLong can use, and returns its mechanism.
func (e *Engine) longModel(id string) (*model, *attention.Entry, error) {
	entry, stack, ok := Find(id)
	if !ok {
		return nil, nil, e.unknown(id)
	}
	info, err := e.Info(id)
	if err == nil {
		err = mustReadFar(entry, stack, info)
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := e.model(id)
	return m, entry, err
}

// mustReadFar returns why ReadLong does not use a model, or nil. Models of other programs must compare words by dot
// products. Ours must have formulas for any number of tokens.
func mustReadFar(entry *attention.Entry, stack *encoder.StackEntry, info *ModelInfo) error {
	product := info.Mechanism == attention.DotProduct.ID
	switch {
	case stack != nil && stack.ID == encoder.EncoderDecoder.ID:
		return fault.Errorf(fault.Unsupported, "long.two-stacks", "name", entry.Name)
	case product && entry.Compares != nil:
		return nil
	case product || len(entry.Views) == 0 || FindGuest(entry.ID) != nil:
		return fault.Errorf(fault.Unsupported, "long.mechanism", "name", entry.Name)
	}
	c := encoder.Config{Mechanism: info.Mechanism, Stack: info.Stack, Width: info.Width, Heads: info.Heads,
		Length: info.Length, MixerOptions: info.MixerOptions}
	if c.Farthest() == c.Length {
		return fault.Errorf(fault.Unsupported, "long.limited", "name", entry.Name, "tokens", c.Length)
	}
	return nil
}

// Longs reports whether ReadLong reads texts with the model of an id, as far as that is known without opening it.
func (e *Engine) Longs(id string) bool {
	info, err := e.Info(id)
	entry, stack, ok := Find(id)
	return ok && err == nil && mustReadFar(entry, stack, info) == nil
}

// MeasureLong tokenizes a text for a model, and estimates the cost of ReadLong.
func (e *Engine) MeasureLong(id, text string) (LongText, error) {
	m, entry, err := e.longModel(id)
	if err != nil {
		return LongText{}, err
	}
	_, of, err := e.longInput(m, entry, text)
	return of, err
}

// longInput returns the function that runs the model on a text, and the LongText.
func (e *Engine) longInput(m *model, entry *attention.Entry, text string) (run func(*nn.Pass), of LongText, err error) {
	if len(text) > MaxTextBytes {
		return run, of, fault.Errorf(fault.Invalid, "error.too-many-bytes", "bytes", len(text), "most", MaxTextBytes)
	}
	run, read, err := e.readTokens(m, AttendInput{ID: entry.ID, Text: text})
	c, n := m.Config, len(read.Tokens)
	switch {
	case err != nil:
		return run, of, err
	case n == 0 || m.words == nil && n == 2:
		return run, of, fault.Errorf(fault.Invalid, "error.no-words")
	case n > c.Farthest():
		return run, of, tooLong(c, c.Farthest(), n)
	}
	of = LongText{Tokens: read.Tokens, Longest: c.Farthest(), Layers: c.Layers, Heads: c.Heads, View: mapOf(entry),
		Model: &m.info}
	halting := 0 // numbers kept for each token over all steps
	if stack, ok := encoder.FindStack(c.Stack); ok {
		facts := stack.Describe(c)
		if of.Layers = facts.Runs; facts.Halts {
			halting = 5 * c.Width * facts.Runs
		}
	}
	const size = int64(unsafe.Sizeof(tensor.Elem(0)))
	d, tokens, count := float64(c.Width), float64(n), int64(n)
	queries, keys := c.Compared()
	of.Kept = int64(of.Layers) * count * int64(queries+keys) * size
	of.Passing = count * (int64(4*c.Width+4*queries+4*c.Inner+halting+64*c.Heads)*size + count*2)
	of.Operations = float64(of.Layers) * tokens * (8*d*d + 6*d*float64(c.Inner) + 4*tokens*d)
	if c.Mechanism != attention.DotProduct.ID {
		if !entry.NoHeads.IsZero() {
			of.Heads = 1
		}
		cells := int64(of.Heads) * count * count
		of.Kept = 2 * int64(of.Layers) * cells
		of.Passing += 2*cells*size + networkBytes(entry, c, n) // the map of a layer, while that of the one before is garbage
	}
	return run, of, nil
}

// networkBytes estimates the memory for the stages of a network without heads, which a recorded pass keeps.
func networkBytes(entry *attention.Entry, c encoder.Config, n int) int64 {
	if entry.Planes == nil {
		return 0
	}
	const values = 6 // of each stage
	planes := int64(entry.Planes(c.Mixer(), n))
	return planes * values * int64(n) * int64(c.Width) * int64(unsafe.Sizeof(tensor.Elem(0)))
}

// mapOf returns the view of a mechanism’s weights, or else of its main map.
func mapOf(entry *attention.Entry) attention.View {
	for _, v := range entry.Views {
		if v.Map == attendedMap {
			return v
		}
	}
	if len(entry.Views) == 0 {
		return attention.View{Map: attendedMap}
	}
	return entry.Views[0]
}

// ReadLong reads a text with a model once, and keeps the sources of the maps of all layers. read gets the number of
// finished layers.
func (e *Engine) ReadLong(ctx context.Context, id, text string, read func(layers int)) (*Long, error) {
	m, entry, err := e.longModel(id)
	if err != nil {
		return nil, err
	}
	run, of, err := e.longInput(m, entry, text)
	if err != nil {
		return nil, err
	}
	l := &Long{LongText: of, Kind: trace.Probability, Causal: m.Config.Objective == encoder.NextWord,
		engine: e}
	keep := func(layer pyramid.Source) {
		l.layers = append(l.layers, layer)
		read(len(l.layers))
	}
	err = protect(func() error {
		return e.passIn(ctx, nn.NewPass(ad.NewFrozen()), func(p *nn.Pass) {
			p.Brief = true
			if m.Config.Mechanism == attention.DotProduct.ID {
				p.OnCompare = func(p *nn.Pass, mixer nn.Mixer, q, k *ad.Var) {
					if c := attention.Compare(p, mixer, q, k); c != nil {
						keep(c)
					}
				}
			} else {
				p.Run = &trace.Run{Only: []string{of.View.Map}, Hand: func(m trace.Map) {
					if r := pyramid.Record(m); r != nil {
						l.Kind = m.Kind
						keep(r)
					}
				}}
			}
			run(p)
		})
	})
	if err != nil {
		return nil, err
	}
	if len(l.layers) == 0 {
		return nil, fault.Errorf(fault.Unsupported, "long.mechanism", "name", entry.Name)
	}
	l.Layers, l.Heads, l.Kept = len(l.layers), l.layers[0].Heads(), 0
	for _, c := range l.layers {
		l.Kept += c.Bytes()
	}
	return l, nil
}

// Readers returns up to most heads in which a query attends most to a key, largest weight first. Maps
// of counts have none.
func (l *Long) Readers(ctx context.Context, query int, keys []int, most int) (all []pyramid.Link, err error) {
	if l.Kind == trace.Count {
		return nil, nil
	}
	err = l.engine.pass(ctx, func(p *nn.Pass) {
		for i, c := range l.layers {
			row := c.Row(p, query)
			for h := range c.Heads() {
				one := pyramid.Link{Query: query, Layer: i + 1, Head: h + 1}
				for _, k := range keys {
					if w := float64(row.At(h, k)); w > one.Weight {
						one.Key, one.Weight = k, w
					}
				}
				if one.Weight > 0 {
					all = append(all, one)
				}
			}
		}
	})
	return pyramid.Strongest(all, most), err
}

// mostPooled is a variable for tests of large texts.
var mostPooled = pyramid.MostKept

// Head computes the overviews of a head, layer and head from 1. The context can end it.
func (l *Long) Head(ctx context.Context, layer, head int) (*pyramid.Head, error) {
	if layer < 1 || layer > l.Layers || head < 1 || head > l.Heads {
		return nil, fault.Errorf(fault.NotFound, "long.head", "layer", layer, "head", head, "layers", l.Layers,
			"heads", l.Heads)
	}
	of := pyramid.Map{Source: l.layers[layer-1], Layer: layer, Head: head, Tokens: l.Tokens, Kind: l.Kind,
		Most: mostPooled}
	of.Tiles = func(ctx context.Context, do func(*nn.Pass) error) error {
		return l.engine.pass(ctx, failing(do))
	}
	return pyramid.New(ctx, of, func(ctx context.Context, do func(*nn.Pass) error) error {
		return l.engine.passIn(ctx, nn.NewPass(ad.NewFrozen()), failing(do)) // its memory is not kept
	})
}

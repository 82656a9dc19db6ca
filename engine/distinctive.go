package engine

import (
	"context"

	"attnatlas/engine/fault"
	"attnatlas/engine/headstats"
	"attnatlas/engine/trace"
)

// distinguish sets for every layer of a result how much each head depends on the words, and which head is the most
// distinctive.
func (e *Engine) distinguish(ctx context.Context, res *Result) error {
	known, err := e.heads.Of(res.ID, res.Entry, func(text string) (headstats.Shown, error) {
		return e.shown(ctx, res, text)
	})
	for name, layers := range layersOf(res) {
		for i := range layers {
			layers[i].Dependence, layers[i].Distinctive = known.Layer(name, i)
		}
	}
	return err
}

// layersOf returns the layers of a result and of its parts, by the name of the part.
func layersOf(res *Result) map[string][]Layer {
	all := map[string][]Layer{"": res.Layers}
	for _, part := range res.Parts {
		all[part.Name] = part.Layers
	}
	return all
}

// shown returns what a model shows for another text.
func (e *Engine) shown(ctx context.Context, like *Result, text string) (headstats.Shown, error) {
	rep := &Report{Text: text, Mechanisms: []Result{{ID: like.ID, Entry: like.Entry, Stack: like.Stack}}}
	rep.Tokens, _ = e.vocab.EncodePair(text)
	res := &rep.Mechanisms[0]
	if err := e.compute(ctx, rep, Request{Text: text, brief: true}, res); err != nil {
		return headstats.Shown{}, err
	}
	rep.LabelAxes()
	shown := headstats.Shown{Layers: map[string][][]trace.Map{}, Tokens: res.Tokens}
	for name, layers := range layersOf(res) {
		for _, l := range layers {
			shown.Layers[name] = append(shown.Layers[name], l.Maps)
		}
	}
	return shown, nil
}

// Depends reports whether a head of the layer depends on the words.
func (l Layer) Depends() bool { return headstats.Depend(l.Dependence) }

// Profiles returns the profiles of all heads of a result, layer by layer.
func (res *Result) Profiles() (all []headstats.HeadProfile, err error) {
	if res.Err != nil {
		return nil, res.Err
	}
	for _, l := range res.Layers {
		all = append(all, headstats.ProfilesOf(res.Entry, l.Number, l.Maps, l.Dependence, res.Tokens)...)
	}
	if len(all) == 0 {
		return nil, fault.Errorf(fault.Unsupported, "headtable.none", "name", res.Name())
	}
	return all, nil
}

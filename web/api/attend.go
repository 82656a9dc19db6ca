package api

import (
	"maps"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Query selects the requested layers, heads and maps.
type Query struct {
	exhibit.Choice
	AllLayers, AllHeads bool
	Maps                []string // names; empty: all

	head   int               // head of one layer, from 1; 0: the mean, or all heads
	cut    []bool            // ablated heads of the layer
	tokens []tokenizer.Token // tokens of the text; nil: no filter excludes cells
	named  bool              // maps repeat the labels of the text's own tokens
}

// headIn returns the query of a layer. It selects one head, unless all heads are requested.
func (q Query) headIn(sel *exhibit.Selection, res *engine.Result, layer engine.Layer) Query {
	_, own := q.Heads[res.ID]
	if q.AllHeads = q.AllHeads && !own; !q.AllHeads {
		q.head = sel.HeadIn(res, layer)
	}
	return q
}

// wantsHeads reports whether a requested map has separate heads.
func (q Query) wantsHeads(t trace.Map) bool {
	_, apart := t.Has(trace.Head)
	return apart && q.Wants(t.Name)
}

// NewAttend returns the response for a report, without its mechanisms.
func NewAttend(r *engine.Report, mask string) Attend {
	return Attend{Version: 1, Text: r.Text, Mask: mask, Tokens: Tokens(r.Tokens)}
}

// Tokens returns the tokens of a text for a response.
func Tokens(list []tokenizer.Token) []AttendToken {
	all := make([]AttendToken, len(list))
	for i, t := range list {
		all[i] = AttendToken{Piece: t.Piece, Text: t.Text, Label: t.Label(), Start: t.Start, End: t.End,
			Special: t.IsSpecial()}
	}
	return all
}

// NewMechanism returns the response of one mechanism to a query, or its error.
func NewMechanism(sel *exhibit.Selection, res *engine.Result, q Query, l *messages.Language) (AttendMechanism, error) {
	m := AttendMechanism{ID: res.ID, Task: taskOf(res), Heads: res.Heads, Layers: []AttendLayer{}}
	if res.Err != nil {
		return m, res.Err
	}
	layers := res.Layers
	if !q.AllLayers || len(layers) == 0 {
		layer, err := engine.LayerOf(res, layers, q.Layer)
		if err != nil {
			return m, err
		}
		layers = []engine.Layer{layer}
	}
	m.Note, q.tokens = l.Say(exhibit.Note(res, sel.Report.TokensOf(res))), sel.Report.TokensOf(res)
	if res.Tokens != nil {
		m.Tokens = Tokens(res.Tokens)
	}
	for _, layer := range layers {
		one := q.headIn(sel, res, layer)
		one.cut = layer.CutHeads
		if !slices.ContainsFunc(layer.Maps, q.wantsHeads) {
			one.head = exhibit.Mean // none of the requested maps has separate heads
		}
		maps, err := one.maps(res, layer.Maps)
		if err != nil {
			return m, err
		}
		m.Layers = append(m.Layers, AttendLayer{Layer: layer.Number, Name: layer.Name, Head: one.head, Maps: maps})
	}
	if err := m.addParts(sel, res, q); err != nil {
		return m, err
	}
	for _, t := range res.Maps {
		if q.Wants(t.Name) {
			m.Maps = append(m.Maps, NewMap(t))
		}
	}
	for _, c := range res.Cut {
		m.Cut = append(m.Cut, c.String())
	}
	m.tell(res)
	return m, nil
}

// addParts adds the maps of an encoder–decoder's decoder. Layers that the decoder does not have are
// left out.
func (m *AttendMechanism) addParts(sel *exhibit.Selection, res *engine.Result, q Query) error {
	q.tokens = nil // its tokens differ
	for _, name := range [...]string{engine.CrossPart, engine.DecoderPart} {
		part, ok := res.Part(name)
		if !ok {
			continue
		}
		one := AttendPart{Of: name, Layers: []AttendLayer{}}
		for _, layer := range part.Layers {
			if !q.AllLayers && layer.Number != max(q.Layer, 1) {
				continue
			}
			in := q.headIn(sel, res, layer)
			maps, err := in.maps(res, layer.Maps)
			switch {
			case fault.KindOf(err) == fault.NotFound: // it can have fewer heads
				continue
			case err != nil:
				return err
			}
			one.Layers = append(one.Layers, AttendLayer{Layer: layer.Number, Name: layer.Name, Head: in.head, Maps: maps})
		}
		m.Parts = append(m.Parts, one)
	}
	return nil
}

// tell adds the model's predictions for the text.
func (m *AttendMechanism) tell(res *engine.Result) {
	if res.Generated != nil {
		m.Written = res.Generated.Text
	}
	for _, p := range res.Predictions {
		m.Predictions = append(m.Predictions, AttendPrediction{Token: p.At, Next: p.Next, Words: Words(p.Words)})
	}
	for _, g := range res.Guesses {
		guess := AttendGuess{Task: g.Task, Classes: []AttendClass{}, Token: g.Token, Apart: g.Apart}
		for _, c := range g.Classes {
			guess.Classes = append(guess.Classes, AttendClass(c))
		}
		m.Guesses = append(m.Guesses, guess)
	}
	if e := res.Estimate; e != (method.Estimate{}) {
		m.Estimate = &AttendEstimate{e.Directions, e.Of, e.Error}
	}
	for _, c := range res.Charges {
		m.Charges = append(m.Charges, AttendCharge(c))
	}
}

// Wants reports whether a map with this name is requested.
func (q Query) Wants(name string) bool { return len(q.Maps) == 0 || slices.Contains(q.Maps, name) }

// maps returns the requested maps of a layer.
func (q Query) maps(res *engine.Result, of []trace.Map) ([]AttendMap, error) {
	list := []AttendMap{}
	for _, t := range of {
		if !q.Wants(t.Name) {
			continue
		}
		if !q.AllHeads {
			one, err := engine.HeadOf(res, t, q.head, q.cut)
			if err != nil {
				return nil, err
			}
			t = one
		}
		m := NewMap(t)
		if q.named {
			m.label(t, func(a trace.Axis) bool { return a.Text })
		}
		if q.tokens != nil {
			m.Aside = q.Filter.Cells(t, q.tokens)
		}
		list = append(list, m)
	}
	return list, nil
}

// Labelled returns the maps of a layer with a name, with the labels of the text's own tokens. It also returns the
// number of their head.
func (q Query) Labelled(sel *exhibit.Selection, res *engine.Result, layer engine.Layer,
	name string) (head int, maps []AttendMap, err error) {
	q = q.headIn(sel, res, layer)
	q.Maps, q.named = []string{name}, true
	maps, err = q.maps(res, layer.Maps)
	return q.head, maps, err
}

// NewMap returns a map with its axes. It leaves out the labels of the text's own tokens, because
// the response already lists them.
func NewMap(t trace.Map) AttendMap {
	m := AttendMap{Name: t.Name, Kind: t.Kind.String(), Axes: []string{}, Shape: t.Value.Shape,
		Values: Values(t.Value.Data)}
	if m.Shape == nil {
		m.Shape = []int{}
	}
	for _, axis := range t.Axes {
		m.Axes = append(m.Axes, axis.Role.String())
	}
	m.label(t, func(a trace.Axis) bool { return !a.Text })
	m.Classes = t.Classes
	m.Reach = reachOf(t)
	return m
}

// label adds the labels of some axes.
func (m *AttendMap) label(t trace.Map, takes func(trace.Axis) bool) {
	for i, axis := range t.Axes {
		if axis.Labels == nil || !takes(axis) {
			continue
		}
		if m.Labels == nil {
			m.Labels = make([][]string, len(t.Axes))
		}
		m.Labels[i] = axis.Labels
	}
}

// reachOf encodes the cells within the mask and pattern of a map, or returns "" if all are.
func reachOf(t trace.Map) string {
	n := t.Value.Rank()
	if t.Reach == nil || n < 2 || len(t.Axes) != n || t.Axes[n-2].Role != trace.Query {
		return ""
	}
	rows, cols := t.Value.Dim(n-2), t.Value.Dim(n-1)
	b := make([]byte, 0, rows*cols)
	for i := range rows {
		for j := range cols {
			if t.Reach(i, j) {
				b = append(b, '1')
			} else {
				b = append(b, '0')
			}
		}
	}
	if !slices.Contains(b, '0') {
		return ""
	}
	return string(b)
}

// taskOf returns the tasks for which a model was trained.
func taskOf(m *engine.Result) string {
	if m.Model == nil {
		return ""
	}
	return strings.Join(slices.Sorted(maps.Keys(m.Model.Score)), ", ")
}

// Words returns tokens with their probabilities for a response.
func Words(list []predict.Word) []AttendWord {
	all := make([]AttendWord, len(list))
	for i, w := range list {
		all[i] = AttendWord(w)
	}
	return all
}

package api

import (
	"maps"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Query says which layers, heads and maps are wanted.
type Query struct {
	exhibit.Choice
	AllLayers, AllHeads bool
	Maps                []string // names; empty: all
}

// NewAttend describes a report without its mechanisms.
func NewAttend(r *engine.Report, mask string) Attend {
	return Attend{Version: 1, Text: r.Text, Mask: mask, Tokens: tokens(r.Tokens)}
}

func tokens(list []tokenizer.Token) []AttendToken {
	all := make([]AttendToken, len(list))
	for i, t := range list {
		all[i] = AttendToken{Piece: t.Piece, Text: t.Text, Label: t.Label(), Start: t.Start, End: t.End, Special: t.IsSpecial()}
	}
	return all
}

// NewMechanism is what one mechanism answers a query, or why it does not.
func NewMechanism(res *engine.Result, r *engine.Report, q Query, l *messages.Language) (AttendMechanism, error) {
	m := AttendMechanism{ID: res.ID, Task: taskOf(res), Heads: res.Heads, Layers: []AttendLayer{}}
	if res.Err != nil {
		return m, res.Err
	}
	layers := res.Layers
	if !q.AllLayers || len(layers) == 0 {
		layer, err := exhibit.LayerOf(res, layers, q.Layer)
		if err != nil {
			return m, err
		}
		layers = []engine.Layer{layer}
	}
	m.Note = l.Say(exhibit.Note(res, r.Tokens))
	for _, layer := range layers {
		maps, err := q.maps(res, layer.Maps, false)
		if err != nil {
			return m, err
		}
		m.Layers = append(m.Layers, AttendLayer{Layer: layer.Number, Name: layer.Name, Maps: maps})
	}
	for _, t := range res.Maps {
		if q.wants(t.Name) {
			m.Maps = append(m.Maps, newMap(t, false))
		}
	}
	m.tell(res)
	return m, nil
}

// tell adds what a model says of the text.
func (m *AttendMechanism) tell(res *engine.Result) {
	if res.Generated != nil {
		m.Written = res.Generated.Text
	}
	for _, p := range res.Predictions {
		m.Predictions = append(m.Predictions, AttendPrediction{Token: p.At, Next: p.Next, Words: words(p.Words)})
	}
	for _, g := range res.Guesses {
		guess := AttendGuess{Task: g.Task, Classes: []AttendClass{}}
		for _, c := range g.Classes {
			guess.Classes = append(guess.Classes, AttendClass(c))
		}
		m.Guesses = append(m.Guesses, guess)
	}
	for _, c := range res.Charges {
		m.Charges = append(m.Charges, AttendCharge(c))
	}
}

func (q Query) wants(name string) bool { return len(q.Maps) == 0 || slices.Contains(q.Maps, name) }

// maps are those of a layer that are wanted.
func (q Query) maps(res *engine.Result, of []trace.Map, named bool) ([]AttendMap, error) {
	list := []AttendMap{}
	for _, t := range of {
		if !q.wants(t.Name) {
			continue
		}
		if !q.AllHeads {
			one, err := exhibit.HeadOf(res, t, q.Head)
			if err != nil {
				return nil, err
			}
			t = one
		}
		list = append(list, newMap(t, named))
	}
	return list, nil
}

// newMap is a map with its axes. Labels of the text's own tokens are among the answer's
// tokens already; named says to repeat them.
func newMap(t trace.Map, named bool) AttendMap {
	m := AttendMap{Name: t.Name, Kind: t.Kind.String(), Axes: []string{}, Shape: t.Value.Shape, Values: Values(t.Value.Data)}
	if m.Shape == nil {
		m.Shape = []int{}
	}
	for i, axis := range t.Axes {
		m.Axes = append(m.Axes, axis.Role.String())
		if axis.Labels == nil || axis.Text && !named {
			continue
		}
		if m.Labels == nil {
			m.Labels = make([][]string, len(t.Axes))
		}
		m.Labels[i] = axis.Labels
	}
	m.Classes = t.Classes
	m.Reach = reachOf(t)
	return m
}

// reachOf writes which cells of a map are permitted, or nothing when all are.
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

// taskOf names what a model was trained for.
func taskOf(m *engine.Result) string {
	if m.Model == nil {
		return ""
	}
	return strings.Join(slices.Sorted(maps.Keys(m.Model.Score)), ", ")
}

func words(list []engine.Word) []AttendWord {
	all := make([]AttendWord, len(list))
	for i, w := range list {
		all[i] = AttendWord(w)
	}
	return all
}

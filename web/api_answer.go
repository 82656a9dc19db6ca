package web

import (
	"maps"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// answerMechanism is what one mechanism answers a request, or why it does not.
func answerMechanism(res *engine.Result, tokens []tokenizer.Token, q attendQuery) (AttendMechanism, error) {
	m := AttendMechanism{ID: res.ID, Task: taskOf(res), Heads: res.Heads, Written: res.Written, Layers: []AttendLayer{}}
	layers := res.Layers
	if !q.allLayers || res.Err != nil || len(layers) == 0 {
		layer, err := pickLayer(res, q.state.Layer)
		if err != nil {
			return m, err
		}
		layers = []engine.Layer{layer}
	}
	m.Note = note(res, tokens)
	for _, layer := range layers {
		l := AttendLayer{Layer: layer.Number, Name: layer.Name, Maps: []AttendMap{}}
		for _, t := range layer.Maps {
			if len(q.maps) > 0 && !slices.Contains(q.maps, t.Name) {
				continue
			}
			if !q.allHeads {
				one, err := pickHead(res, t, q.state.Head)
				if err != nil {
					return m, err
				}
				t = one
			}
			l.Maps = append(l.Maps, answerMap(t))
		}
		m.Layers = append(m.Layers, l)
	}
	for _, t := range res.Maps {
		if len(q.maps) == 0 || slices.Contains(q.maps, t.Name) {
			m.Maps = append(m.Maps, answerMap(t))
		}
	}
	m.Predictions = answerPredictions(res.Predictions)
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
	return m, nil
}

func answerMap(t trace.Map) AttendMap {
	m := AttendMap{Name: t.Name, Kind: t.Kind.String(), Axes: []string{}, Shape: t.Value.Shape, Values: Values(t.Value.Data)}
	if m.Shape == nil {
		m.Shape = []int{}
	}
	for _, axis := range t.Axes {
		m.Axes = append(m.Axes, axis.Role.String())
	}
	for i, axis := range t.Axes {
		if axis.Labels != nil && m.Labels == nil {
			m.Labels = make([][]string, len(t.Axes))
		}
		if axis.Labels != nil {
			m.Labels[i] = axis.Labels
		}
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

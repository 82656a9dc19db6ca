package web

import (
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/trace"
)

// pickLayer is the layer of a number, or the first one for 0: there the maps are
// easiest to read.
func pickLayer(m *engine.Result, number int) (engine.Layer, error) {
	if m.Err != nil {
		return engine.Layer{}, m.Err
	}
	if len(m.Layers) == 0 {
		return engine.Layer{}, engine.Errorf(engine.Internal, "%s reported neither layers nor an error", m.ID)
	}
	if number == 0 {
		return m.Layers[0], nil
	}
	for _, layer := range m.Layers {
		if layer.Number == number {
			return layer, nil
		}
	}
	one := unit(m)
	has := "has"
	if one != "layer" {
		has = "took"
	}
	return engine.Layer{}, engine.Errorf(engine.NotFound,
		"%s %s %s; there is no %s %d", nameOf(m), has, components.Count(len(m.Layers), one), one, number)
}

// unit is what a model calls its layers: "layer", or "step" of one layer that repeats.
func unit(m *engine.Result) string {
	if len(m.Layers) == 0 {
		return "layer"
	}
	one, _, _ := strings.Cut(m.Layers[0].Name, " ")
	return one
}

// wholeMap is a map that a stack itself shows.
func wholeMap(m *engine.Result, name string) (trace.Map, bool) {
	return (&trace.Run{Steps: m.Maps}).Find(name)
}

// pickHead is the map of one head, or of the mean over heads, without the head
// axis. A map without a head axis is the same for every head that there is.
func pickHead(m *engine.Result, t trace.Map, head int) (trace.Map, error) {
	if head == MeanHead {
		return t.HeadMean(), nil
	}
	if head > m.Heads {
		return trace.Map{}, engine.Errorf(engine.NotFound,
			"%s has %s; there is no head %d", nameOf(m), components.Count(m.Heads, "head"), head)
	}
	one, err := t.Head(head - 1)
	if err != nil {
		return trace.Map{}, &engine.Error{Kind: engine.Internal, Msg: "the map of one head could not be taken", Err: err}
	}
	return one, nil
}

// pickMap is the map of a name for the layer and head of a state.
func pickMap(m *engine.Result, s State, name string) (trace.Map, error) {
	if t, ok := wholeMap(m, name); ok {
		return t, nil
	}
	layer, err := pickLayer(m, s.Layer)
	if err != nil {
		return trace.Map{}, err
	}
	t, ok := layer.Find(name)
	if !ok {
		return trace.Map{}, engine.Errorf(engine.NotFound, "%s shows no map %s", nameOf(m), shown(name))
	}
	return pickHead(m, t, s.Head)
}

// nameOf is what a sentence calls a mechanism.
func nameOf(m *engine.Result) string {
	if m.Entry == nil {
		return shown(m.ID)
	}
	return m.Entry.Name
}

// unknownMap is an error if a name is that of no map of any of the mechanisms. What a
// mechanism without an answer shows is not known.
func unknownMap(all []engine.Result, names []string) error {
	for _, name := range names {
		var shows []string
		for i := range all {
			maps := mapNames(&all[i])
			if all[i].Err != nil || slices.Contains(maps, name) {
				shows = nil
				break
			}
			shows = append(shows, nameOf(&all[i])+" shows "+strings.Join(maps, ", "))
		}
		if shows != nil {
			return engine.Errorf(engine.NotFound, "There is no map %s. %s.", shown(name), strings.Join(shows, "; "))
		}
	}
	return nil
}

// mapNames are the maps of any layer, and of all layers together.
func mapNames(m *engine.Result) []string {
	var names []string
	add := func(maps []trace.Map) {
		for _, t := range maps {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	for _, layer := range m.Layers {
		add(layer.Maps)
	}
	add(m.Maps)
	return names
}

package exhibit

import (
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/trace"
)

// find returns a map of one head by its name, with all its planes, before it is drawn. The empty name stands for
// the main map.
func (s *Selection) find(id, name string) (*Exhibit, error) {
	res := s.Result(id)
	if res == nil {
		return nil, fault.Errorf(fault.NotFound, "error.not-in-report", "id", messages.Quote(id))
	}
	if res.Err != nil {
		return nil, res.Err
	}
	if name == "" {
		name = s.Choice.Show.mainMap(res.Entry)
		if recordedParts(res) {
			name = res.Parts[0].Name
		}
	}
	key := mapKey{id, name}
	if f, ok := s.maps[key]; ok {
		return f, nil
	}
	f := &Exhibit{Result: res, Name: name, View: viewOf(res, name), chosen: s.Choice.Norm, text: s.Report}
	if err := s.take(f); err != nil {
		return nil, err
	}
	var err error
	if f.Layout, err = figure.LayoutOf(f.Map); err != nil {
		return nil, err
	}
	s.maps[key] = f
	return f, nil
}

// recordedParts reports whether an encoder–decoder has maps of some parts but none of its encoder, as recordings
// do.
func recordedParts(res *engine.Result) bool { return len(res.Layers) == 0 && len(res.Parts) > 0 }

// take selects the map of the chosen layer and head.
func (s *Selection) take(f *Exhibit) error {
	if f.Name == HeadSheet {
		return s.sheet(f)
	}
	if f.Map, f.Whole = (&trace.Run{Steps: f.Result.Maps}).Find(f.Name); f.Whole {
		f.Head = messages.New("head.none")
		return nil
	}
	missing := fault.Errorf(fault.NotFound, "error.no-map", "name", f.Result.Name(), "map", messages.Quote(f.Name))
	layers, name, number := f.Result.Layers, f.Name, s.Choice.Layer
	if part, ok := f.Result.Part(f.Name); ok {
		layers, name, f.Part = part.Layers, engine.PartMap(part.Name), part.Name
		if number == 0 {
			number = part.Usual()
		}
	} else if recordedParts(f.Result) {
		return missing
	}
	var err error
	if f.Layer, err = engine.LayerOf(f.Result, layers, number); err != nil {
		return err
	}
	t, ok := f.Layer.Find(name)
	if !ok {
		return missing
	}
	f.Number = s.HeadIn(f.Result, f.Layer)
	f.Head = s.headOf(f, t)
	f.Map, err = engine.HeadOf(f.Result, t, f.Number, f.Layer.CutHeads)
	return err
}

// headOf names the head or mean whose map is shown.
func (s *Selection) headOf(f *Exhibit, t trace.Map) messages.Message {
	head, heads := f.Number, f.Result.Heads
	for _, cut := range f.Layer.CutHeads {
		if cut && head == Mean {
			heads--
		}
	}
	_, apart := t.Has(trace.Head)
	_, pairs := t.Has(trace.Query)
	made, _ := method.Of(t.Name)
	hasHead := func(m trace.Map) bool { _, ok := m.Has(trace.Head); return ok }
	switch {
	case made != nil && !apart:
		return messages.New("head.all")
	case !slices.ContainsFunc(f.Layer.Maps, hasHead):
		return messages.New("head.none")
	case !apart:
		return messages.New("head.same")
	case head == Mean && t.Kind == trace.Category && pairs:
		return messages.New("head.any", "heads", messages.New("count.head", "count", heads))
	case head == Mean && t.Kind == trace.Category:
		return messages.New("head.classes")
	case head == Mean && t.Features():
		return messages.New("head.features")
	case head == Mean:
		return messages.New("head.mean", "count", heads)
	case s.Choice.HeadFor(f.Result.ID) == Auto:
		return messages.New("head.distinctive", "number", head, "heads", heads)
	}
	return messages.New("head.number", "number", head)
}

// viewOf returns the view of a map, or the zero View if the mechanism has none for it.
func viewOf(res *engine.Result, name string) attention.View {
	if m, v := method.Of(name); m != nil {
		return v
	}
	if part, ok := res.Part(name); ok {
		symbol := "A"
		if engine.PartMap(part.Name) == method.Rollout {
			symbol = "R"
		}
		return attention.View{Map: name, Symbol: symbol}
	}
	for _, v := range Views(res) {
		if v.Map == name {
			return v
		}
	}
	return attention.View{}
}

// Views lists the maps worth showing of a mechanism's layers and of the architecture around them.
func Views(res *engine.Result) []attention.View {
	var views []attention.View
	if res.Entry != nil {
		views = res.Entry.Views
	}
	if res.Stack != nil {
		views = slices.Concat(views, res.Stack.Views)
	}
	return views
}

// CheckNames returns an error if a name belongs to no map of any of the mechanisms. The maps of a mechanism
// without a result are unknown, so any name is accepted then.
func (s *Selection) CheckNames(names []string) error {
	all := s.Report.Mechanisms
	for _, name := range names {
		var shows []messages.Message
		for i := range all {
			maps := MapNames(&all[i])
			if all[i].Err != nil || slices.Contains(maps, name) {
				shows = nil
				break
			}
			shows = append(shows, messages.New("error.shows-maps", "name", all[i].Name(), "maps", messages.List(maps)))
		}
		if shows != nil {
			return fault.Errorf(fault.NotFound, "error.no-such-map", "map", messages.Quote(name), "shows",
				messages.Join("; ", shows...))
		}
	}
	return nil
}

// MapNames lists the maps of any layer, and of all layers together.
func MapNames(m *engine.Result) []string {
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

package exhibit

import (
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
)

// Choice says which maps of a report are shown, and how.
type Choice struct {
	Layer int // from 1; 0: the first, and of what was written the last
	Head  int // of all cards: from 1, Mean or Auto
	// Heads are the heads of cards that have one of their own, by id; nil: none has.
	Heads map[string]int
	Show  Show
	Norm  figure.Norm
	// Filter says what is set aside.
	Filter Filter
}

// Show is what the cards show.
type Show uint8

// The things to show.
const (
	Maps         Show = iota // what each mechanism computes
	Influence                // ‖∂y_i/∂x_j‖, which all have
	Rollout                  // what came from where, through all layers
	ValueZeroing             // how an output turns without a word's value
	Norm                     // how long what a word puts into an output is
	Flow                     // how much can come from where, through all layers
)

var showNames = [...]string{"maps", "influence", "rollout", "value-zeroing", "norm", "flow"}

func (s Show) String() string { return showNames[s] }

// Shows lists the things to show in the order in which a page offers them.
func Shows() []Show { return []Show{Maps, Influence, Rollout, ValueZeroing, Norm, Flow} }

// ShowOf is what has to be shown so that maps of these names are computed.
func ShowOf(names ...string) Show {
	show := Maps
	for _, name := range names {
		if _, of, ok := derived(name); ok {
			show = of
		}
	}
	return show
}

// MethodsOf lists what has to be shown so that all maps of these names are computed, beside
// what mechanisms compute themselves.
func MethodsOf(names ...string) []string {
	var all []string
	for _, name := range names {
		if _, of, ok := derived(name); ok && !slices.Contains(all, of.String()) {
			all = append(all, of.String())
		}
	}
	return all
}

// family are the views of the maps that are made of a model's others, in the same way for all:
// the main one first. Not every model has all of the others. Maps have none.
func (s Show) family() []attention.View {
	var views []attention.View
	view := func(name, symbol string) { views = append(views, attention.View{Map: name, Symbol: symbol}) }
	switch s {
	case Influence:
		view(engine.Influence, engine.InfluenceSymbol)
	case Rollout:
		view(engine.Rollout, "R")
	case ValueZeroing:
		view(engine.ValueZeroing, "Z")
		view(engine.ValueZeroingResidual, "Z_r")
		view(engine.ValueZeroingMixer, "Z_m")
		view(engine.ValueZeroingRollout, "ΠZ")
	case Norm:
		view(engine.Norm, "‖ΣAf(x)‖")
		view(engine.NormMixing, "r")
		view(engine.NormHead, "‖Af(x)‖")
		view(engine.NormValue, "‖f(x)‖")
		view(engine.NormResidual, "‖ΣAf(x) + x‖")
		view(engine.NormAfter, "‖LN‖")
	case Flow:
		view(engine.Flow, "F")
	}
	for i, v := range views {
		if s != Rollout { // whose caption depends on the layer
			views[i].Caption = messages.New("caption." + messages.Key(v.Map))
		}
	}
	return views
}

// derived is the view of a map that is made of a model's others, and what shows it.
func derived(name string) (attention.View, Show, bool) {
	for _, s := range Shows() {
		for _, v := range s.family() {
			if v.Map == name {
				return v, s, true
			}
		}
	}
	return attention.View{}, Maps, false
}

// Apart says that heads have maps of their own in what is shown.
func (s Show) Apart() bool { return s == Maps }

// Derived is the name of the only map that cards show, or empty where they show their own.
func (s Show) Derived() string {
	if s == Maps {
		return ""
	}
	return s.String()
}

// views are the maps that a card shows, the main one first.
func (s Show) views(e *attention.Entry) []attention.View {
	if s != Maps {
		return s.family()
	}
	return e.Views
}

// mainMap is the name of the map that a card shows first.
func (s Show) mainMap(e *attention.Entry) string {
	if name := s.Derived(); name != "" {
		return name
	}
	return MainMap(e)
}

// MainMap is the name of the map that a mechanism shows first.
func MainMap(e *attention.Entry) string {
	if e == nil || len(e.Views) == 0 {
		return "weights"
	}
	return e.Views[0].Map
}

// InfluenceLayer is the layer whose influence is to be measured; 0: none.
func (c Choice) InfluenceLayer() int { return c.layerOf(Influence) }

// layerOf is the layer of which something is to be measured; 0: it is not shown.
func (c Choice) layerOf(show Show) int {
	if c.Show == show {
		return max(c.Layer, 1)
	}
	return 0
}

// OneLayer says that what is shown is measured for one layer.
func (c Choice) OneLayer() bool {
	return c.Show != Maps && c.Show != Rollout
}

// Ask adds what is shown to what the engine is asked.
func (c Choice) Ask(r *engine.Request) {
	r.Influence, r.Rollout = c.InfluenceLayer(), c.Show == Rollout
	r.Zeroing, r.Norms, r.Flow = c.layerOf(ValueZeroing), c.layerOf(Norm), c.layerOf(Flow)
}

// Refused says why a mechanism has nothing of what is shown; zero where it has.
func (s Show) Refused(e *attention.Entry) messages.Message {
	switch s {
	case Rollout, Flow:
		return e.NoRollout
	case ValueZeroing:
		return e.NoValues
	case Norm:
		return e.NoSum
	}
	return messages.Message{}
}

package exhibit

import (
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
)

// Mean is the Choice.Head that means the mean over all heads.
const Mean = 0

// Choice says which maps of a report are shown, and how.
type Choice struct {
	Layer int // from 1; 0: the first, and of what was written the last
	Head  int // from 1, or Mean
	Show  Show
	Norm  figure.Norm
}

// Show is what the cards show.
type Show uint8

// The things to show.
const (
	Maps      Show = iota // what each mechanism computes
	Influence             // ‖∂y_i/∂x_j‖, which all have
	Rollout               // what came from where, through all layers
)

var showNames = [...]string{"maps", "influence", "rollout"}

func (s Show) String() string { return showNames[s] }

// Shows lists the things to show in the order in which a page offers them.
func Shows() []Show { return []Show{Maps, Influence, Rollout} }

// ShowOf is what has to be shown so that maps of these names are computed.
func ShowOf(names ...string) Show {
	show := Maps
	for _, name := range names {
		switch name {
		case engine.Influence:
			show = Influence
		case engine.Rollout:
			show = Rollout
		}
	}
	return show
}

// derived is the view of a map that is made of a model's others, in the same way for all.
func derived(name string) (attention.View, bool) {
	switch name {
	case engine.Influence:
		return attention.View{Map: name, Symbol: "‖∂yᵢ/∂xⱼ‖"}, true
	case engine.Rollout:
		return attention.View{Map: name, Symbol: "R"}, true
	}
	return attention.View{}, false
}

// Derived is the name of the only map that cards show, or empty where they show their own.
func (s Show) Derived() string {
	if s == Maps {
		return ""
	}
	return s.String()
}

// views are the maps that a card shows, the main one first.
func (s Show) views(e *attention.Entry) []attention.View {
	if v, ok := derived(s.Derived()); ok {
		return []attention.View{v}
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
func (c Choice) InfluenceLayer() int {
	if c.Show == Influence {
		return max(c.Layer, 1)
	}
	return 0
}

package exhibit

import (
	"cmp"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
)

// Choice selects which maps of a report are shown, and how.
type Choice struct {
	Layer int // from 1; 0 is the first layer, or the last one for generated text
	Head  int // of all cards: from 1, or Mean or Auto
	// Heads maps ids of cards to heads that differ from Head. It is nil if no card has a head of its own.
	Heads map[string]int
	Show  Show
	Norm  figure.Norm
	// Filter selects the cells that are excluded.
	Filter Filter
	// Words leaves out the special tokens [CLS] and [SEP]. Only figures and data files use it.
	Words bool
	// Order is the order of the tokens along the axes of maps.
	Order Order
}

// Show is the view that cards show: Maps, or the name of a method.
type Show string

// Views that the code treats specially.
const (
	Maps      Show = ""               // the maps that each mechanism computes
	Influence Show = method.Influence // ‖∂y_i/∂x_j‖, defined for every mechanism
)

// String returns the name of the view, as in addresses.
func (s Show) String() string { return cmp.Or(string(s), "maps") }

// Shows lists the views in the order in which a page offers them.
func Shows() []Show {
	all := []Show{Maps}
	for _, m := range method.Catalog() {
		all = append(all, Show(m.Name))
	}
	return all
}

// Method returns the method that measures the view, or nil for Maps.
func (s Show) Method() *method.Method { return method.Find(string(s)) }

// ShowOf returns the view that must be chosen so that maps of these names are computed.
func ShowOf(names ...string) Show {
	show := Maps
	for _, name := range MethodsOf(names...) {
		show = Show(name)
	}
	return show
}

// MethodsOf lists the methods that measure maps of these names. Mechanisms compute all other maps themselves.
func MethodsOf(names ...string) []string {
	var all []string
	for _, name := range names {
		if m, _ := method.Of(name); m != nil && !slices.Contains(all, m.Name) {
			all = append(all, m.Name)
		}
	}
	return all
}

// PerHead reports whether heads have maps of their own in the view.
func (s Show) PerHead() bool { return s == Maps }

// Derived returns the name of the only map that cards show in the view. It is empty for Maps, where cards show
// their own.
func (s Show) Derived() string { return string(s) }

// views returns the maps that a card shows, the main one first.
func (s Show) views(e *attention.Entry) []attention.View {
	if m := s.Method(); m != nil {
		return m.Views
	}
	return e.Views
}

// mainMap returns the name of the map that a card shows first.
func (s Show) mainMap(e *attention.Entry) string { return cmp.Or(s.Derived(), MainMap(e)) }

// MainMap returns the name of the map that a mechanism shows first.
func MainMap(e *attention.Entry) string {
	if e == nil || len(e.Views) == 0 {
		return "weights"
	}
	return e.Views[0].Map
}

// OneLayer reports whether the view is measured for one layer.
func (c Choice) OneLayer() bool { return c.Show != Maps && !c.Show.Method().Whole }

// Measurement returns the request for the view that the engine is sent.
func (c Choice) Measurement() method.Measurement {
	m := method.Measurement{Name: string(c.Show)}
	if c.OneLayer() {
		m.Layer = max(c.Layer, 1)
	}
	return m
}

// Refused returns why the view is not defined for a mechanism. It is zero if the view is defined.
func (s Show) Refused(e *attention.Entry) messages.Message {
	if m := s.Method(); m != nil {
		return m.Why(e)
	}
	return messages.Message{}
}

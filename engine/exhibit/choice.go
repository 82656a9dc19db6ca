package exhibit

import (
	"cmp"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
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
	// Words leaves the tokens out that stand for no word, [CLS] and [SEP], as figures and data may.
	Words bool
	// Order is that of the tokens along the axes of maps.
	Order Order
}

// Show is what the cards show: Maps, or the name of a method.
type Show string

// The things to show that others are told apart from.
const (
	Maps      Show = ""               // what each mechanism computes
	Influence Show = method.Influence // ‖∂y_i/∂x_j‖, which all have
)

// String returns the name of the view, as in addresses.
func (s Show) String() string { return cmp.Or(string(s), "maps") }

// Shows lists the things to show in the order in which a page offers them.
func Shows() []Show {
	all := []Show{Maps}
	for _, m := range method.Catalog() {
		all = append(all, Show(m.Name))
	}
	return all
}

// Method measures what is shown; nil: it is Maps.
func (s Show) Method() *method.Method { return method.Find(string(s)) }

// ShowOf is what has to be shown so that maps of these names are computed.
func ShowOf(names ...string) Show {
	show := Maps
	for _, name := range MethodsOf(names...) {
		show = Show(name)
	}
	return show
}

// MethodsOf lists the methods that measure maps of these names. Other maps are what mechanisms compute themselves.
func MethodsOf(names ...string) []string {
	var all []string
	for _, name := range names {
		if m, _ := method.Of(name); m != nil && !slices.Contains(all, m.Name) {
			all = append(all, m.Name)
		}
	}
	return all
}

// PerHead says that heads have maps of their own in what is shown.
func (s Show) PerHead() bool { return s == Maps }

// Derived is the name of the only map that cards show, or empty where they show their own.
func (s Show) Derived() string { return string(s) }

// views are the maps that a card shows, the main one first.
func (s Show) views(e *attention.Entry) []attention.View {
	if m := s.Method(); m != nil {
		return m.Views
	}
	return e.Views
}

// mainMap is the name of the map that a card shows first.
func (s Show) mainMap(e *attention.Entry) string { return cmp.Or(s.Derived(), MainMap(e)) }

// MainMap is the name of the map that a mechanism shows first.
func MainMap(e *attention.Entry) string {
	if e == nil || len(e.Views) == 0 {
		return "weights"
	}
	return e.Views[0].Map
}

// OneLayer says that what is shown is measured for one layer.
func (c Choice) OneLayer() bool { return c.Show != Maps && !c.Show.Method().Whole }

// Measurement asks the engine for what is shown.
func (c Choice) Measurement() method.Measurement {
	m := method.Measurement{Name: string(c.Show)}
	if c.OneLayer() {
		m.Layer = max(c.Layer, 1)
	}
	return m
}

// Refused says why a mechanism has nothing of what is shown; zero where it has.
func (s Show) Refused(e *attention.Entry) messages.Message {
	if m := s.Method(); m != nil {
		return m.Why(e)
	}
	return messages.Message{}
}

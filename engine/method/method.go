package method

import (
	"cmp"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// Method is a way to measure all mechanisms, or says of which it is not defined.
type Method struct {
	// Name stands in addresses (show=NAME, map=NAME) and in the ids of its texts; Views[0] has it too.
	Name    string
	Place   int             // in the order in which a page offers the methods, from 1
	Formula string          // in the notation of package formula
	Paper   attention.Paper // the zero one: it is of no paper
	// Views are its maps, the main one first. Not every model has all of the others.
	Views []attention.View
	// Whole says that all layers are measured at once, instead of one that is chosen.
	Whole bool
	// Mixers says that it looks at the calls of the mixers, and not only at the maps that they show.
	Mixers bool
	// Distinct says that no other map has the symbol of its own, so that a title does not need the name.
	Distinct bool
	// Lengths says that the cells of its main map are lengths, although the kind is trace.Weight.
	Lengths bool
	// Facts are the ids of what is told of the main map: how far away is what counts, and how much is on the
	// diagonal. Nil: entropy and distance, as of attention weights.
	Facts []string
	// Undefined says why there is nothing to measure of a mechanism; zero where there is. Nil: it is defined for all.
	Undefined func(*attention.Entry) messages.Message
	// NoTwoStacks says why an encoder–decoder is not measured; zero where its encoder is.
	NoTwoStacks messages.Message
	// StackNote is what to know of its maps of a stack. Nil: nothing.
	StackNote func(*encoder.StackEntry) messages.Message
	// Work is about how many operations it takes. Nil: next to nothing, beside the forward pass.
	Work func(Job) float64
	// Refuse says what it cannot measure, before it begins. Nil: it can measure all that it is defined for.
	Refuse func(*Subject) error
	// Measure finds the maps.
	Measure func(*Subject) (Finding, error)
	// Late is the error of what could not be measured in time; zero: that of all methods.
	Late messages.Message
}

// Label is the name of a method as people read it.
func (m *Method) Label() messages.Message { return messages.New("show." + m.Name + ".label") }

// Text says in a sentence or two what a method means.
func (m *Method) Text() messages.Message { return messages.New("method." + m.Name) }

// Why is the reason why there is nothing to measure of a mechanism; zero where there is.
func (m *Method) Why(e *attention.Entry) messages.Message {
	if m.Undefined == nil {
		return messages.Message{}
	}
	return m.Undefined(e)
}

// catalog is filled while the program starts, and read afterwards.
var catalog []*Method

// register adds a method to the Catalog.
func register(m Method) {
	for i, v := range m.Views {
		if !m.Whole { // whose caption depends on the layer
			m.Views[i].Caption = messages.New("caption." + messages.Key(v.Map))
		}
	}
	if m.Late.IsZero() {
		m.Late = messages.New("error.method.not-in-time")
	}
	catalog = append(catalog, &m)
	slices.SortFunc(catalog, func(a, b *Method) int { return cmp.Compare(a.Place, b.Place) })
}

// Catalog lists all methods in the order in which a page offers them.
func Catalog() []*Method { return catalog }

// Find returns the method of a name; nil: there is none.
func Find(name string) *Method {
	for _, m := range catalog {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Any holds for every method.
func Any(*Method) bool { return true }

// OneLayer holds for methods that measure one layer at a time.
func OneLayer(m *Method) bool { return !m.Whole }

// Names lists the names of methods for which a condition holds, in the order of the Catalog.
func Names(holds func(*Method) bool) []string {
	var names []string
	for _, m := range catalog {
		if holds(m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Of returns the method that measures the map of a name, and the map's view; nil: it is no method's.
func Of(name string) (*Method, attention.View) {
	for _, m := range catalog {
		for _, v := range m.Views {
			if v.Map == name {
				return m, v
			}
		}
	}
	return nil, attention.View{}
}

// IsLengths says whether the cells of a map are lengths, whose rows sum to nothing in particular.
func IsLengths(t trace.Map) bool {
	m, _ := Of(t.Name)
	return t.Kind == trace.Length || m != nil && m.Lengths && t.Name == m.Name
}

package method

import (
	"cmp"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// Method is a way to measure mechanisms. It also states for which mechanisms it is not defined.
type Method struct {
	// Name is used in URLs (show=NAME, map=NAME) and in the ids of its texts. Views[0] has the same
	// name.
	Name    string
	Place   int            // position in the list of methods on a page, from 1
	Formula string         // in the notation of package formula
	Paper   citation.Paper // the zero Paper: not from a paper
	// Views are its maps, the main one first. A model can lack any of the others.
	Views []attention.View
	// Whole reports that the method measures all layers at once instead of one chosen layer.
	Whole bool
	// Mixers reports that the method needs the calls of the mixers, not only their maps.
	Mixers bool
	// Distinct reports that no other map has the same symbol, so that a title does not need the name.
	Distinct bool
	// Lengths reports that the cells of the main map are lengths, although its kind is trace.Weight.
	Lengths bool
	// Facts are the ids of the facts shown for the main map: the mean distance and the share on the
	// diagonal. Nil: entropy and distance, as for attention weights.
	Facts []string
	// Undefined returns the reason why the method is not defined for a mechanism, or the zero Message.
	// Nil: it is defined for all.
	Undefined func(*attention.Entry) messages.Message
	// NoTwoStacks is the reason why an encoder–decoder is not measured. The zero Message means that its
	// encoder is measured.
	NoTwoStacks messages.Message
	// StackNote returns a note on the method's maps of an architecture. Nil: no note.
	StackNote func(*encoder.StackEntry) messages.Message
	// Work estimates the operations that the method takes. Nil: negligible next to the forward pass.
	Work func(Job) float64
	// Refuse returns an error, before measuring, for subjects that cannot be measured. Nil: the method
	// measures every subject for which it is defined.
	Refuse func(*Subject) error
	// Measure computes the maps.
	Measure func(*Subject) (Finding, error)
	// Late is the error for a measurement that exceeds its time limit. The zero Message means the error
	// common to all methods.
	Late messages.Message
}

// Label returns the name of a method for readers.
func (m *Method) Label() messages.Message { return messages.New("show." + m.Name + ".label") }

// Text returns an explanation of the method in one or two sentences.
func (m *Method) Text() messages.Message { return messages.New("method." + m.Name) }

// Why returns the reason why the method is not defined for a mechanism, or the zero Message if it
// is.
func (m *Method) Why(e *attention.Entry) messages.Message {
	if m.Undefined == nil {
		return messages.Message{}
	}
	return m.Undefined(e)
}

// catalog is filled during initialisation and only read afterwards.
var catalog []*Method

// register adds a method to the Catalog.
func register(m Method) {
	for i, v := range m.Views {
		if !m.Whole { // the caption of Whole methods depends on the layer
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

// Find returns the method with the given name, or nil.
func Find(name string) *Method {
	for _, m := range catalog {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Any reports true for every method. Use it with Names.
func Any(*Method) bool { return true }

// OneLayer reports whether a method measures one layer at a time.
func OneLayer(m *Method) bool { return !m.Whole }

// Names returns the names of the methods for which holds is true, in the order of the Catalog.
func Names(holds func(*Method) bool) []string {
	var names []string
	for _, m := range catalog {
		if holds(m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Of returns the method that measures the map with the given name, and the map's view. It returns
// nil if no method does.
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

// IsLengths reports whether the cells of a map are lengths, whose rows do not have a fixed sum.
func IsLengths(t trace.Map) bool {
	m, _ := Of(t.Name)
	return t.Kind == trace.Length || m != nil && m.Lengths && t.Name == m.Name
}

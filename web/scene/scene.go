package scene

import (
	"net/url"
	"slices"

	"attnatlas/engine/claim"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
)

// Scene is a view that is told of.
type Scene struct {
	ID     string
	Text   string
	Other  string // the second text, with which claims compare it; may be empty
	View   string // everything else of its address: "m=dense&layer=2"
	Claims []claim.Claim
}

// State is what the scene's address says.
func (s Scene) State(vocab *tokenizer.Vocabulary) (address.State, error) {
	v, bad := address.ParseQuery(s.View)
	v.Set(address.Text, s.Text)
	if s.Other != "" {
		v.Set(address.Other, s.Other)
	}
	st, wrong := address.Decode(v, vocab, "")
	return st, address.Join(bad, wrong, address.Unknown(v))
}

// Value is a parameter of the scene's address.
func (s Scene) Value(key string) string {
	v, _ := url.ParseQuery(s.View)
	return v.Get(key)
}

// Group is a part of the gallery.
type Group struct {
	ID     string
	Scenes []Scene
}

// Examples are those of all groups, in their order.
func Examples() []Scene {
	var all []Scene
	for _, g := range Gallery {
		all = append(all, g.Scenes...)
	}
	return all
}

// Example is the number, from 0, and the scene of an id.
func Example(id string) (at int, all []Scene, ok bool) {
	all = Examples()
	at = slices.IndexFunc(all, func(s Scene) bool { return s.ID == id })
	return at, all, at >= 0
}

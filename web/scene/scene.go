package scene

import (
	"net/url"
	"slices"
	"sync"

	"attnatlas/engine/claim"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
)

// Scene is a view that a sentence describes.
type Scene struct {
	ID     string
	Text   string
	Other  string // the second text, to which claims compare the first; may be empty
	View   string // the rest of its address: "m=dense&layer=2"
	Claims []claim.Claim
}

// read is the decoded state of a scene. It is always the same for a vocabulary.
type read struct {
	state address.State
	err   error
}

// states caches decoded states, by vocabulary, text, second text and view.
var states sync.Map

// State returns the state that the scene's address stands for. The caller may change it.
func (s Scene) State(vocab *tokenizer.Vocabulary) (address.State, error) {
	key := struct {
		vocab             *tokenizer.Vocabulary
		text, other, view string
	}{vocab, s.Text, s.Other, s.View}
	known, ok := states.Load(key)
	if !ok {
		st, err := s.decode(vocab)
		known, _ = states.LoadOrStore(key, read{st, err})
	}
	st := known.(read).state
	st.Mechanisms, st.Was = slices.Clone(st.Mechanisms), slices.Clone(st.Was)
	return st, known.(read).err
}

// decode decodes the scene's address.
func (s Scene) decode(vocab *tokenizer.Vocabulary) (address.State, error) {
	v, bad := address.ParseQuery(s.View)
	v.Set(address.Text, s.Text)
	if s.Other != "" {
		v.Set(address.Other, s.Other)
	}
	st, wrong := address.Decode(v, vocab, "")
	return st, address.Join(bad, wrong, address.Unknown(v))
}

// Value returns a parameter of the scene's address.
func (s Scene) Value(key string) string {
	v, _ := url.ParseQuery(s.View)
	return v.Get(key)
}

// Group is a section of the gallery.
type Group struct {
	ID     string
	Scenes []Scene
}

// Examples lists the scenes of all groups, in order.
func Examples() []Scene {
	var all []Scene
	for _, g := range Gallery {
		all = append(all, g.Scenes...)
	}
	return all
}

// Example returns the index, from 0, of the scene with an id, and all scenes.
func Example(id string) (at int, all []Scene, ok bool) {
	all = Examples()
	at = slices.IndexFunc(all, func(s Scene) bool { return s.ID == id })
	return at, all, at >= 0
}

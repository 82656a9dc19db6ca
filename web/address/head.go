package address

import (
	"maps"
	"net/url"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
)

// A card can have a head of its own, ID.head=3; those that have none follow head.

// OwnHead is the key of a card's own head.
func OwnHead(id string) string { return id + "." + Head }

// ownHeads reads the heads that cards have of their own; nil: none has.
func (d *Decoder) ownHeads() (heads map[string]int) {
	for key := range d.values {
		id, of := cardOf(key)
		if of != Head {
			continue
		}
		if heads == nil {
			heads = map[string]int{}
		}
		heads[id] = d.head(key)
	}
	return heads
}

// WithHead is the state in which a card has a head of its own, which is none of its own where
// it is that of all.
func (s State) WithHead(id string, head int) State {
	heads := maps.Clone(s.Heads)
	if heads == nil {
		heads = map[string]int{}
	}
	heads[id] = head
	s.Heads = heads
	return s.plain()
}

// plain is the state without heads and cuts that are those of all cards anyway.
func (s State) plain() State {
	heads := maps.Clone(s.Heads)
	maps.DeleteFunc(heads, func(_ string, head int) bool { return head == s.Head })
	if s.Heads = heads; len(heads) == 0 {
		s.Heads = nil
	}
	s.Cuts = plainCuts(s.Cuts)
	return s
}

// SingleCard is the state of which one card is left: its own head is that of all, and so is what is cut in it.
func (s State) SingleCard(id string) State {
	s.Head, s.Heads = s.HeadFor(id), nil
	s.Cuts = plainCuts(engine.Cuts{All: s.Cuts.Of(id)})
	return s
}

// of is what a figure of a mechanism depends on: a scale that all share on all their heads.
func (s State) of(id string) State {
	if s.Norm == figure.Shared {
		return s
	}
	return s.SingleCard(id)
}

// writeHeads writes the heads that cards have of their own.
func writeHeads(v url.Values, heads map[string]int) {
	for id, head := range heads {
		v.Set(OwnHead(id), exhibit.HeadName(head))
	}
}

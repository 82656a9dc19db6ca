package address

import (
	"maps"
	"net/url"

	"attnatlas/engine/ablation"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
)

// A card can have its own head, ID.head=3. Other cards use the head of all cards.

// OwnHead returns the key of a card's own head.
func OwnHead(id string) string { return id + "." + Head }

// ownHeads reads the heads of single cards, or returns nil if there are none.
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

// WithHead returns the state with a head for one card. A head equal to that of all cards is not
// stored.
func (s State) WithHead(id string, head int) State {
	heads := maps.Clone(s.Heads)
	if heads == nil {
		heads = map[string]int{}
	}
	heads[id] = head
	s.Heads = heads
	return s.plain()
}

// plain returns the state without heads and ablations of single cards that equal those of all
// cards.
func (s State) plain() State {
	heads := maps.Clone(s.Heads)
	maps.DeleteFunc(heads, func(_ string, head int) bool { return head == s.Head })
	if s.Heads = heads; len(heads) == 0 {
		s.Heads = nil
	}
	s.Cuts = plainCuts(s.Cuts)
	return s
}

// SingleCard returns the state with one card. The card's own head and ablations become those of all
// cards.
func (s State) SingleCard(id string) State {
	s.Head, s.Heads = s.HeadFor(id), nil
	s.Cuts = plainCuts(ablation.Cuts{All: s.Cuts.Of(id)})
	return s
}

// of returns the state on which a figure of a mechanism depends. A shared scale depends on the
// heads of all cards.
func (s State) of(id string) State {
	if s.Norm == figure.Shared {
		return s
	}
	return s.SingleCard(id)
}

// writeHeads writes the heads of single cards.
func writeHeads(v url.Values, heads map[string]int) {
	for id, head := range heads {
		v.Set(OwnHead(id), exhibit.HeadName(head))
	}
}

package address

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"attnatlas/engine"
)

// Ablations of the forward passes: cut=word:5,head:2.3,cell:4.7 applies to all cards, and ID.cut=…
// to one card in addition.

// OwnCut returns the key of the additional ablations of one card.
func OwnCut(id string) string { return id + "." + CutKey }

// cuts reads a list in any order, with repetitions.
func (d *Decoder) cuts(key string) []engine.Cut {
	var list []engine.Cut
	for _, name := range d.names(key) {
		c, ok := engine.ParseCut(name)
		if !ok {
			d.Fail(key, "param.cut", "value", quote(name))
			return nil
		}
		list = append(list, c)
	}
	if len(list) > engine.MostCuts {
		d.Fail(key, "param.cuts", "given", len(list), "most", engine.MostCuts)
		return nil
	}
	return list
}

// ownCuts reads the ablations of single cards. Together with those of all cards, a card has no more
// than the limit of a list.
func (d *Decoder) ownCuts(all []engine.Cut) (own map[string][]engine.Cut) {
	for _, key := range slices.Sorted(maps.Keys(d.values)) {
		id, of := cardOf(key)
		if of != CutKey {
			continue
		}
		list := d.cuts(key)
		if both := len((engine.Cuts{All: all, Own: map[string][]engine.Cut{id: list}}).Of(id)); both > engine.MostCuts {
			d.Fail(key, "param.cuts", "given", both, "most", engine.MostCuts)
			continue
		}
		if own == nil {
			own = map[string][]engine.Cut{}
		}
		own[id] = list
	}
	return own
}

// plainCuts removes ablations of single cards that apply to all cards anyway.
func plainCuts(c engine.Cuts) engine.Cuts {
	plain := engine.Cuts{All: engine.SortCuts(c.All)}
	if len(plain.All) == 0 {
		plain.All = nil
	}
	for id, list := range c.Own {
		list = slices.DeleteFunc(engine.SortCuts(list), func(one engine.Cut) bool { return slices.Contains(c.All, one) })
		if len(list) == 0 {
			continue
		}
		if plain.Own == nil {
			plain.Own = map[string][]engine.Cut{}
		}
		plain.Own[id] = list
	}
	return plain
}

// writeCuts writes the ablations of single cards.
func writeCuts(v url.Values, own map[string][]engine.Cut) {
	for id, list := range own {
		v.Set(OwnCut(id), engine.JoinCuts(list))
	}
}

// WithCut returns the state with an additional ablation, in one card or (for an empty id) in all.
// At the limit of ablations the state does not change.
func (s State) WithCut(id string, c engine.Cut) State {
	next := engine.Cuts{All: s.Cuts.All, Own: maps.Clone(s.Cuts.Own)}
	if id == "" {
		next.All = append(slices.Clip(next.All), c)
	} else {
		if next.Own == nil {
			next.Own = map[string][]engine.Cut{}
		}
		next.Own[id] = append(slices.Clip(next.Own[id]), c)
	}
	next = plainCuts(next)
	for _, of := range append(slices.Collect(maps.Keys(next.Own)), "") {
		if len(next.Of(of)) > engine.MostCuts {
			return s
		}
	}
	s.Cuts = next
	return s
}

// WithoutCut returns the state without an ablation, in one card or (for an empty id) in all.
func (s State) WithoutCut(id string, c engine.Cut) State {
	gone := func(one engine.Cut) bool { return one == c }
	next := engine.Cuts{All: slices.Clone(s.Cuts.All), Own: maps.Clone(s.Cuts.Own)}
	if id == "" {
		next.All = slices.DeleteFunc(next.All, gone)
	} else if next.Own[id] != nil {
		next.Own[id] = slices.DeleteFunc(slices.Clone(next.Own[id]), gone)
	}
	s.Cuts = plainCuts(next)
	return s
}

// WithoutCuts returns the state without ablations.
func (s State) WithoutCuts() State {
	s.Cuts = engine.Cuts{}
	return s
}

// CutWithin returns the state without ablations of tokens beyond a text of n tokens.
func (s State) CutWithin(n int) State {
	beyond := func(c engine.Cut) bool { return !c.Within(n) }
	next := engine.Cuts{All: slices.DeleteFunc(slices.Clone(s.Cuts.All), beyond)}
	for id, list := range s.Cuts.Own {
		if next.Own == nil {
			next.Own = map[string][]engine.Cut{}
		}
		next.Own[id] = slices.DeleteFunc(slices.Clone(list), beyond)
	}
	s.Cuts = plainCuts(next)
	return s
}

// ownKeys are the parameters that single cards can have.
var ownKeys = []string{Head, CutKey}

// cardOf splits the key of a single card into the card's id and Head or CutKey. of is empty for
// other keys.
func cardOf(key string) (id, of string) {
	at := strings.LastIndexByte(key, '.')
	if at < 0 || !slices.Contains(ownKeys, key[at+1:]) {
		return "", ""
	}
	if _, _, ok := engine.Find(key[:at]); !ok {
		return "", ""
	}
	return key[:at], key[at+1:]
}

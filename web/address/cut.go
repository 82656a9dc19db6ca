package address

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/ablation"
)

// Ablations of the forward passes: cut=word:5,head:2.3,cell:4.7 applies to all cards, and ID.cut=…
// to one card in addition.

// OwnCut returns the key of the additional ablations of one card.
func OwnCut(id string) string { return id + "." + CutKey }

// cuts reads a list in any order, with repetitions.
func (d *Decoder) cuts(key string) []ablation.Cut {
	var list []ablation.Cut
	for _, name := range d.names(key) {
		c, ok := ablation.ParseCut(name)
		if !ok {
			d.Fail(key, "param.cut", "value", quote(name))
			return nil
		}
		list = append(list, c)
	}
	if len(list) > ablation.MostCuts {
		d.Fail(key, "param.cuts", "given", len(list), "most", ablation.MostCuts)
		return nil
	}
	return list
}

// ownCuts reads the ablations of single cards. Together with those of all cards, a card has no more
// than the limit of a list.
func (d *Decoder) ownCuts(all []ablation.Cut) (own map[string][]ablation.Cut) {
	for _, key := range slices.Sorted(maps.Keys(d.values)) {
		id, of := cardOf(key)
		if of != CutKey {
			continue
		}
		list := d.cuts(key)
		if both := len((ablation.Cuts{All: all, Own: map[string][]ablation.Cut{id: list}}).Of(id)); both > ablation.MostCuts {
			d.Fail(key, "param.cuts", "given", both, "most", ablation.MostCuts)
			continue
		}
		if own == nil {
			own = map[string][]ablation.Cut{}
		}
		own[id] = list
	}
	return own
}

// plainCuts removes ablations of single cards that apply to all cards anyway.
func plainCuts(c ablation.Cuts) ablation.Cuts {
	plain := ablation.Cuts{All: ablation.SortCuts(c.All)}
	if len(plain.All) == 0 {
		plain.All = nil
	}
	for id, list := range c.Own {
		list = slices.DeleteFunc(ablation.SortCuts(list), func(one ablation.Cut) bool { return slices.Contains(c.All, one) })
		if len(list) == 0 {
			continue
		}
		if plain.Own == nil {
			plain.Own = map[string][]ablation.Cut{}
		}
		plain.Own[id] = list
	}
	return plain
}

// writeCuts writes the ablations of single cards.
func writeCuts(v url.Values, own map[string][]ablation.Cut) {
	for id, list := range own {
		v.Set(OwnCut(id), ablation.JoinCuts(list))
	}
}

// WithCut returns the state with an additional ablation, in one card or (for an empty id) in all.
// At the limit of ablations the state does not change.
func (s State) WithCut(id string, c ablation.Cut) State {
	next := ablation.Cuts{All: s.Cuts.All, Own: maps.Clone(s.Cuts.Own)}
	if id == "" {
		next.All = append(slices.Clip(next.All), c)
	} else {
		if next.Own == nil {
			next.Own = map[string][]ablation.Cut{}
		}
		next.Own[id] = append(slices.Clip(next.Own[id]), c)
	}
	next = plainCuts(next)
	for _, of := range append(slices.Collect(maps.Keys(next.Own)), "") {
		if len(next.Of(of)) > ablation.MostCuts {
			return s
		}
	}
	s.Cuts = next
	return s
}

// WithoutCut returns the state without an ablation, in one card or (for an empty id) in all.
func (s State) WithoutCut(id string, c ablation.Cut) State {
	gone := func(one ablation.Cut) bool { return one == c }
	next := ablation.Cuts{All: slices.Clone(s.Cuts.All), Own: maps.Clone(s.Cuts.Own)}
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
	s.Cuts = ablation.Cuts{}
	return s
}

// CutWithin returns the state without ablations of tokens beyond a text of n tokens.
func (s State) CutWithin(n int) State {
	beyond := func(c ablation.Cut) bool { return !c.Within(n) }
	next := ablation.Cuts{All: slices.DeleteFunc(slices.Clone(s.Cuts.All), beyond)}
	for id, list := range s.Cuts.Own {
		if next.Own == nil {
			next.Own = map[string][]ablation.Cut{}
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

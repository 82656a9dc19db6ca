package address

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"attnatlas/engine"
)

// What is cut out of the forward passes: of all cards, cut=word:5,head:2.3,cell:4.7, and of one card
// besides, ID.cut=….

// OwnCut is the key of what is cut in one card besides.
func OwnCut(id string) string { return id + "." + CutKey }

// cuts reads a list in any order, whose parts may be repeated.
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

// ownCuts reads what is cut in single cards; with what is cut in all it is not more than a list has.
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

// plainCuts are cuts without those of single cards that are cut in all anyway.
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

// writeCuts writes what is cut in single cards.
func writeCuts(v url.Values, own map[string][]engine.Cut) {
	for id, list := range own {
		v.Set(OwnCut(id), engine.JoinCuts(list))
	}
}

// WithCut is the state in which something is cut besides, in one card, or of the empty id in all. Of more cuts
// than an address has, the state stays as it is.
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

// WithoutCut is the state in which something is not cut any more, in one card, or of the empty id in all.
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

// WithoutCuts is the state in which nothing is cut.
func (s State) WithoutCuts() State {
	s.Cuts = engine.Cuts{}
	return s
}

// CutWithin is the state without the cuts of words that a text of n tokens has not.
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

// ownKeys are what cards can have of their own.
var ownKeys = []string{Head, CutKey}

// cardOf is the id of the card whose own a key is, and what of it: Head or CutKey; of is empty where it is none.
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

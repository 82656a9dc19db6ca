// Package heads lists the heads of a model with their measures, and the pairs of heads of two models by
// similarity.
package heads

import (
	"cmp"
	"embed"
	"net/http"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/headstats"
	"attnatlas/engine/tokenizer"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

//go:embed *.css
var own embed.FS

var files = static.Add("heads", own)

// path is the path of the page.
const path = "/heads"

// Keys of the page, and values of pairsKey.
const (
	withKey   = "with"
	sortKey   = "sort"
	pairsKey  = "pairs"
	similar   = "similar"
	different = "different"
)

// mostPairs is the largest number of pairs that are listed.
const mostPairs = 100

// asked holds the parameters of the page, besides the state.
type asked struct {
	With  string // id of the model whose heads are compared; empty: none
	Sort  string // name of a column, largest first, or "-" and its name, smallest first; empty: by layer and head
	Pairs string // similar or different
}

var askedTable = address.ParamTable[asked]{
	address.String(withKey, func(a *asked) *string { return &a.With }),
	address.OneOf(sortKey, orders(), func(a *asked) *string { return &a.Sort }),
	address.OneOf(pairsKey, []string{similar, different}, func(a *asked) *string { return &a.Pairs }),
}

// column is a measure of each head.
type column struct {
	name string
	of   func(h headstats.HeadProfile) float64
}

var columns = []column{
	{"dependence", func(h headstats.HeadProfile) float64 { return h.Dependence }},
	{"entropy", func(h headstats.HeadProfile) float64 { return h.Entropy }},
	{"distance", func(h headstats.HeadProfile) float64 { return h.Distance }},
	{"sinks", func(h headstats.HeadProfile) float64 { return h.Sinks }},
	{"previous", func(h headstats.HeadProfile) float64 { return h.Previous }},
	{"next", func(h headstats.HeadProfile) float64 { return h.Next }},
	{"self", func(h headstats.HeadProfile) float64 { return h.Self }},
	{"first", func(h headstats.HeadProfile) float64 { return h.First }},
	{"sparsity", func(h headstats.HeadProfile) float64 { return h.Sparsity }},
}

// orders lists the values of sortKey.
func orders() (all []string) {
	for _, c := range columns {
		all = append(all, c.name, "-"+c.name)
	}
	return all
}

// sort sorts heads as the parameters ask.
func (a asked) sort(all []headstats.HeadProfile) {
	name, up := strings.CutPrefix(a.Sort, "-")
	for _, c := range columns {
		if c.name == name {
			slices.SortStableFunc(all, func(x, y headstats.HeadProfile) int {
				if up {
					x, y = y, x
				}
				return cmp.Compare(c.of(y), c.of(x))
			})
		}
	}
}

// pages serves the pages of heads.
type pages struct{ *site.Server }

// Pages returns the page of all heads of a model.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	numbers := &site.Data{ID: "heads", API: true, Beside: path + ".json", Answer: s.serveJSON, Usual: site.UsualModel(""),
		Takes: address.Takes{Own: askedTable, State: []string{address.Text, address.Mechanisms, address.Mask, address.Compute}},
		Out:   Heads{}}
	return []site.Page{{Path: path, Aim: site.Compare, Title: "headtable.heading", Summary: "headtable.summary",
		Serve: s.Asked(numbers, s.serve), Of: s.of, Data: numbers}}
}

// of returns the id of the label of a model's link to the page, or an empty string if the model has no heads.
func (s *pages) of(m *site.Mechanism) string {
	if !s.Trained(m.ID) || !m.NoHeads.IsZero() {
		return ""
	}
	return "headtable.heading"
}

// found holds the results of the engine.
type found struct {
	heads []headstats.HeadProfile
	pairs []headstats.HeadPair
}

// find runs the engine once there is memory for it.
func (s *pages) find(r *http.Request, q address.Query, a asked) (f found, err error) {
	st := q.State.One()
	id := st.Mechanisms[0]
	if a.With != "" && a.With != id {
		if s.Find(a.With) == nil {
			return f, s.NoMechanism(a.With)
		}
		st.Mechanisms = []string{id, a.With}
	}
	sel, err := s.Inspect(r.Context(), st)
	if err != nil {
		return f, err
	}
	if f.heads, err = sel.Result(id).Profiles(); err != nil {
		return f, err
	}
	if a.With != "" {
		err = s.pair(r, &f, sel.Report, a)
	}
	a.sort(f.heads)
	return f, err
}

// operationsPerCell is the approximate cost of comparing one cell of two maps, as measured: 1.8 ns.
const operationsPerCell = 100

// pair adds the pairs of the heads of two models.
func (s *pages) pair(r *http.Request, f *found, rep *engine.Report, a asked) error {
	one, other := &rep.Mechanisms[0], &rep.Mechanisms[len(rep.Mechanisms)-1]
	with, err := other.Profiles()
	if err != nil {
		return err
	}
	if !slices.Equal(labels(rep.TokensOf(one)), labels(rep.TokensOf(other))) {
		return fault.Errorf(fault.Unsupported, "headtable.tokens", "a", one.Name(), "b", other.Name())
	}
	n := float64(len(rep.TokensOf(one)))
	work := operationsPerCell * n * n * float64(len(f.heads)*len(with))
	return site.InTurn(r.Context(), s.Long, work, site.LongOperations, func() (err error) {
		if one == other {
			f.pairs, err = headstats.PairHeadsOf(r.Context(), f.heads)
		} else {
			f.pairs, err = headstats.PairHeads(r.Context(), f.heads, with)
		}
		if err != nil {
			return err
		}
		if a.Pairs == different {
			slices.Reverse(f.pairs)
		}
		f.pairs = f.pairs[:min(len(f.pairs), mostPairs)]
		return nil
	})
}

// labels returns the labels of tokens.
func labels(tokens []tokenizer.Token) (all []string) {
	for _, t := range tokens {
		all = append(all, t.Label())
	}
	return all
}

// link returns the address of the page, or of its numbers if at is their path.
func link(at string, q address.Query, a asked) string {
	if a.Pairs == similar { // the default
		a.Pairs = ""
	}
	v := askedTable.Encode(a, asked{})
	v.Set(address.Text, q.State.Text)
	v.Set(address.Mechanisms, q.State.Mechanisms[0])
	for _, key := range []string{address.Mask, address.Compute, address.Theme} {
		if value := q.Get(key); value != "" {
			v.Set(key, value)
		}
	}
	return address.At(at, v)
}

// serveJSON answers GET /api/v1/heads.
func (s *pages) serveJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	a, _ := askedTable.Decode(q.Values)
	f, err := s.find(r, q, a)
	if err != nil {
		return err
	}
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return site.SendJSON(w, newHeads(q.State.Mechanisms[0], a.With, f.heads, f.pairs))
}

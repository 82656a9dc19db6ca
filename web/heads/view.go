package heads

import (
	"net/http"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/headstats"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// pageView is the page "/heads".
type pageView struct {
	components.Page
	Problem string
	Form    components.AskedText
	Columns []Column
	Heads   []tableRow
	Pairs   []tableRow
	Order   components.Link // the other order of the pairs
	Listed  string          // caption of the pairs
	Links   []components.Link
}

// Column is a measure of all heads.
type Column struct {
	Label, Hint string
	URL         string // of the page sorted by this measure
	Sorted      string // the value of aria-sort; empty: the table is not sorted by it
}

// tableRow is a head or a pair of heads with its measures.
type tableRow struct {
	Link   components.Link
	Values []string
}

// serve answers GET /heads. An error of the measurement is shown above the form.
func (s *pages) serve(w http.ResponseWriter, r *http.Request, q address.Query) error {
	l := site.Language(r)
	a, _ := askedTable.Decode(q.Values)
	v := s.form(l, q, a)
	status := http.StatusOK
	f, err := s.find(r, q, a)
	switch {
	case err == nil:
	case site.StatusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		v.Problem, status = site.FullStop(l.Say(site.MessageOf(err))), site.StatusOf(err)
	}
	s.fill(l, &v, f, q, a)
	return s.Render(w, r, status, HeadsPage(v))
}

// form returns the page without results.
func (s *pages) form(l *messages.Language, q address.Query, a asked) pageView {
	id := q.State.Mechanisms[0]
	v := pageView{
		Page: s.Head(l, "heads", l.T("headtable.heading"), l.T("headtable.summary"), q.State).With(files...),
	}
	model := components.Select{Name: address.Mechanisms, Label: l.T("headtable.model")}
	with := components.Select{Name: withKey, Label: l.T("headtable.with"),
		Options: []components.SelectOption{{Label: l.T("headtable.no-other"), Selected: a.With == ""}}}
	v.Form = components.AskedText{Action: path, Text: site.Clean(q.State.Text), Label: l.T("headtable.text"),
		Submit: l.T("headtable.submit")}
	for _, f := range []components.Field{{Name: sortKey, Value: a.Sort}, {Name: pairsKey, Value: a.Pairs},
		{Name: address.Mask, Value: q.Get(address.Mask)}, {Name: address.Compute, Value: q.Get(address.Compute)},
		{Name: address.Theme, Value: q.Get(address.Theme)}} {
		if f.Value != "" {
			v.Form.Hidden = append(v.Form.Hidden, f)
		}
	}
	for _, e := range s.Listed([]string{id}) {
		if e.ID != id && e.ID != a.With && s.of(&e) == "" {
			continue
		}
		option := components.SelectOption{Value: e.ID, Label: l.Say(e.Name)}
		model.Options, with.Options = append(model.Options, option), append(with.Options, option)
		model.Options[len(model.Options)-1].Selected = e.ID == id
		with.Options[len(with.Options)-1].Selected = e.ID == a.With
	}
	v.Form.Selects = []components.Select{model, with}
	return v
}

// fill adds the results.
func (s *pages) fill(l *messages.Language, v *pageView, f found, q address.Query, a asked) {
	if len(f.heads) == 0 {
		return
	}
	for _, c := range columns {
		one, to := Column{Label: l.T("headtable.column." + c.name), Hint: l.T("headtable.hint." + c.name)}, a
		switch to.Sort = c.name; a.Sort {
		case c.name:
			one.Sorted, to.Sort = "descending", "-"+c.name
		case "-" + c.name:
			one.Sorted = "ascending"
		}
		one.URL = link(path, q, to)
		v.Columns = append(v.Columns, one)
	}
	for _, h := range f.heads {
		st := q.State.One()
		st.Layer, st.Head = h.Layer, h.Head
		row := tableRow{Link: components.Link{Label: place(l, h.Place), URL: address.Wall(st)}}
		for _, c := range columns {
			row.Values = append(row.Values, number(c, h))
		}
		v.Heads = append(v.Heads, row)
	}
	for _, p := range f.pairs {
		to := address.Comparison{State: q.State, A: side(q.State.Mechanisms[0], p.A), B: side(a.With, p.B)}
		v.Pairs = append(v.Pairs, tableRow{Link: components.Link{URL: address.Compare(to),
			Label: l.T("headtable.pair", "a", place(l, p.A), "b", place(l, p.B))}, Values: []string{messages.Percent(p.Distance)}})
	}
	if len(f.pairs) > 0 {
		to, order := a, similar
		if a.Pairs != different {
			order = different
		}
		to.Pairs = order
		v.Order = components.Link{Label: l.T("headtable.order-" + order), URL: link(path, q, to)}
		v.Listed = l.T("headtable.pairs", "a", s.name(l, q.State.Mechanisms[0]), "b", s.name(l, a.With))
	}
	v.Links = []components.Link{{Label: "JSON", URL: link("/api/v1/heads", q, a)}}
}

// name returns the name of a model.
func (s *pages) name(l *messages.Language, id string) string {
	if e := s.Find(id); e != nil {
		return l.Say(e.Name)
	}
	return id
}

// place returns the name of a head.
func place(l *messages.Language, p headstats.Place) string {
	return l.T("headtable.place", "layer", p.Layer, "head", p.Head)
}

// side returns a head as a side of a comparison.
func side(id string, p headstats.Place) address.Side {
	return address.Side{ID: id, Layer: p.Layer, Head: p.Head}
}

// number formats a measure of a head for the table.
func number(c column, h headstats.HeadProfile) string {
	switch {
	case c.name == "dependence" && !h.Known:
		return "–"
	case c.name == "entropy", c.name == "distance", c.name == "sparsity":
		return strconv.FormatFloat(c.of(h), 'f', 2, 64)
	}
	return messages.Percent(c.of(h))
}

package web

import (
	"context"
	"net/http"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

// pictured is how many tokens of a text the small maps of the index have.
const pictured = 64

// serveIndex answers GET /m: every mechanism with a small map of the visitor's text.
func (s *Server) serveIndex(w http.ResponseWriter, r *http.Request) error {
	l, st := language(r), s.stateOf(r)
	p := &page{s: s, r: r, l: l, state: st}
	st.Text = beginningBytes(st.Text, longestLink)
	index := components.Index{
		Page: s.head(l, "mechanisms", l.T("index.title"), l.T("index.summary"), p.state),
		Lead: l.T("index.lead", "count", len(s.mechanisms), "text", exhibit.Opening(s.short(st).Text)),
	}
	for _, f := range s.families() {
		shown := components.IndexFamily{ID: f.id, Title: l.T("family." + f.id)}
		for i := range f.list {
			shown.Rows = append(shown.Rows, p.indexRow(r.Context(), st, &f.list[i]))
		}
		index.Families = append(index.Families, shown)
	}
	if err := r.Context().Err(); err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, components.MechanismsPage(index))
}

// indexRow is a mechanism with its main map, in the first layer and its sharpest head.
func (p *page) indexRow(ctx context.Context, st address.State, known *mechanism) components.IndexRow {
	e := p.s.as(known)
	row := components.IndexRow{
		ID: e.ID, Name: p.say(e.Name), Summary: p.say(e.Summary), Formula: e.Formula, Source: shortCitation(e.Paper.Citation()),
		URL: p.urlOf(st, e.ID), Untrained: !p.s.trained(e.ID),
	}
	if !row.Untrained {
		small := p.s.short(st)
		small.Mechanisms, small.Layer, small.Head, small.Heads, small.Show = []string{e.ID}, 1, exhibit.Auto, nil, exhibit.Maps
		row.Image = p.smallPicture(ctx, small, e.ID, "")
	}
	return row
}

// short is a state with as much of its text as a small map shows.
func (s *Server) short(st address.State) address.State {
	st.Other, st.Was = "", nil
	if address.CheckText(st.Text) != nil {
		st.Text = address.DefaultText
	}
	if tokens, _ := engine.Tokens(s.vocab, st.Text); len(tokens) > pictured {
		st.Text = beginningBytes(st.Text, tokens[pictured-2].End)
	}
	return st
}

// shortCitation is a citation without the places in the paper.
func shortCitation(c string) string {
	who, _, _ := strings.Cut(c, ",")
	return who
}

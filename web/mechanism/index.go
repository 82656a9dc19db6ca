package mechanism

import (
	"context"
	"net/http"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// pictured is the most tokens in the small maps of the index.
const pictured = 64

// serveIndex answers GET /m: every mechanism with a small map of the visitor's text.
func (s *pages) serveIndex(w http.ResponseWriter, r *http.Request) error {
	l, st := site.Language(r), s.StateOf(r)
	p := &page{&wall.View{Site: s.Views, Request: r, Language: l, State: st}, s}
	st.Text = site.BeginningBytes(st.Text, site.LongestLink)
	index := Index{
		Page: s.Head(l, "mechanisms", l.T("index.title"), l.T("index.summary"), p.State).With(files...),
		Lead: l.T("index.lead", "count", len(s.Mechanisms), "text", exhibit.Opening(s.short(st).Text)),
	}
	for _, f := range s.Families() {
		shown := IndexFamily{ID: f.Id, Title: l.T("family." + f.Id)}
		for i := range f.List {
			row, err := p.indexRow(r.Context(), st, &f.List[i])
			if err != nil {
				return err
			}
			shown.Rows = append(shown.Rows, row)
		}
		index.Families = append(index.Families, shown)
	}
	if err := r.Context().Err(); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, MechanismsPage(index))
}

// indexRow returns a mechanism with its main map, in the first layer and its most distinctive head.
func (p *page) indexRow(ctx context.Context, st address.State, known *site.Mechanism) (row IndexRow, err error) {
	e := p.Site.Described(known)
	row = IndexRow{
		ID: e.ID, Name: p.Say(e.Name), Summary: p.Say(e.Summary), Formula: e.Formula,
		Source: shortCitation(e.Paper.Citation()),
		URL:    p.URLOf(st, e.ID), Untrained: !p.Site.Trained(e.ID),
	}
	if !row.Untrained {
		small := p.Site.short(st)
		small.Mechanisms, small.Layer, small.Head, small.Heads, small.Show = []string{e.ID}, 1, exhibit.Auto, nil,
			exhibit.Maps
		row.Image, err = p.SmallPicture(ctx, small, e.ID, "")
	}
	return row, err
}

// short returns a state with the part of its text that a small map shows.
func (s *pages) short(st address.State) address.State {
	st.Other, st.Was = "", nil
	if address.CheckText(st.Text) != nil {
		st.Text = address.DefaultText
	}
	if tokens, _ := s.Vocab.EncodePair(st.Text); len(tokens) > pictured {
		st.Text = site.BeginningBytes(st.Text, tokens[pictured-2].End)
	}
	return st
}

// shortCitation returns a citation without section and equation numbers.
func shortCitation(c string) string {
	who, _, _ := strings.Cut(c, ",")
	return who
}

// serveMechanisms answers GET /api/v1/mechanisms.
func (s *pages) serveMechanisms(w http.ResponseWriter, r *http.Request, _ address.Query) error {
	answer := Mechanisms{Version: 1, Mechanisms: []Mechanism{}}
	for i := range s.Mechanisms {
		e := s.Described(&s.Mechanisms[i])
		answer.Mechanisms = append(answer.Mechanisms,
			describe(e.Entry, e.Stack, e.Mixer().ID, s.Model(e.ID), site.Language(r)))
	}
	return site.SendJSON(w, answer)
}

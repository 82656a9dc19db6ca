package long

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// pageView is the page "/long".
type pageView struct {
	components.Page
	Problem string
	Form    components.AskedText
	Example components.Link // empty: the text is the example
	Says    string
	Shows   string // the meaning of a cell
	Beyond  string // that the text is longer than those of the training
	Numbers string // address of what is known of the text, without a head
	Tiles   string // address of the tiles
	Layers  components.Select
	Heads   components.Select
	Figures []components.Link // of the map, without a window
	Links   []components.Link
}

// serve answers GET /long. The script lets the model read the text. If the model cannot read it, the reason is
// below the form.
func (s *pages) serve(w http.ResponseWriter, r *http.Request, q address.Query) error {
	l, st, status := site.Language(r), state(q), http.StatusOK
	v := s.form(l, q, st)
	of, err := s.measure(st)
	switch {
	case err == nil:
		s.fillView(l, &v, st, of)
	case site.StatusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		v.Problem, status = site.FullStop(l.Say(site.MessageOf(err))), site.StatusOf(err)
	}
	if s.Published {
		status = http.StatusOK // the page is a file of the folder, which says why it has no map
	}
	return s.Render(w, r, status, LongPage(v))
}

// measure returns the tokens of a text and what reading it takes.
func (s *pages) measure(st address.State) (of engine.LongText, err error) {
	if err = s.check(st); err == nil {
		of, err = s.texts.Measure(st.Mechanisms[0], st.Text)
	}
	return of, err
}

// form returns the page without a map.
func (s *pages) form(l *messages.Language, q address.Query, st address.State) pageView {
	id := st.Mechanisms[0]
	v := pageView{
		Page:  s.Head(l, "long", l.T("long.title"), l.T("long.summary"), st).With(files...),
		Tiles: site.APIPath(tileID),
	}
	v.Form = components.AskedText{Action: path, Text: site.Clean(st.Text), Label: l.T("long.text"),
		Submit: l.T("long.submit")}
	if theme := q.Get(address.Theme); theme != "" {
		v.Form.Hidden = []components.Field{{Name: address.Theme, Value: theme}}
	}
	model := components.Select{Name: address.Mechanisms, Label: l.T("long.model")}
	for _, e := range s.Listed([]string{id}) {
		if e.ID == id || s.of(&e) != "" {
			model.Options = append(model.Options, components.SelectOption{Value: e.ID, Label: l.Say(e.Name),
				Selected: e.ID == id})
		}
	}
	v.Form.Selects = []components.Select{model}
	if s.texts != nil && st.Text != s.example(l, id) {
		v.Example = components.Link{Label: l.T("long.example.link"),
			URL: address.At(path, url.Values{address.Mechanisms: {id}})}
	}
	return v
}

// fillView adds what the script needs to show the map.
func (s *pages) fillView(l *messages.Language, v *pageView, st address.State, of engine.LongText) {
	id := st.Mechanisms[0]
	v.Says = l.T("long.says", "count", len(of.Tokens), "cells", messages.Grouped(len(of.Tokens)*len(of.Tokens)),
		"longest", messages.Grouped(of.Longest))
	shows := "long.shows"
	if !of.Weighs() {
		shows = "long.shows-instead"
	}
	v.Shows = l.T(shows, "name", s.Find(id).Name, "symbol", of.View.Symbol, "caption", of.View.Caption)
	if beyond := exhibit.Beyond(s.Model(id), len(of.Tokens)); !beyond.IsZero() {
		v.Beyond = l.Say(beyond)
	}
	v.Numbers = address.At(path+".json", url.Values{address.Text: {st.Text}, address.Mechanisms: {id}})
	numbered := func(name, label string, most, chosen int) components.Select {
		c := components.Select{Name: name, Label: label}
		for i := range most {
			n := strconv.Itoa(i + 1)
			c.Options = append(c.Options, components.SelectOption{Value: n, Label: n, Selected: i+1 == chosen})
		}
		return c
	}
	v.Layers = numbered(address.Layer, l.T("long.layer"), of.Layers, st.Layer)
	v.Heads = numbered(address.Head, l.T("long.head-label"), of.Heads, st.Head)
	for _, extension := range figure.Extensions() {
		v.Figures = append(v.Figures, components.Link{Label: strings.ToUpper(extension), URL: figurePath + extension})
	}
	v.Links = []components.Link{{Label: l.T("long.json"), URL: address.At(site.APIPath(path[1:]), url.Values{
		address.Text: {st.Text}, address.Mechanisms: {id}, address.Layer: {strconv.Itoa(st.Layer)},
		address.Head: {strconv.Itoa(st.Head)}})}}
}

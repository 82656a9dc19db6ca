package web

import (
	"net/http"
	"slices"

	"attnatlas/components"
	"attnatlas/engine/method"
	"attnatlas/web/address"
	"attnatlas/web/api"
)

// serveAboutJSON answers GET /about.json.
func (s *Server) serveAboutJSON(w http.ResponseWriter, r *http.Request) error {
	if _, bad := address.ParseQuery(r.URL.RawQuery); len(bad) > 0 {
		return address.Join(bad)
	}
	l := language(r)
	a := api.About{Version: 1, Program: s.version, Own: s.own, Models: []api.AboutModel{}, Data: []string{}, Methods: []api.AboutMethod{}}
	for _, e := range s.mechanisms {
		m := s.model(e.ID)
		if m == nil || s.borrowed(e) { // as the page lists them
			continue
		}
		a.Models = append(a.Models, api.AboutModel{ID: e.ID, Name: l.Say(e.Name), Model: m})
		for _, d := range m.Data {
			if !slices.Contains(a.Data, d) {
				a.Data = append(a.Data, d)
			}
		}
	}
	for _, m := range method.Catalog() {
		a.Methods = append(a.Methods, api.AboutMethod{Show: m.Name, Name: l.Say(m.Label()), Formula: m.Formula, Text: l.Say(m.Text())})
	}
	return sendJSON(w, a)
}

// serveSourceJSON answers GET /m/{mechanism}/source.json.
func (s *Server) serveSourceJSON(w http.ResponseWriter, r *http.Request) error {
	if _, bad := address.ParseQuery(r.URL.RawQuery); len(bad) > 0 {
		return address.Join(bad)
	}
	e, err := s.mechanismOf(r)
	if err != nil {
		return err
	}
	a := api.Source{Version: 1, ID: e.ID, Path: e.Source.Path, Text: e.Source.Text, Steps: []api.SourceStep{}}
	lines := s.linesOf(r.Context(), e.ID)
	for i := range pieces(a.Text) {
		for _, step := range lines[i+1] {
			a.Steps = append(a.Steps, api.SourceStep{Line: i + 1, Step: step})
		}
	}
	return sendJSON(w, a)
}

// serveTakeJSON answers GET /take/{id}.json.
func (s *Server) serveTakeJSON(w http.ResponseWriter, r *http.Request) error {
	t, err := s.decodeTake(r)
	if err != nil {
		return err
	}
	v := t.view()
	answer := s.tried(r, v.File.URL)
	a := api.Take{Version: 1, File: v.File.Download, URL: s.rooted(r, v.File.URL), Problem: answer.problem, Texts: taken(v.Texts), Snippets: taken(v.Snippets)}
	if answer.status == http.StatusOK {
		a.Bytes = answer.bytes
	}
	return sendJSON(w, a)
}

func taken(texts []components.TakeText) (all []api.TakeText) {
	for _, t := range texts {
		all = append(all, api.TakeText(t))
	}
	return all
}

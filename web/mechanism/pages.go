// Package mechanism shows single mechanisms and stacks: the index of all, a page of each, the file it is written in,
// and how its model was trained.
package mechanism

import (
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/wall"
	"net/http"
)

// pages are those of single mechanisms.
type pages struct{ *wall.Views }

// page is one of a mechanism.
type page struct {
	*wall.View
	Site *pages
}

// read decodes the URL of a page; elsewhere is the address of another one, if there is any.
func (s *pages) read(r *http.Request, at *site.Mechanism) (p *page, elsewhere string) {
	view, elsewhere := s.ReadPage(r, at)
	return &page{view, s}, elsewhere
}

// serveMechanismJSON answers GET /m/{mechanism}.json.
func (s *pages) serveMechanismJSON(w http.ResponseWriter, r *http.Request) error {
	e, err := s.MechanismOf(r)
	if err != nil {
		return err
	}
	if e.Generates() {
		return s.serveWrite(w, r)
	}
	return s.ServeAttend(w, r)
}

// Pages are those of single mechanisms, their programs and how they were trained, and the index of all.
func Pages(v *wall.Views) []site.Page {
	s := &pages{v}
	wall := address.Parameters(address.Text, address.Layer, address.Head, address.Mask, address.Task, address.Map, address.Show)
	write := address.Parameters(address.Text, address.Task, address.Layer, address.Head, address.CutKey, address.Compute, address.Map)
	training := address.Parameters(address.Mechanisms, address.Text, address.Task, address.Layer, address.Head, address.Norm, address.Map)
	catalogue := &site.Data{ID: "mechanisms", API: true, Beside: "/m.json", Serve: s.serveMechanisms, Out: api.Mechanisms{}}
	numbers := &site.Data{ID: "mechanism", Beside: "/m/{mechanism}.json", Serve: s.serveMechanismJSON, Usual: site.UsualOfMechanism, Takes: wall, Out: api.Attend{}}
	program := &site.Data{ID: "source", Beside: "/m/{mechanism}/source.json", Serve: s.serveSourceJSON, Out: api.Source{}}
	return []site.Page{
		{Path: "/m", Serve: s.serveIndex, Data: catalogue},
		{Path: "/m/{mechanism}", Serve: s.serveMechanism, Names: v.MechanismIDs, Data: numbers},
		{Path: "/m/{mechanism}/source", Serve: s.serveSource, Names: v.MechanismIDs, Data: program},
		{Data: &site.Data{ID: "write", API: true, Serve: s.serveWrite, Takes: write, Out: api.Write{}}},
		{Data: &site.Data{ID: "training", API: true, Serve: s.serveTraining, Takes: training, Out: api.Training{}}},
	}
}

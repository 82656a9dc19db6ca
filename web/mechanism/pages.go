// Package mechanism shows single mechanisms and stacks: the index of all, a page of each, the file it is written in,
// and how its model was trained.
package mechanism

import (
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/wall"
	"embed"
	"net/http"
	"net/url"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("mechanism", own)

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
func (s *pages) serveMechanismJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	if id := q.State.Mechanisms[0]; engine.FindGuest(id) == nil && s.Find(id).Generates() {
		return s.serveWrite(w, r, q)
	}
	return s.ServeAttend(w, r, q)
}

// Pages are those of single mechanisms, their programs and how they were trained, and the index of all.
func Pages(v *wall.Views) []site.Page {
	s := &pages{v}
	write := address.Takes{Own: address.NamesTable,
		State: []string{address.Text, address.Task, address.Layer, address.Head, address.CutKey, address.Compute}}
	training := address.Takes{Own: address.NamesTable, Any: true,
		State: []string{address.Mechanisms, address.Text, address.Task, address.Layer, address.Head, address.Norm}}
	catalogue := &site.Data{ID: "mechanisms", API: true, Beside: "/m.json", Answer: s.serveMechanisms,
		Out: api.Mechanisms{}}
	numbers := &site.Data{ID: "mechanism", Beside: "/m/{mechanism}.json", Answer: s.serveMechanismJSON,
		Usual: site.UsualOfPath, Takes: wall.AttendTakes, Out: api.Attend{}}
	program := &site.Data{ID: "source", Beside: "/m/{mechanism}/source.json", Answer: s.serveSourceJSON, Out: api.Source{}}
	return []site.Page{
		{Path: "/m", Title: "index.title", Summary: "index.summary",
			Serve: s.serveIndex, Data: catalogue},
		{Path: "/m/{mechanism}", Serve: s.serveMechanism, Names: v.MechanismIDs, Data: numbers},
		{Path: "/m/{mechanism}/source", Serve: s.serveSource, Names: v.MechanismIDs, Data: program},
		{Data: &site.Data{ID: "write", API: true, Answer: s.serveWrite, Usual: usualWriter, Takes: write, Out: api.Write{}}},
		{Data: &site.Data{ID: "training", API: true, Answer: s.serveTraining, Takes: training, Out: api.Training{}}},
	}
}

// usualWriter is the model that writes. Others are refused, for they have another address.
func usualWriter(_ *site.Server, _ *http.Request, v url.Values) (string, error) {
	id := encoder.EncoderDecoder.ID
	if m := v.Get(address.Mechanisms); m != "" && m != id {
		return "", fault.Errorf(fault.Invalid, "error.writer", "model", messages.Quote(site.Clean(m)), "writer", id)
	}
	return id, nil
}

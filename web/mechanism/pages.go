// Package mechanism shows single mechanisms and architectures: the index, a page for each, its
// source code, and its training.
package mechanism

import (
	"embed"
	"net/http"
	"net/url"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("mechanism", own)

// pages are the handlers of this package.
type pages struct{ *wall.Views }

// page is the page of a mechanism.
type page struct {
	*wall.View
	Site *pages
}

// read decodes the URL of a page. elsewhere is the URL of a redirect, if there is one.
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

// Pages returns the pages of single mechanisms, their source code and their training, and the
// index.
func Pages(v *wall.Views) []site.Page {
	s := &pages{v}
	write := address.Takes{Own: address.NamesTable,
		State: []string{address.Text, address.Task, address.Layer, address.Head, address.CutKey, address.Compute}}
	training := address.Takes{Own: address.NamesTable, Any: true,
		State: []string{address.Mechanisms, address.Text, address.Task, address.Layer, address.Head, address.Norm}}
	catalogue := &site.Data{ID: "mechanisms", API: true, Beside: "/m.json", Answer: s.serveMechanisms,
		Out: Mechanisms{}}
	numbers := &site.Data{ID: "mechanism", Beside: "/m/{mechanism}.json", Answer: s.serveMechanismJSON,
		Usual: site.UsualOfPath, Takes: wall.AttendTakes, Out: api.Attend{}}
	program := &site.Data{ID: "source", Beside: "/m/{mechanism}/source.json", Answer: s.serveSourceJSON, Out: Source{}}
	return []site.Page{
		{Path: "/m", Title: "index.title", Summary: "index.summary",
			Serve: s.serveIndex, Data: catalogue},
		{Path: "/m/{mechanism}", Serve: s.serveMechanism, Names: v.MechanismIDs, Data: numbers},
		{Path: "/m/{mechanism}/source", Serve: s.serveSource, Names: v.MechanismIDs, Data: program},
		{Data: &site.Data{ID: "write", API: true, Answer: s.serveWrite, Usual: usualWriter, Takes: write, Out: Write{}}},
		{Data: &site.Data{ID: "training", API: true, Answer: s.serveTraining, Takes: training, Out: Training{}}},
	}
}

// usualWriter returns the id of the encoder–decoder. Other models are rejected, because they have
// another URL.
func usualWriter(_ *site.Server, _ *http.Request, v url.Values) (string, error) {
	id := encoder.EncoderDecoder.ID
	if m := v.Get(address.Mechanisms); m != "" && m != id {
		return "", fault.Errorf(fault.Invalid, "error.writer", "model", messages.Quote(site.Clean(m)), "writer", id)
	}
	return id, nil
}

// Package plane shows the queries and keys of a head as points in a plane.
package plane

import (
	"cmp"
	"embed"
	"net/http"

	"attnatlas/engine"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/unroll"
)

//go:embed *.css
var own embed.FS

var files = append(static.Add("plane", own), unroll.Style)

// path is the path of the page.
const path = "/plane"

// pages serves the pages of queries and keys.
type pages struct{ *site.Server }

// Pages returns the page of the queries and keys of a head.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	numbers := &site.Data{ID: path[1:], API: true, Beside: path + ".json", Answer: s.serveJSON, Usual: site.UsualModel(""),
		Takes: address.Takes{State: []string{address.Text, address.Mechanisms, address.Layer, address.Head, address.PinKey,
			address.Mask, address.CutKey, address.Compute}},
		Out: Plane{}}
	return []site.Page{{Path: path, Title: "plane.heading", Serve: s.Asked(numbers, s.serve), Of: s.of, Data: numbers}}
}

// of returns the id of the label of a model's link to the page. It is empty if the model compares no queries and keys.
func (s *pages) of(m *site.Mechanism) string {
	if _, ok := s.Engine.(site.Stepper); !ok || m.Compares == nil || !s.Trained(m.ID) {
		return ""
	}
	return "plane.heading"
}

// found holds the results of the engine.
type found struct {
	state address.State // with a single model
	steps *explain.Steps
	plane *explain.Plane
	word  int // the word whose query has lines, from 1
}

// find runs the engine once there is memory for it.
func (s *pages) find(r *http.Request, q address.Query) (f found, err error) {
	f.state = q.State.One()
	id := f.state.Mechanisms[0]
	e := s.Find(id)
	stepper, ok := s.Engine.(site.Stepper)
	switch {
	case e == nil:
		return f, s.NoMechanism(id)
	case !ok:
		return f, fault.Errorf(fault.Unsupported, "steps.none")
	case e.Compares == nil:
		return f, fault.Errorf(fault.Unsupported, "plane.none", "name", e.Name)
	}
	if _, err := engine.Explainable(s.Vocab, f.state.Text); err != nil { // before memory is claimed for its maps
		return f, err
	}
	head, err := s.HeadOf(r.Context(), f.state, id)
	if err != nil {
		return f, err
	}
	request := explain.StepsRequest{Request: f.state.Request(), Layer: f.state.Layer, Word: f.state.Pin.Row}
	err = s.WithRoom(r.Context(), request.Request, func() (err error) {
		if f.steps, err = stepper.Steps(r.Context(), request); err == nil {
			f.plane, err = f.steps.Plane(e.Entry, head)
		}
		return err
	})
	if err == nil {
		f.word = cmp.Or(f.state.Pin.Row, unroll.Unpinned(f.steps.Tokens))
	}
	return f, err
}

// serveJSON answers GET /api/v1/plane.
func (s *pages) serveJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	f, err := s.find(r, q)
	if err != nil {
		return err
	}
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return site.SendJSON(w, newPlane(f.state.Mechanisms[0], f.steps, f.plane))
}

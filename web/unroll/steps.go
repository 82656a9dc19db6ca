package unroll

import (
	"cmp"
	"net/http"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// stepped is a request to the steps page with its result.
type stepped struct {
	state  address.State
	asked  through
	found  *explain.Steps
	head   int // from 1
	at     int // selected step, from 0
	planes int // largest number of planes; 0: no planes
	word   int // selected token, from 1
}

// serveStepsJSON answers GET /api/v1/steps.
func (s *pages) serveStepsJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.steps(r, q)
	if err != nil {
		return err
	}
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return site.SendJSON(w, newSteps(site.Language(r), x.found, x.asked.Step))
}

// serveSteps answers GET /steps.
func (s *pages) serveSteps(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.steps(r, q)
	if err != nil {
		return err
	}
	view, err := s.stepsView(site.Language(r), x)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, StepsPage(view))
}

// steps reads the request and runs the engine.
func (s *pages) steps(r *http.Request, q address.Query) (x stepped, err error) {
	asked, _ := throughTable.Decode(q.Values)
	st := q.State.One()
	asked.ID = st.Mechanisms[0]
	stepper, ok := s.Engine.(site.Stepper)
	if !ok {
		return x, fault.Errorf(fault.Unsupported, "steps.none")
	}
	x = stepped{state: st, asked: asked}
	if _, err := engine.Explainable(s.Vocab, st.Text); err != nil { // before memory is claimed for its maps
		return x, err
	}
	if x.head, err = s.HeadOf(r.Context(), st, asked.ID); err != nil {
		return x, err
	}
	request := explain.StepsRequest{Request: st.Request(), Layer: st.Layer, Word: st.Pin.Row}
	err = s.WithRoom(r.Context(), request.Request, func() (err error) {
		x.found, err = stepper.Steps(r.Context(), request)
		return err
	})
	if err != nil {
		return x, err
	}
	x.word = cmp.Or(st.Pin.Row, x.found.Word, Unpinned(x.found.Tokens))
	var known messages.List
	for i, step := range x.found.List {
		known, x.planes = append(known, step.Key), max(x.planes, x.found.View(i, x.head, 1).Planes)
	}
	if asked.Plane > max(x.planes, 1) {
		return x, fault.Errorf(fault.NotFound, "steps.no-plane", "plane", asked.Plane, "planes", max(x.planes, 1))
	}
	if asked.Step == "" {
		return x, nil
	}
	if x.at = slices.Index(known, asked.Step); x.at < 0 {
		return x, fault.Errorf(fault.NotFound, "steps.no-step", "step", messages.Quote(asked.Step), "known", known)
	}
	return x, nil
}

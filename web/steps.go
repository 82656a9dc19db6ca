package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/api"
)

// Stepper lists what a pass computes, step by step.
type Stepper interface {
	Steps(context.Context, engine.StepsRequest) (*engine.Steps, error)
}

// stepped is an answer, and what was asked.
type stepped struct {
	state  address.State
	asked  address.Through
	found  *engine.Steps
	head   int // from 1
	at     int // the step that is looked at, from 0
	planes int // of what is stacked most; 0: nothing is
	word   int // the word that is followed, from 1
}

// serveStepsJSON answers GET /api/v1/steps.
func (s *Server) serveStepsJSON(w http.ResponseWriter, r *http.Request) error {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	if !v.Has(address.Text) {
		return engine.Errorf(engine.Invalid, "param.text-missing")
	}
	x, err := s.steps(r)
	if err != nil {
		return err
	}
	heldOf(r.Context()).allow(mostDataBytes)
	return sendJSON(w, api.NewSteps(language(r), x.found, x.asked.Step))
}

// serveSteps answers GET /steps.
func (s *Server) serveSteps(w http.ResponseWriter, r *http.Request) error {
	x, err := s.steps(r)
	if err != nil {
		return err
	}
	view, err := s.stepsView(language(r), x)
	if err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, components.ThroughPage(view))
}

// steps reads what is asked and asks the engine.
func (s *Server) steps(r *http.Request) (x stepped, err error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	st, wrong := address.Decode(v, s.vocab, v.Get(address.Mechanisms))
	asked, more := address.DecodeThrough(v, st)
	if err := address.Join(bad, wrong, more, address.Unknown(v, address.Map, address.Plane)); err != nil {
		return x, err
	}
	st.Show, st.Other, st.After, st.Mechanisms = exhibit.Maps, "", "", []string{asked.ID}
	if st.Layer == 0 {
		st.Layer = 1
	}
	stepper, ok := s.explainer.(Stepper)
	if !ok {
		return x, engine.Errorf(engine.Unsupported, "steps.none")
	}
	x = stepped{state: st, asked: asked}
	if x.head, err = s.headOf(r.Context(), st, asked.ID); err != nil {
		return x, err
	}
	q := engine.StepsRequest{Request: st.Request(), Layer: st.Layer, Word: st.Pin.Row}
	err = s.withRoom(r.Context(), q.Request, func() (err error) {
		x.found, err = stepper.Steps(r.Context(), q)
		return err
	})
	if err != nil {
		return x, err
	}
	x.word = cmp.Or(st.Pin.Row, x.found.Word, unpinned(x.found.Tokens))
	var known messages.List
	for i, step := range x.found.List {
		known, x.planes = append(known, step.Key), max(x.planes, x.found.View(i, x.head, 1).Planes)
	}
	if asked.Plane > max(x.planes, 1) {
		return x, engine.Errorf(engine.NotFound, "steps.no-plane", "plane", asked.Plane, "planes", max(x.planes, 1))
	}
	if asked.Step == "" {
		return x, nil
	}
	if x.at = slices.Index(known, asked.Step); x.at < 0 {
		return x, engine.Errorf(engine.NotFound, "steps.no-step", "step", messages.Quote(asked.Step), "known", known)
	}
	return x, nil
}

// headOf is the head of a page of steps, from 1: the one that is asked for, or the one that a card would show.
func (s *Server) headOf(ctx context.Context, st address.State, id string) (int, error) {
	st = st.Alone(id)
	if st.Head == exhibit.Mean { // whose steps nobody computes
		st.Head = exhibit.Auto
	}
	if n, e := s.runs(id), s.find(id); e != nil && e.generates() && st.Layer > n { // of the decoder, which comes behind
		st.Layer -= n
	}
	sel, err := s.inspect(ctx, st)
	if err != nil {
		return 0, err
	}
	x, err := sel.Exhibit(id, "", 0)
	if err != nil {
		return 0, err
	}
	return max(x.Number, 1), nil
}

// runs is how many layers the model of a mechanism has, of two stacks the first.
func (s *Server) runs(id string) int {
	if e, m := s.find(id), s.model(id); e != nil && m != nil {
		return e.facts(m).Runs
	}
	return 0
}

// stepsLink is the link of a card to the steps of its forward pass.
func (p *page) stepsLink(c *components.Card, card *exhibit.Card) {
	x := card.Main
	if _, ok := p.s.explainer.(Stepper); !ok || p.state.After != "" || x.Part != "" && x.Part != engine.EncoderPart {
		return
	}
	st := p.state
	if st.Layer = x.Layer.Number; st.Layer == 0 {
		st.Layer = p.state.Layer
	}
	c.Steps = components.Link{Label: p.t("steps.link"), Hint: p.t("steps.link-help"), URL: address.Steps(address.StepsPath, st, address.Through{ID: x.Result.ID})}
}

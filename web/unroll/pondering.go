package unroll

import (
	"net/http"

	"attnatlas/engine/fault"
	"attnatlas/engine/unroll"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// pondered is a request to the adaptive computation page with its result.
type pondered struct {
	state address.State
	id    string
	found *unroll.Pondering
}

// servePonderingJSON answers GET /api/v1/pondering.
func (s *pages) servePonderingJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.pondering(r, q)
	if err != nil {
		return err
	}
	return site.SendJSON(w, x.found)
}

// servePondering answers GET /pondering.
func (s *pages) servePondering(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.pondering(r, q)
	if err != nil {
		return err
	}
	view, err := s.ponderingView(site.Language(r), x)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, Unrolled(view))
}

// pondering reads the request and asks for a report.
func (s *pages) pondering(r *http.Request, q address.Query) (x pondered, err error) {
	x.id = q.State.Mechanisms[0]
	if x.state, err = s.apart(r.Context(), q.State); err != nil {
		return x, err
	}
	sel, err := s.Inspect(r.Context(), x.state)
	if err != nil {
		return x, err
	}
	if x.found, err = unroll.PonderingOf(sel.Report, x.id); err != nil {
		return x, err
	}
	if n := len(x.found.Tokens); x.state.Pin.Row > n {
		return x, fault.Errorf(fault.NotFound, "steps.no-word", "word", x.state.Pin.Row, "words", n)
	}
	return x, nil
}

package unroll

import (
	"net/http"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// pondered is an answer, and what was asked.
type pondered struct {
	state address.State
	id    string
	found *engine.Pondering
}

// servePonderingJSON answers GET /api/v1/pondering.
func (s *pages) servePonderingJSON(w http.ResponseWriter, r *http.Request) error {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	if !v.Has(address.Text) {
		return engine.Errorf(engine.Invalid, "param.text-missing")
	}
	x, err := s.pondering(r)
	if err != nil {
		return err
	}
	return site.SendJSON(w, x.found)
}

// servePondering answers GET /pondering.
func (s *pages) servePondering(w http.ResponseWriter, r *http.Request) error {
	x, err := s.pondering(r)
	if err != nil {
		return err
	}
	view, err := s.ponderingView(site.Language(r), x)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, components.UnrolledPage(view))
}

// aboutOne reads the state of a page about one model, of which one is usual.
func (s *pages) aboutOne(r *http.Request, usual string) (st address.State, id string, err error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	if !v.Has(address.Mechanisms) {
		v.Set(address.Mechanisms, usual)
	}
	st, wrong := address.Decode(v, s.Vocab, v.Get(address.Mechanisms))
	if err := address.Join(bad, wrong, address.Unknown(v)); err != nil {
		return st, "", err
	}
	id = st.Mechanisms[0]
	st, err = s.apart(r.Context(), st, id)
	return st, id, err
}

// pondering reads what is asked and asks for a report.
func (s *pages) pondering(r *http.Request) (x pondered, err error) {
	if x.state, x.id, err = s.aboutOne(r, encoder.Universal.ID); err != nil {
		return x, err
	}
	sel, err := s.Inspect(r.Context(), x.state)
	if err != nil {
		return x, err
	}
	if x.found, err = engine.PonderingOf(sel.Report, x.id); err != nil {
		return x, err
	}
	if n := len(x.found.Tokens); x.state.Pin.Row > n {
		return x, engine.Errorf(engine.NotFound, "steps.no-word", "word", x.state.Pin.Row, "words", n)
	}
	return x, nil
}

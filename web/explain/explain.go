package explain

import (
	"context"
	"net/http"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// explained is an explanation with its request.
type explained struct {
	state address.State
	asked Asked
	found *explain.Explanation
}

// serveExplainJSON answers GET /api/v1/explain.
func (s *pages) serveExplainJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.explain(r, q)
	if err != nil {
		return err
	}
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return site.SendJSON(w, newExplain(x.found))
}

// serveExplain answers GET /explain.
func (s *pages) serveExplain(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.explain(r, q)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, ExplainPage(s.explainView(site.Language(r), x)))
}

// explain reads the request and runs the engine.
func (s *pages) explain(r *http.Request, query address.Query) (x explained, err error) {
	if err := address.CheckText(query.State.Text); err != nil {
		return x, err
	}
	if _, err := engine.Explainable(s.Vocab, query.State.Text); err != nil { // before memory is claimed for its maps
		return x, err
	}
	st := query.State.One()
	asked, _ := askedTable.Decode(query.Values)
	if asked.ID = st.Mechanisms[0]; asked.Array > 0 {
		asked.Word = st.Pin.Row
	}
	explainer, ok := s.Engine.(site.Explainer)
	if !ok {
		return x, fault.Errorf(fault.Unsupported, "explain.none")
	}
	q := explain.Question{Request: st.Request(), Layer: st.Layer, Map: asked.Map, Array: asked.Array, Place: asked.Place,
		Word: asked.Word}
	if q.Array == 0 {
		if err := s.place(r.Context(), &st, &asked, &q); err != nil {
			return x, err
		}
	}
	x = explained{state: st, asked: asked}
	err = s.WithRoom(r.Context(), q.Request, func() (err error) {
		x.found, err = explainer.Explain(r.Context(), q)
		return err
	})
	return x, err
}

// place sets the map and layer of a question, and the position of the pinned cell along the map's axes.
func (s *pages) place(ctx context.Context, st *address.State, asked *Asked, q *explain.Question) error {
	sel, err := s.Inspect(ctx, *st)
	if err != nil {
		return err
	}
	x, err := sel.Exhibit(asked.ID, asked.Map, 0)
	if err != nil {
		return err
	}
	if x.Number == exhibit.Mean { // a mean has no steps of its own, so a single head is traced
		*st = st.SingleCard(asked.ID)
		st.Head = exhibit.Auto
		if sel, err = s.Inspect(ctx, *st); err == nil {
			x, err = sel.Exhibit(asked.ID, asked.Map, 0)
		}
		if err != nil {
			return err
		}
	}
	q.Map, asked.Map, q.Layer = x.Name, x.Name, x.Layer.Number
	if x.Layer.Number == 0 {
		return fault.Errorf(fault.Unsupported, "explain.whole")
	}
	if st.Pin == (address.Pin{}) {
		st.Pin.Row, st.Pin.Col = x.Largest()
	}
	at, ok := x.Place(st.Pin.Row, st.Pin.Col)
	if !ok {
		return fault.Errorf(fault.Invalid, "explain.no-cell")
	}
	q.At = at
	return nil
}

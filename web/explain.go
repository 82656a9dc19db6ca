package web

import (
	"context"
	"net/http"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/api"
)

// Explainer answers where a number comes from.
type Explainer interface {
	Explain(context.Context, engine.Question) (*engine.Explanation, error)
}

// explained is an answer, and what was asked.
type explained struct {
	state address.State
	asked address.Asked
	found *engine.Explanation
}

// serveExplainJSON answers GET /api/v1/explain.
func (s *Server) serveExplainJSON(w http.ResponseWriter, r *http.Request) error {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	if !v.Has(address.Text) {
		return engine.Errorf(engine.Invalid, "param.text-missing")
	}
	x, err := s.explain(r)
	if err != nil {
		return err
	}
	heldOf(r.Context()).allow(mostDataBytes)
	return sendJSON(w, api.NewExplain(x.found))
}

// serveExplain answers GET /explain.
func (s *Server) serveExplain(w http.ResponseWriter, r *http.Request) error {
	x, err := s.explain(r)
	if err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, components.ExplainPage(s.explainView(language(r), x)))
}

// explain reads what is asked and asks the engine.
func (s *Server) explain(r *http.Request) (x explained, err error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	st, wrong := address.Decode(v, s.vocab, address.DefaultText)
	asked, more := address.DecodeAsked(v, st)
	if err := address.Join(bad, wrong, more, address.Unknown(v, address.Map, address.Number)); err != nil {
		return x, err
	}
	if err := address.CheckText(st.Text); err != nil {
		return x, err
	}
	st.Show, st.Other, st.After, st.Mechanisms = exhibit.Maps, "", "", []string{asked.ID}
	if st.Layer == 0 {
		st.Layer = 1
	}
	explainer, ok := s.explainer.(Explainer)
	if !ok {
		return x, engine.Errorf(engine.Unsupported, "explain.none")
	}
	q := engine.Question{Request: st.Request(), Layer: st.Layer, Map: asked.Map, Array: asked.Array, Place: asked.Place, Word: asked.Word}
	if q.Array == 0 {
		if err := s.place(r.Context(), &st, &asked, &q); err != nil {
			return x, err
		}
	}
	x = explained{state: st, asked: asked}
	err = s.withRoom(r.Context(), q.Request, func() (err error) {
		x.found, err = explainer.Explain(r.Context(), q)
		return err
	})
	return x, err
}

// place is where the pinned cell is along the axes of the map.
func (s *Server) place(ctx context.Context, st *address.State, asked *address.Asked, q *engine.Question) error {
	sel, err := s.inspect(ctx, *st)
	if err != nil {
		return err
	}
	x, err := sel.Exhibit(asked.ID, asked.Map, 0)
	if err != nil {
		return err
	}
	if x.Number == exhibit.Mean { // a mean is of heads, whose numbers can be asked for
		*st = st.Alone(asked.ID)
		st.Head = exhibit.Auto
		if sel, err = s.inspect(ctx, *st); err == nil {
			x, err = sel.Exhibit(asked.ID, asked.Map, 0)
		}
		if err != nil {
			return err
		}
	}
	q.Map, asked.Map, q.Layer = x.Name, x.Name, x.Layer.Number
	if x.Layer.Number == 0 {
		return engine.Errorf(engine.Unsupported, "explain.whole")
	}
	if st.Pin == (address.Pin{}) {
		st.Pin.Row, st.Pin.Col = x.Largest()
	}
	at, ok := x.Place(st.Pin.Row, st.Pin.Col)
	if !ok {
		return engine.Errorf(engine.Invalid, "explain.no-cell")
	}
	q.At = at
	return nil
}

// explainLink is the link of a card to where its pinned number comes from. Scripts keep it with the pin.
func (p *page) explainLink(c *components.Card, card *exhibit.Card) {
	x := card.Main
	if _, ok := p.s.explainer.(Explainer); !ok || x.View.Apart || x.Layer.Number == 0 || x.Part != "" || p.state.Show != exhibit.Maps || p.state.After != "" {
		return
	}
	st := p.state
	st.Layer = x.Layer.Number
	c.Explain = components.Link{Label: p.t("explain.link"), Hint: p.t("explain.link-help"), URL: address.Explain(address.ExplainPath, st, address.Asked{ID: x.Result.ID, Map: x.Name})}
	c.Explained = p.state.Pin.Row > 0 && p.state.Pin.Col > 0
}

package compare

import (
	"context"
	"net/http"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

// inspect runs the engine for both maps of a comparison, once there is memory for both reports.
func inspect(ctx context.Context, s *site.Server, c address.Comparison) (a, b *exhibit.Selection, err error) {
	both, err := s.InspectAll(ctx, c.Of(address.SideA), c.Of(address.SideB))
	if err != nil {
		return nil, nil, err
	}
	if c.A == c.B {
		both[1].SameHeads(both[0]) // the second text shows the head of the first
	}
	return both[0], both[1], nil
}

// Compared returns the selections of two maps and their comparison.
func Compared(ctx context.Context, s *site.Server, c address.Comparison) (a, b *exhibit.Selection,
	said *exhibit.Comparison, err error) {
	if a, b, err = inspect(ctx, s, c); err != nil {
		return nil, nil, nil, err
	}
	x, err := a.Exhibit(c.A.ID, "", 0)
	if err != nil {
		return nil, nil, nil, err
	}
	y, err := b.Exhibit(c.B.ID, "", 0)
	if err != nil {
		return nil, nil, nil, err
	}
	return a, b, exhibit.Compare(x, y), nil
}

// Decode decodes a comparison for data and figures. Unlike a page, it rejects every error.
func Decode(s *site.Server, r *http.Request, more func(c address.Comparison) []address.ParamError) (address.Comparison, error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	c, wrong := address.DecodeComparison(v, s.Vocab)
	if err := address.Join(bad, wrong, more(c)); err != nil {
		return c, err
	}
	c.After = ""
	return c, nil
}

// serveCompareJSON answers GET /api/v1/compare.
func (s *pages) serveCompareJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	c := address.ComparisonOf(q.Values, q.State)
	a, b, said, err := Compared(r.Context(), s.Server, c)
	if err != nil {
		return err
	}
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return site.SendJSON(w, newCompare(said, a, b, site.Language(r)))
}

// serveCompareDrawing answers GET /api/v1/compare-drawing.
func (s *pages) serveCompareDrawing(w http.ResponseWriter, r *http.Request, q address.Query) error {
	c := address.ComparisonOf(q.Values, q.State)
	drawn, _ := address.DrawnTable.Decode(q.Values)
	of, detail := drawn.Of, api.WithNumbers
	if drawn.Without {
		detail = api.ColoursOnly
	}
	if len(of) == 1 {
		return s.serveSideDrawing(w, r, c, of[0], detail)
	}
	_, _, said, err := Compared(r.Context(), s.Server, c)
	if err != nil {
		return err
	}
	return site.SendJSON(w, api.NewCompareDrawing(said, detail, site.Language(r)))
}

// serveSideDrawing answers with one of the maps while the other one is being measured.
func (s *pages) serveSideDrawing(w http.ResponseWriter, r *http.Request, c address.Comparison, side string,
	detail api.Detail) error {
	ids := map[string]string{address.SideA: c.A.ID, address.SideB: c.B.ID}
	id, ok := ids[side]
	if !ok {
		return address.Join([]address.ParamError{address.Invalid(address.Of, "param.choice", "key", address.Of, "value",
			messages.Quote(side), "allowed", messages.List([]string{address.SideA, address.SideB}))})
	}
	sel, err := s.Inspect(r.Context(), c.Of(side))
	if err != nil {
		return err
	}
	x, err := sel.Exhibit(id, "", 0)
	if err != nil {
		return err
	}
	return site.SendJSON(w, api.NewSideDrawing(side, x, detail, site.Language(r)))
}

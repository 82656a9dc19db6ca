package web

import (
	"context"
	"net/http"
	"net/url"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/api"
)

// compare asks the engine about both maps of a comparison, when there is room for both reports.
func (s *Server) compare(ctx context.Context, c address.Comparison) (a, b *exhibit.Selection, err error) {
	both, err := s.inspectAll(ctx, c.Of(address.SideA), c.Of(address.SideB))
	if err != nil {
		return nil, nil, err
	}
	if c.A == c.B {
		both[1].SameHeads(both[0]) // of the second text
	}
	return both[0], both[1], nil
}

// compared are two maps and what is said of them.
func (s *Server) compared(ctx context.Context, c address.Comparison) (a, b *exhibit.Selection, said *exhibit.Comparison, err error) {
	if a, b, err = s.compare(ctx, c); err != nil {
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

// decodeComparison reads which maps are to be compared for data and figures: unlike a page, they
// refuse what is wrong.
func (s *Server) decodeComparison(r *http.Request, more func(c address.Comparison) []address.ParamError) (address.Comparison, error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	c, wrong := address.DecodeComparison(v, s.vocab)
	if err := address.Join(bad, wrong, more(c)); err != nil {
		return c, err
	}
	c.After = ""
	return c, nil
}

// decodeComparedData is that of numbers, which name their text.
func (s *Server) decodeComparedData(r *http.Request, others ...string) (address.Comparison, error) {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	c, err := s.decodeComparison(r, func(address.Comparison) []address.ParamError { return address.UnknownOfComparison(v, others...) })
	if err == nil && !v.Has(address.Text) {
		err = engine.Errorf(engine.Invalid, "param.text-missing")
	}
	return c, err
}

// serveCompareJSON answers GET /api/v1/compare.
func (s *Server) serveCompareJSON(w http.ResponseWriter, r *http.Request) error {
	c, err := s.decodeComparedData(r)
	if err != nil {
		return err
	}
	a, b, said, err := s.compared(r.Context(), c)
	if err != nil {
		return err
	}
	heldOf(r.Context()).allow(mostDataBytes)
	return sendJSON(w, api.NewCompare(said, a, b, language(r)))
}

// serveCompareDrawing answers GET /api/v1/compare-drawing.
func (s *Server) serveCompareDrawing(w http.ResponseWriter, r *http.Request) error {
	c, err := s.decodeComparedData(r, address.Numbers, address.Of)
	if err != nil {
		return err
	}
	v, _ := address.ParseQuery(r.URL.RawQuery)
	of, values, bad := address.DecodeDrawing(v)
	if len(bad) > 0 {
		return address.Join(bad)
	}
	if len(of) == 1 {
		return s.serveSideDrawing(w, r, c, of[0], values)
	}
	_, _, said, err := s.compared(r.Context(), c)
	if err != nil {
		return err
	}
	return sendJSON(w, api.NewCompareDrawing(said, values, language(r)))
}

// serveSideDrawing answers with one of the maps, while the other is being measured.
func (s *Server) serveSideDrawing(w http.ResponseWriter, r *http.Request, c address.Comparison, side string, values bool) error {
	ids := map[string]string{address.SideA: c.A.ID, address.SideB: c.B.ID}
	id, ok := ids[side]
	if !ok {
		return address.Join([]address.ParamError{address.Invalid(address.Of, "param.choice", "key", address.Of, "value", messages.Quote(side), "allowed", messages.List([]string{address.SideA, address.SideB}))})
	}
	sel, err := s.inspect(r.Context(), c.Of(side))
	if err != nil {
		return err
	}
	x, err := sel.Exhibit(id, "", 0)
	if err != nil {
		return err
	}
	return sendJSON(w, api.NewSideDrawing(side, x, values, language(r)))
}

// serveCompareFigure answers GET /export/compare.{png,svg,pdf}: the maps in a row, or one of them.
func (s *Server) serveCompareFigure(w http.ResponseWriter, r *http.Request, format figure.Format) error {
	if format.Board == nil {
		return noFile()
	}
	v, _ := address.ParseQuery(r.URL.RawQuery)
	var f address.Figure
	c, err := s.decodeComparison(r, func(c address.Comparison) (bad []address.ParamError) {
		f, bad = address.DecodeComparedFigure(v, c)
		return bad
	})
	if err != nil {
		return err
	}
	_, _, said, err := s.compared(r.Context(), c)
	if err != nil {
		return err
	}
	figures := said.Figures(language(r), f.Look, said.Provenance(language(r), f.ComparedSource(c, format.Extension), s.version))
	switch i := map[string]int{"": -1, address.SideA: 0, address.SideB: 1, exhibit.DifferenceMap: 2}[f.Map]; {
	case i == 2 && said.Difference == nil:
		return &engine.Error{Kind: engine.Unsupported, Msg: said.NoDifference}
	case i >= 0:
		figures = figures[i : i+1]
	}
	board := figure.Board{Title: figures[0].Title, Meta: figures[0].Meta, Columns: len(figures)}
	for _, one := range figures {
		board.Stacks = append(board.Stacks, figure.Stack{one})
	}
	name := said.FileName(format.Extension)
	if f.Bare {
		return s.drawFile(w, r, format, name, board, func() error { return format.Bare(figures[0], w) })
	}
	return s.drawFile(w, r, format, name, board, func() error { return format.Board(board, w) })
}

// comparable leads from every card to a comparison with the next one that has a map, the last
// with the first, and a single one with the usual one.
func (p *page) comparable(cards []components.Card) {
	var with []*components.Card
	for i := range cards {
		if cards[i].Side != "" {
			with = append(with, &cards[i])
		}
	}
	for i, c := range with {
		v := url.Values{address.SideA: {c.Side}}
		if next := with[(i+1)%len(with)]; next != c {
			v.Set(address.SideB, next.Side)
		}
		pair, _ := address.DecodeComparison(v, p.s.vocab)
		st := p.state
		if st.Norm == address.Default().Norm {
			st.Norm = address.DefaultNorm
		}
		pair.State = st.Plain()
		c.Compare = components.Link{Label: p.t("compare.with"), Hint: p.t("compare.with-help"), URL: address.Compare(pair)}
	}
}

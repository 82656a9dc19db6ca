package export

import (
	"io"
	"net/http"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/web/address"
	"attnatlas/web/compare"
	"attnatlas/web/site"
)

// serveCompareFigure answers GET /export/compare.{png,svg,pdf}: the maps in a row, or one of them.
func (s *pages) serveCompareFigure(w http.ResponseWriter, r *http.Request, format figure.Format) error {
	if format.Board == nil {
		return noFile()
	}
	v, _ := address.ParseQuery(r.URL.RawQuery)
	var f address.FigureRequest
	c, err := compare.Decode(s.Server, r, func(c address.Comparison) (bad []address.ParamError) {
		f, bad = address.DecodeComparedFigure(v, c)
		return bad
	})
	if err != nil {
		return err
	}
	_, _, said, err := compare.Compared(r.Context(), s.Server, c)
	if err != nil {
		return err
	}
	figures := said.Figures(site.Language(r), f.Appearance,
		said.Provenance(site.Language(r), f.ComparedSource(c, format.Extension), s.Version))
	switch i := map[string]int{"": -1, address.SideA: 0, address.SideB: 1, exhibit.DifferenceMap: 2}[f.Map]; {
	case i == 2 && said.Difference == nil:
		return &fault.Error{Kind: fault.Unsupported, Msg: said.NoDifference}
	case i >= 0:
		figures = figures[i : i+1]
	}
	board := figure.Board{Title: figures[0].Title, Meta: figures[0].Meta, Columns: len(figures)}
	for _, one := range figures {
		board.Stacks = append(board.Stacks, figure.Stack{one})
	}
	d := drawing{format: format, name: said.FileName(format.Extension), board: board}
	if f.Bare {
		d.encode = func(w io.Writer) error { return format.Bare(figures[0], w) }
	}
	return s.drawFile(w, r, d)
}

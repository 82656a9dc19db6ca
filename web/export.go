package web

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/web/address"
	"attnatlas/web/api"

	"github.com/go-chi/chi/v5"
)

// serveExport answers GET /export/{mechanism}.{format}.
func (s *Server) serveExport(w http.ResponseWriter, r *http.Request) error {
	name, err := idOf(chi.URLParam(r, "file"))
	if err != nil {
		return err
	}
	if id, ok := strings.CutSuffix(name, "."+animated); ok {
		return s.serveAnimation(w, r, id)
	}
	if name == address.CompareFile {
		return s.serveCompareFigure(w, r)
	}
	id, format, ok := fileOf(name)
	if !ok {
		return engine.Errorf(engine.NotFound, "error.no-figure")
	}
	f, err := s.decodeFigure(r, id)
	if err != nil {
		return err
	}
	sel, err := s.inspect(r.Context(), f.State)
	if err != nil {
		return err
	}
	x, err := sel.Exhibit(id, f.Map, f.Plane)
	if err != nil {
		return err
	}
	meta := x.Provenance(language(r), address.Source(f.State, x, format.Extension), s.version)
	w.Header().Set("Content-Type", format.MediaType)
	w.Header().Set("Content-Disposition", "inline; filename="+strconv.Quote(x.FileName(format.Extension)))
	encode := format.Encode
	if f.Bare {
		encode = format.Bare
	}
	heldOf(r.Context()).allow(mostFigureBytes)
	g := x.Grid()
	return s.draw(r.Context(), pixels(g.Rows, g.Cols, f.Look), func() error { return encode(x.Drawing(language(r), f.Look, meta), w) })
}

// pixels is about how many a figure of so many cells has.
func pixels(rows, cols int, look exhibit.Look) int {
	const inches = 10 // of a figure of the usual size, with its lettering
	dpi := max(look.DPI, 96)
	most := inches * dpi * inches * dpi
	if look.Scale > 0 {
		most = (rows*look.Scale + inches/2*dpi) * (cols*look.Scale + inches/2*dpi)
	}
	return min(most, figure.MaxPixels)
}

// mostFigureBytes are those of a figure: one of MaxPixels has fewer than one for each pixel.
const mostFigureBytes = figure.MaxPixels

// fileOf parts "albert.linformer.png" into an id and a format.
func fileOf(name string) (id string, format figure.Format, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 1 {
		return "", format, false
	}
	format, ok = figure.FindFormat(name[i+1:])
	return name[:i], format, ok
}

// decodeFigure reads which figure of a mechanism is asked for.
func (s *Server) decodeFigure(r *http.Request, id string) (address.Figure, error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	page := ""
	if slices.Contains(api.Parts, v.Get(address.Map)) {
		page = id
	}
	st, wrong := address.Decode(v, s.vocab, page)
	f, more := address.DecodeFigure(v, st)
	if err := address.Join(bad, wrong, more); err != nil {
		return f, err
	}
	if s.find(id) == nil {
		return f, s.noMechanism(id)
	}
	measured := f.InfluenceLayer() > 0 && f.Norm != figure.Shared // the others cost much, and change nothing
	if !slices.Contains(f.Mechanisms, id) || measured || page != "" || f.After != "" {
		f.Mechanisms = []string{id}
	}
	return f, nil
}

// figurePixels are those of all figures that are drawn at the same time: one of the largest and little
// else, or one of the usual for every core.
const figurePixels = figure.MaxPixels + figure.MaxPixels/4

// draw does what needs memory for so many pixels when there is room.
func (s *Server) draw(ctx context.Context, pixels int, encode func() error) error {
	weight := int64(max(pixels, figurePixels/runtime.GOMAXPROCS(0)))
	if s.drawing.Acquire(ctx, weight) != nil {
		return engine.Errorf(engine.Busy, "error.busy-drawing")
	}
	defer s.drawing.Release(weight)
	if err := encode(); err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	return nil
}

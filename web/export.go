package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
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
	return s.draw(r.Context(), func() error { return encode(x.Drawing(language(r), f.Look, meta), w) })
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
	if !slices.Contains(f.Mechanisms, id) || page != "" {
		f.Mechanisms = []string{id}
	}
	return f, nil
}

// draw does what may need many megabytes of pixels when one of the few places for it is free.
func (s *Server) draw(ctx context.Context, encode func() error) error {
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
	case <-ctx.Done():
		return engine.Errorf(engine.Busy, "error.busy-drawing")
	}
	if err := encode(); err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	return nil
}

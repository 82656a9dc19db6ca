package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/figure"

	"github.com/go-chi/chi/v5"
)

// exportQuery is a request for one figure.
type exportQuery struct {
	figure Figure
	bare   bool
}

var exportKeys = append([]string{keyMap, keyPlane, keyScale, keyDPI, keyBare, keyTransparent}, stateKeys...)

func decodeExport(rawQuery string) (exportQuery, error) {
	v, bad := parseQuery(rawQuery)
	state, wrong := decodeState(v)
	d := decoder{values: v}
	q := exportQuery{
		figure: Figure{
			State:       state,
			Map:         d.text(keyMap, ""),
			Plane:       d.number(keyPlane, 0),
			Scale:       d.number(keyScale, 0),
			DPI:         d.number(keyDPI, 0),
			Transparent: d.flag(keyTransparent),
		},
		bare: d.flag(keyBare),
	}
	bad = slices.Concat(bad, wrong, d.bad, unknownParams(v, exportKeys))
	if len(bad) > 0 {
		return exportQuery{}, joinParams(bad)
	}
	if q.figure.Map != "" {
		q.figure.State = state.showFor(q.figure.Map)
	}
	return q, nil
}

// flag reads 1 or 0.
func (d *decoder) flag(key string) bool {
	return d.choice(key, []string{"1", "0"}, "0") == "1"
}

// mechanismOfFile is the id of "albert.linformer.png".
func mechanismOfFile(name string) (string, error) {
	id, ok := strings.CutSuffix(name, ".png")
	if !ok || id == "" {
		return "", &httpError{http.StatusNotFound, "There is nothing at this address; figures are called MECHANISM.png."}
	}
	return id, nil
}

// exportPNG answers GET /export/{mechanism}.png.
func (s *Server) exportPNG(w http.ResponseWriter, r *http.Request) error {
	name, err := url.PathUnescape(chi.URLParam(r, "file"))
	if err != nil {
		return engine.Errorf(engine.Invalid, "the address is not correctly percent-encoded")
	}
	id, err := mechanismOfFile(name)
	if err != nil {
		return err
	}
	return s.exportOf(w, r, id)
}

// exportOf draws a figure of what a mechanism shows.
func (s *Server) exportOf(w http.ResponseWriter, r *http.Request, id string) error {
	q, err := decodeExport(r.URL.RawQuery)
	if err != nil {
		return err
	}
	f := q.figure
	f.Version, f.Mechanism = s.version, id
	if s.subject(f.Mechanism) == nil {
		return s.noMechanism(f.Mechanism)
	}
	if !slices.Contains(f.Mechanisms, f.Mechanism) {
		f.Mechanisms = []string{f.Mechanism}
	}
	report, err := s.inspect(r.Context(), f.State)
	if err != nil {
		return err
	}
	spec, err := f.Spec(report)
	if err != nil {
		return err
	}
	name, err := f.FileName(report, "png")
	if err != nil {
		return err
	}
	body, err := s.draw(r.Context(), spec, q.bare)
	if err != nil {
		return err
	}
	sendPNG(w, name, body)
	return nil
}

// sendPNG answers with a picture that has a name.
func sendPNG(w http.ResponseWriter, name string, body []byte) {
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Content-Disposition", "inline; filename="+strconv.Quote(name))
	w.Write(body)
}

// draw makes the picture when one of the few places for it is free: a figure
// may have many megabytes of pixels.
func (s *Server) draw(ctx context.Context, spec figure.Spec, bare bool) ([]byte, error) {
	select {
	case s.easels <- struct{}{}:
		defer func() { <-s.easels }()
	case <-ctx.Done():
		return nil, engine.Errorf(engine.Busy, "Too many figures are being drawn at once; try again in a moment.")
	}
	render := figure.PNG
	if bare {
		render = figure.Bare
	}
	var b bytes.Buffer
	if err := render(&b, spec); err != nil {
		return nil, fmt.Errorf("figure %s: %w", spec.Title, err)
	}
	return b.Bytes(), nil
}

// noMechanism is the error of an id that the catalogue lacks.
func (s *Server) noMechanism(id string) *engine.Error {
	ids := ""
	for i, e := range s.subjects {
		if i > 0 {
			ids += ", "
		}
		ids += e.ID
	}
	return engine.Errorf(engine.NotFound, "There is no mechanism %s; there are %s.", shown(id), ids)
}

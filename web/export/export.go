package export

import (
	"io"
	"net/http"
	"slices"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/web/address"
	"attnatlas/web/mechanism"
	"attnatlas/web/site"

	"github.com/go-chi/chi/v5"
)

// serveExport answers GET /export/{mechanism}.{format}.
func (s *pages) serveExport(w http.ResponseWriter, r *http.Request) error {
	name, err := site.IDOf(chi.URLParam(r, "file"))
	if err != nil {
		return err
	}
	if id, ok := strings.CutSuffix(name, "."+mechanism.Animated); ok {
		return s.serveAnimation(w, r, id)
	}
	if name == address.WallFile+".zip" {
		return s.serveWallZip(w, r)
	}
	id, format, ok := figure.FormatOf(name)
	switch {
	case !ok:
		return noFile()
	case computes(r):
		return s.serveLive(w, r, id, format)
	case id == address.CompareFile:
		return s.serveCompareFigure(w, r, format)
	case id == address.WallFile:
		return s.serveWallFigure(w, r, format)
	}
	f, err := s.decodeFigure(r, id)
	if err != nil {
		return err
	}
	sel, err := s.Inspect(r.Context(), f.State)
	if err != nil {
		return err
	}
	if exhibit.IsSheet(f.Map) && format.Board != nil && !f.Bare {
		rows, err := sel.EveryHead(id, f.Map)
		if err != nil {
			return err
		}
		return s.serveHeads(w, r, f, rows, format)
	}
	x, err := sel.Exhibit(id, f.Map, f.Plane)
	if err != nil {
		return err
	}
	name = x.FileName(format.Extension)
	if stack := s.stack(r, f, sel, x, format); len(stack) > 1 {
		board := figure.Board{Title: stack[0].Title, Meta: stack[0].Meta, Stacks: []figure.Stack{stack}, Columns: 1}
		return s.drawFile(w, r, drawing{format: format, name: name, board: board})
	}
	one := x.Drawing(site.Language(r), f.Appearance, s.origin(r, f, x, format))
	if format.Board == nil && format.Extension != "json" { // the same provenance as JSON: machine and weights
		w.Header().Set("Link", "<"+strings.TrimPrefix(f.Source(x, "json"), "/export/")+
			`>; rel="describedby"; type="application/json"`)
	}
	encode := format.Encode
	if f.Bare {
		encode = format.Bare
	}
	return s.drawFile(w, r, drawing{format, name, figure.Board{Stacks: []figure.Stack{{one}}},
		func(w io.Writer) error { return encode(one, w) }})
}

// noFile returns the error for an unknown file name; it lists the known endings.
func noFile() error {
	return fault.Errorf(fault.NotFound, "error.no-figure", "all", endings(figure.Extensions()), "boards",
		endings(figure.BoardExtensions()))
}

func endings(extensions []string) string { return "." + strings.Join(extensions, ", .") }

// origin returns the provenance for a file of a map. The last digits of numbers depend on the
// processor. Figures do not, and therefore do not name it: the same URL gives the same bytes.
func (s *pages) origin(r *http.Request, f address.FigureRequest, x *exhibit.Exhibit,
	format figure.Format) []figure.Meta {
	meta := x.Provenance(site.Language(r), f.Source(x, format.Extension), s.Version)
	if format.Board == nil {
		meta = append(meta, figure.Meta{Key: "Instructions", Value: tensor.Instructions()})
	}
	return meta
}

// stack returns the figure of a mechanism without a named map: its main map, and the strips under
// it, such as Fastformer's α and β.
func (s *pages) stack(r *http.Request, f address.FigureRequest, sel *exhibit.Selection, main *exhibit.Exhibit,
	format figure.Format) (stack figure.Stack) {
	if f.Map != "" || f.Plane > 0 || f.Bare || format.Board == nil {
		return nil
	}
	card, err := sel.Card(main.Result)
	if err != nil {
		return nil // a model without its own layers has no card, but a map
	}
	meta := main.Provenance(site.Language(r), f.StackSource(main, format.Extension), s.Version)
	for _, x := range card.Shown() {
		stack = append(stack, x.Drawing(site.Language(r), f.Appearance, meta))
	}
	return stack
}

// drawing is a file to draw.
type drawing struct {
	format figure.Format
	name   string
	board  figure.Board
	// encode draws something other than the whole board; nil: the board.
	encode func(io.Writer) error
}

// drawFile responds with a file when there is capacity to draw it.
func (s *pages) drawFile(w http.ResponseWriter, r *http.Request, d drawing) error {
	site.FileHeader(w.Header(), d.format.MediaType, d.name)
	site.ResponseOf(r.Context()).Allow(mostFigureBytes)
	d.board.Name = strings.TrimSuffix(d.name, "."+d.format.Extension)
	return s.Draw(r.Context(), pixelsOf(d.board), func() error {
		if d.encode != nil {
			return d.encode(w)
		}
		return d.format.Board(d.board, w)
	})
}

// pixelsOf estimates the pixels of a board.
func pixelsOf(b figure.Board) (most int) {
	for _, stack := range b.Stacks {
		for _, f := range stack {
			most += site.Pixels(f.Grid.Rows, f.Grid.Cols, exhibit.Appearance{Scale: f.Scale, DPI: f.DPI, Preset: f.Preset})
			if f.Preset.Width > 0 {
				return most // all on one paper
			}
		}
	}
	return min(most, figure.MaxPixels)
}

// mostFigureBytes limits the bytes of a figure. A figure of MaxPixels has less than one byte per
// pixel.
const mostFigureBytes = figure.MaxPixels

// decodeFigure reads a request for a figure of a mechanism.
func (s *pages) decodeFigure(r *http.Request, id string) (address.FigureRequest, error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	page := ""
	if slices.Contains(mechanism.Parts, v.Get(address.Map)) {
		page = id
	}
	st, wrong := address.Decode(v, s.Vocab, page)
	f, more := address.DecodeFigure(v, st)
	if err := address.Join(bad, wrong, more); err != nil {
		return f, err
	}
	if s.Find(id) == nil {
		return f, s.NoMechanism(id)
	}
	measured := f.Show == exhibit.Influence && f.Norm != figure.Shared // others are slow and not drawn
	if !slices.Contains(f.Mechanisms, id) || measured || page != "" || f.After != "" {
		f.Mechanisms = []string{id}
	}
	return f, nil
}

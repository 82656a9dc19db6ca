package export

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/live"
	"attnatlas/web/live/figures"
	"attnatlas/web/site"
)

// computes reports whether a request asks for a self-contained page that computes.
func computes(r *http.Request) bool {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	return v.Get(address.Live) == "1"
}

// Settings of a self-contained page: it supports these normalisations, colours and views.
var (
	liveNorms   = []string{figure.PerRow.String(), figure.PerMap.String(), figure.Absolute.String()}
	liveColours = []string{figure.Cividis.String(), figure.Viridis.String(), figure.Magma.String()}
	liveShows   = []string{exhibit.Maps.String(), exhibit.Influence.String()}
	notLive     = []string{
		address.Plane, address.Bare, address.Scale, address.DPI, address.Preset, address.Transparent, address.Sinks,
		address.Mass,
		address.Top, address.CutKey, address.After, address.Other, address.Exact,
	}
)

// serveLive answers GET /export/{mechanism}.html?live=1 and /export/wall.html?live=1: a
// self-contained page that computes.
func (s *pages) serveLive(w http.ResponseWriter, r *http.Request, id string, format figure.Format) error {
	if format.MediaType != site.PageType || id == address.CompareFile {
		return fault.Errorf(fault.Invalid, "live.only-html", "file", address.WallFile)
	}
	f, err := s.decodeLive(r, id)
	if err != nil {
		return err
	}
	p := &live.FigurePage{
		Language: site.Language(r), Theme: f.PaperTheme().String(), Text: f.Text, Layer: f.Layer, Head: f.Head,
		Causal: f.Mask.String() != "none", Arrangement: f.Arrangement(),
		Norms: s.choices(r, liveNorms, f.Norm.String()), Colours: s.choices(r, liveColours, f.Cmap.String()),
		Element: static.Content(static.Element), Longest: engine.MaxTextBytes,
	}
	if err := s.carry(r.Context(), p, f); err != nil {
		return err
	}
	p.Origin = []live.Origin{{Key: "Software", Value: "Attention Atlas " + s.Version},
		{Key: "Source", Value: r.URL.RequestURI()}}
	p.Title = p.T("wall-file.title")
	if id != address.WallFile && p.First[0].Figure != nil {
		p.Title = p.First[0].Figure.Title
	}
	for _, m := range p.Models {
		p.Origin = append(p.Origin, live.Origin{Key: m.File, Value: strconv.Itoa(len(m.Weights))})
	}
	w.Header().Set("Content-Type", site.PageType)
	w.Header().Set("Content-Disposition", "inline; filename="+strconv.Quote(id+".live.html"))
	_, frames, _ := strings.Cut(w.Header().Get("Content-Security-Policy"), "frame-ancestors")
	w.Header().Set("Content-Security-Policy", p.Policy()+"; frame-ancestors"+cmp.Or(frames, " 'none'"))
	body := bytes.NewBuffer(make([]byte, 0, pageBytes(p)))
	if err := p.Write(r.Context(), body); err != nil {
		return err
	}
	return site.ResponseOf(r.Context()).Take(body.Bytes())
}

// liveBytes is an upper bound for the bytes of such a page without program and weights, for usual
// texts.
const liveBytes = 4 << 20

// cellBytes is half of the memory for a cell of a first map: its number, its address, both as text,
// and buffers.
const cellBytes = 32

// pageBytes estimates the size of a page in bytes.
func pageBytes(p *live.FigurePage) int {
	size := liveBytes + live.Encoded(len(p.WASM)+len(p.Kernel))
	for _, m := range p.Models {
		size += live.Encoded(len(m.Weights))
	}
	return size
}

// decodeLive reads the initial state of a self-contained page.
func (s *pages) decodeLive(r *http.Request, id string) (f address.FigureRequest, err error) {
	if id == address.WallFile {
		f, err = s.decodeWall(r)
	} else {
		f, err = s.decodeFigure(r, id)
		f.Mechanisms = []string{id}
	}
	if err != nil {
		return f, err
	}
	v, _ := address.ParseQuery(r.URL.RawQuery)
	var bad []address.ParamError
	for _, key := range notLive {
		if v.Has(key) {
			bad = append(bad, address.Invalid(key, "live.not-with", "key", key))
		}
	}
	for _, of := range []struct {
		key, value string
		allowed    []string
	}{{address.Norm, f.Norm.String(), liveNorms}, {address.Cmap, f.Cmap.String(), liveColours},
		{address.Show, f.Show.String(), liveShows}} {
		if !slices.Contains(of.allowed, of.value) {
			bad = append(bad, address.Invalid(of.key, "param.choice", "key", of.key, "value", messages.Quote(of.value),
				"allowed", messages.List(of.allowed)))
		}
	}
	return f, address.Join(bad)
}

// carry adds program, weights and first maps to a page.
func (s *pages) carry(ctx context.Context, p *live.FigurePage, f address.FigureRequest) error {
	if err := s.Live.Available(); err != nil {
		return err
	}
	program, err := s.Live.Program(ctx)
	if err != nil {
		return err
	}
	p.Program = *program
	if f.Map == "" {
		f.Map = f.Show.Derived()
	}
	asked, report := f.Request(), int64(0)
	for _, id := range f.Mechanisms {
		name, data, err := s.Live.Weights(id)
		if err != nil {
			return fault.Errorf(fault.NotFound, "live.no-weights", "id", messages.Quote(id))
		}
		p.Models = append(p.Models, live.WeightsFile{ID: id, Map: f.Map, File: name, Weights: data})
		asked.Mechanisms = []string{id}
		report = max(report, s.Cost(asked).Bytes)
	}
	n := s.Vocab.Count(f.Text)
	first := int64(len(f.Mechanisms)) * int64(n) * int64(n) * cellBytes
	if err := site.Claim(ctx, int64(pageBytes(p))+report+first); err != nil { // its parts, and the whole
		return err
	}
	for _, id := range f.Mechanisms {
		p.First = append(p.First, figures.Of(ctx, s.Inspector, figures.Request{
			Text: f.Text, Mechanism: id, Map: f.Map, Layer: f.Layer, Head: f.HeadFor(id), Causal: p.Causal,
			Arrangement: p.Arrangement,
		}))
		if p.First[0].Figure == nil && len(f.Mechanisms) == 1 {
			return fault.Errorf(fault.Invalid, "live.nothing", "cause", p.First[0].Error)
		}
	}
	return nil
}

// choices returns menu items for ids, with their names.
func (s *pages) choices(r *http.Request, ids []string, chosen string) (all []live.MenuItem) {
	for _, id := range ids {
		label := id
		if slices.Contains(liveNorms, id) {
			label = site.Language(r).T("norm." + id + ".label")
		}
		all = append(all, live.MenuItem{ID: id, Label: label, Chosen: id == chosen})
	}
	return all
}

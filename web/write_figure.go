package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"
	"attnatlas/engine/trace"
)

// writeFigure says which map of what was written to draw, and how.
type writeFigure struct {
	writeState
	of          writeMap
	version     string
	scale, dpi  int
	transparent bool
}

// spec is the figure as package figure draws it.
func (f writeFigure) spec(w *engine.Written) (figure.Spec, error) {
	t, layer, err := f.of.pick(w, f.State)
	if err != nil {
		return figure.Spec{}, err
	}
	theme := figure.Light
	if f.Theme == figure.Dark.String() {
		theme = figure.Dark
	}
	spec := figure.Spec{
		Title: encoder.EncoderDecoder.Name + " · " + f.of.title,
		Subtitle: fmt.Sprintf("layer %d · %s · “%s” → “%s”",
			layer, f.head(w), beginning(f.Text), beginning(w.Text)),
		Map: t, RowTitle: f.of.rows + " ↓", ColTitle: f.of.cols + " →",
		Norm: f.Norm, Palette: f.Cmap, Theme: theme,
		Scale: f.scale, DPI: f.dpi, Transparent: f.transparent,
		Meta: f.provenance(w, layer),
	}
	if f.of.name == encoderRollout {
		spec.Noun = rolloutNoun
	}
	if f.Norm == figure.Shared {
		spec.SharedMax = sharedWeight(w, f.State)
	}
	return spec, nil
}

// sharedWeight is the largest weight of the maps of a state.
func sharedWeight(w *engine.Written, s State) float64 {
	top := 0.0
	for _, m := range writeMaps {
		if t, _, err := m.pick(w, s); err == nil {
			top = max(top, largest(t))
		}
	}
	return top
}

func (f writeFigure) provenance(w *engine.Written, layer int) []figure.Meta {
	s := f.writeState
	s.Layer, s.Step = layer, 0
	v := encodeWrite(s)
	v.Set(keyText, f.Text)
	v.Set(keyMap, f.of.name)
	meta := []figure.Meta{
		{Key: "Software", Value: strings.TrimSpace("Attention Atlas " + f.version)},
		{Key: "Source", Value: writeExportPath + "?" + v.Encode()},
		{Key: "Description", Value: fmt.Sprintf("%s, %s, layer %d, %s, normalisation %s. Text: %s. Written: %s",
			encoder.EncoderDecoder.Name, f.of.title, layer, f.head(w), f.Norm, strings.ToValidUTF8(f.Text, "\uFFFD"), w.Text)},
	}
	if m := w.Model; m != nil {
		meta = append(meta, figure.Meta{Key: "Weights", Value: weightsOf(m)})
	}
	return meta
}

// head says whose the map is.
func (f writeFigure) head(w *engine.Written) string {
	if f.of.name == encoderRollout {
		return "all heads together"
	}
	return headPhrase(f.Head, w.Heads)
}

// fileName is the name under which the figure is saved.
func (f writeFigure) fileName(w *engine.Written) string {
	layer := f.Layer
	if layer == 0 {
		layer = len(f.of.layers(w))
	}
	head := headName(f.Head)
	if f.of.name == encoderRollout {
		head = "all"
	}
	return fmt.Sprintf("%s-%s-layer%d-%s.png", encoder.EncoderDecoder.ID, f.of.name, layer, head)
}

var writeExportKeys = append([]string{keyMap, keyScale, keyDPI, keyBare, keyTransparent}, writeKeys...)

const writeExportPath = "/export/encoder-decoder.png"

// exportWritten answers GET /export/encoder-decoder.png: with a map of its page, or one of
// its card on the wall. The step marks no figure.
func (s *Server) exportWritten(w http.ResponseWriter, r *http.Request) error {
	v, bad := parseQuery(r.URL.RawQuery)
	if !slices.ContainsFunc(writeMaps, func(m writeMap) bool { return m.name == v.Get(keyMap) }) {
		return s.exportOf(w, r, encoder.EncoderDecoder.ID)
	}
	state, wrong := decodeWrite(v)
	d := decoder{values: v}
	f := writeFigure{
		writeState: state, of: d.writeMap(), version: s.version,
		scale: d.number(keyScale, 0), dpi: d.number(keyDPI, 0), transparent: d.flag(keyTransparent),
	}
	bare := d.flag(keyBare)
	if bad = slices.Concat(bad, wrong, d.bad, unknownParams(v, writeExportKeys)); len(bad) > 0 {
		return joinParams(bad)
	}
	written, err := s.rewritten(r.Context(), f.Text)
	if err != nil {
		return err
	}
	spec, err := f.spec(written)
	if err != nil {
		return err
	}
	body, err := s.draw(r.Context(), spec, bare)
	if err != nil {
		return err
	}
	sendPNG(w, f.fileName(written), body)
	return nil
}

// writeMap reads which of the maps is wanted.
func (d *decoder) writeMap() writeMap {
	names := make([]string, len(writeMaps))
	for i, m := range writeMaps {
		names[i] = m.name
	}
	return writeMaps[slices.Index(names, d.choice(keyMap, names, names[0]))]
}

// writeExportURL is the address of a figure of a map.
func writeExportURL(s writeState, name string, extra url.Values) string {
	s.Step = 0
	v := encodeWrite(s)
	v.Set(keyMap, name)
	for key, values := range extra {
		v[key] = values
	}
	return address(writeExportPath, v)
}

// mapView is a map as the page draws it, with the row of a step marked.
func (f writeFigure) mapView(w *engine.Written) (components.View, error) {
	spec, err := f.spec(w)
	if err != nil {
		return components.View{}, err
	}
	grid, err := figure.Quantise(spec)
	if err != nil {
		return components.View{}, err
	}
	t := spec.Map
	view := components.View{
		Mechanism: encoder.EncoderDecoder.ID, Name: f.of.name, Symbol: f.of.symbol, Caption: f.of.caption, Kind: t.Kind.String(),
		Form: figure.Heatmap.String(), Legend: legend(grid, t, f.State),
		Rows:   components.Axis{Role: trace.Query.String(), Title: f.of.rows, Count: grid.Rows, Labels: t.Axes[0].Labels, Level: true},
		Cols:   components.Axis{Role: trace.Key.String(), Title: f.of.cols, Count: grid.Cols, Labels: t.Axes[1].Labels},
		Export: components.Link{Label: "PNG", Hint: "A figure with axes and legend", Download: f.fileName(w), URL: writeExportURL(f.writeState, f.of.name, nil)},
	}
	if f.of.writes() {
		view.Marked = max(f.Step, 1)
	}
	view.Image = f.cells(t, cardWidth)
	view.Image.Alt = fmt.Sprintf("%s, %d×%d: %s", f.of.title, grid.Rows, grid.Cols, strongestCell(grid, t))
	return view, nil
}

// cells is the server's picture of a map, about as wide as asked for.
func (f writeFigure) cells(t trace.Map, width int) components.Image {
	rows, cols := t.Value.Dim(-2), t.Value.Dim(-1)
	scale := min(max(width/cols, 1), 32)
	in := func(theme string) string {
		s := f.writeState
		s.Theme = theme
		return writeExportURL(s, f.of.name, url.Values{keyBare: {"1"}, keyScale: {strconv.Itoa(scale)}})
	}
	img := components.Image{URL: in(f.Theme), Width: cols * scale, Height: rows * scale}
	if f.Theme == themes[0] {
		img.URL, img.Dark = in(figure.Light.String()), in(figure.Dark.String())
	}
	return img
}

// strongestCell names the largest weight of a map with labels.
func strongestCell(g *figure.Grid, t trace.Map) string {
	best, ok := strongest(shownMap{t: t, grid: g})
	if !ok {
		return "no weights"
	}
	return fmt.Sprintf("largest: %s → %s %s", t.Axes[0].Labels[best/g.Cols], t.Axes[1].Labels[best%g.Cols], components.Number(float64(t.Value.Data[best])))
}

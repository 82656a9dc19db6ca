package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// card is one mechanism of the wall.
func (s *Server) card(p *wallPage, m *engine.Result) components.Card {
	c := components.Card{ID: clean(m.ID), Name: clean(m.ID)}
	e := s.subject(m.ID)
	if m.Entry != nil {
		e = &subject{m.Entry, m.Stack}
	}
	if e != nil {
		e = s.as(e)
		c.Name, c.Summary, c.Formula, c.Source = e.Name, e.Summary, e.Formula, citation(e.Paper)
		c.Make = s.makeOf(e, p.state)
		c.Background = s.background(*e, s.model(e.ID), len(p.report.Tokens))
		c.Background.More = s.subjectURL(p.state, e.ID)
	}
	if err := s.fillCard(&c, p, m, e); err != nil {
		return components.Card{
			ID: c.ID, Name: c.Name, Summary: c.Summary, Formula: c.Formula, Source: c.Source, Make: c.Make, Background: c.Background,
			Error: clean(fullStop(sentence(err))), Advice: s.advice(p, m, e),
		}
	}
	return c
}

// fillCard draws what the mechanism showed for the layer and head of the page.
func (s *Server) fillCard(c *components.Card, p *wallPage, m *engine.Result, e *subject) error {
	if m.Err != nil {
		return m.Err
	}
	if e == nil || len(e.Views) == 0 {
		return engine.Errorf(engine.Internal, "mechanism %s has no views", m.ID)
	}
	var views []shownMap
	for i, v := range p.state.views(e.Entry) {
		t, err := pickMap(m, p.state, v.Map)
		if err != nil {
			return err
		}
		if i > 0 && !isStrip(t) {
			more, err := mapView(p, m, v)
			if err != nil {
				return err
			}
			c.More = append(c.More, more)
			continue
		}
		view, err := s.show(p, m, v, t)
		if err != nil {
			return err
		}
		views = append(views, view)
	}
	if err := addWhole(c, p, m); err != nil {
		return err
	}
	c.MoreURL = moreURL(p.state, m.ID, c.More)
	main := views[0]
	c.Map = components.MapView{
		Name: main.t.Name, Symbol: main.view.Symbol, Caption: main.view.Caption, Kind: main.t.Kind.String(),
		Rows: main.grid.Rows, Cols: main.grid.Cols, Image: main.image, Legend: main.legend, Seam: main.seam,
	}
	nameAxes(&c.Map, m, p.state.Layer)
	for _, v := range views[1:] {
		c.Strips = append(c.Strips, components.Strip{
			Name: v.t.Name, Symbol: v.view.Symbol, Caption: v.view.Caption, Kind: v.t.Kind.String(),
			Image: v.image, Legend: v.legend, Cols: v.grid.Cols, Seam: components.Seam{Col: v.seam.Col},
		})
	}
	c.Sum = badge(views)
	c.Facts = facts(m, views)
	c.Note = joined(s.ownNote(p, *e), writtenNote(m), note(m, p.report.Tokens), rolloutNote(p.state, m))
	c.Predictions = predictions(p, m)
	for _, g := range m.Guesses {
		if len(g.Classes) > 0 {
			c.Guesses = append(c.Guesses, guessView(m, g))
		}
	}
	return s.fillExports(c, p, m, views)
}

// nameAxes says what rows and columns of the maps do that are the same for all.
func nameAxes(view *components.MapView, m *engine.Result, layer int) {
	switch view.Name {
	case engine.Influence:
		view.RowsDo, view.ColumnsDo = "output", "input"
		view.Caption = "of this layer’s mixer alone, all heads together"
	case engine.Rollout:
		view.RowsDo, view.ColumnsDo = "word", "from"
		view.Caption = rolloutCaption(m, layer)
	}
}

// addWhole adds the maps of a stack itself, where it shows maps at all.
func addWhole(c *components.Card, p *wallPage, m *engine.Result) error {
	if m.Stack == nil || p.state.Show != ShowMaps {
		return nil
	}
	for _, v := range m.Stack.Views {
		if _, ok := wholeMap(m, v.Map); !ok {
			continue // a model may be without, such as one whose classifiers read a single place
		}
		more, err := mapView(p, m, v)
		if err != nil {
			return err
		}
		c.More = append(c.More, more)
	}
	return nil
}

// writtenNote is what an encoder–decoder wrote of the text.
func writtenNote(m *engine.Result) string {
	if m.Written == "" {
		return ""
	}
	return fmt.Sprintf("This is how its encoder reads. Its decoder then writes “%s”; its page shows step by step how.", clean(m.Written))
}

// joined are sentences one after the other.
func joined(sentences ...string) string {
	return strings.Join(strings.Fields(strings.Join(sentences, " ")), " ")
}

// note is what readers of this text's maps should know.
func note(m *engine.Result, tokens []tokenizer.Token) string {
	if m.Stack != nil && m.Stack.Objective == encoder.NextWord {
		if slices.ContainsFunc(tokens, func(t tokenizer.Token) bool { return t.Piece == maskPiece }) {
			return alwaysCausal + " " + neverMasked
		}
		return alwaysCausal
	}
	if m.Entry == nil || m.Entry.Note == nil || m.Model == nil {
		return haltingNote(m)
	}
	c := attention.Config{Width: m.Model.Width, Heads: m.Model.Heads, Length: m.Model.Length, Knobs: m.Model.Knobs}
	return joined(m.Entry.Note(c, len(tokens)), haltingNote(m))
}

// isStrip says whether a map has one share for each token: such strips stand under the main
// map. What the shares come from, scores, is among the other maps.
func isStrip(t trace.Map) bool {
	return len(t.Axes) == 1 && t.Axes[0].Role == trace.Token && t.Kind != trace.Activation
}

func (s *Server) fillExports(c *components.Card, p *wallPage, m *engine.Result, views []shownMap) error {
	for i, v := range views {
		f := Figure{State: p.state, Mechanism: m.ID, Map: v.t.Name}
		name, err := f.FileName(p.report, "png")
		if err != nil {
			return err
		}
		link := components.Link{Label: "PNG", Hint: "A figure with axes and legend", Download: name, URL: exportURL(p.state, m.ID, nil)}
		if i > 0 {
			link.Label += " " + v.view.Symbol
			link.URL = exportURL(p.state, m.ID, url.Values{keyMap: {v.t.Name}})
		}
		c.Exports = append(c.Exports, link)
	}
	one := p.state
	one.Mechanisms = []string{m.ID}
	c.Exports = append(c.Exports, components.Link{
		Label: "JSON", Hint: "All numbers of this layer, exactly", URL: attendURL(one, nil),
	})
	return nil
}

// shownMap is a map of a card with what was found when it was quantised.
type shownMap struct {
	view   attention.View
	t      trace.Map
	grid   *figure.Grid
	image  components.Image
	legend components.Legend
	seam   components.Seam
}

func (s *Server) show(p *wallPage, m *engine.Result, v attention.View, t trace.Map) (shownMap, error) {
	spec, err := Figure{State: p.state, Mechanism: m.ID, Map: v.Map}.Spec(p.report)
	if err != nil {
		return shownMap{}, err
	}
	grid, err := figure.Quantise(spec)
	if err != nil {
		return shownMap{}, fmt.Errorf("map %s: %w", v.Map, err)
	}
	shown := shownMap{view: v, t: t, grid: grid, legend: legend(grid, t, p.state), seam: components.Seam{Row: spec.RowSeam, Col: spec.ColSeam}}
	shown.image = cellsImage(p, m, shown)
	return shown, nil
}

// cardWidth is about how many CSS pixels a card's map is wide.
const cardWidth = 320

// cellsImage is the server's picture of a map: the cells and nothing else.
func cellsImage(p *wallPage, m *engine.Result, v shownMap) components.Image {
	return bareImage(p.state, m.ID, v.grid, bareMap{name: v.t.Name, alt: alt(p, m, v)})
}

// bareMap names a picture of cells.
type bareMap struct {
	name  string
	plane int // from 1; 0: the map is no stack
	alt   string
}

// bareImage is a picture of a grid's cells, of about the width of a card.
func bareImage(s State, mechanism string, grid *figure.Grid, b bareMap) components.Image {
	scale := min(max(cardWidth/grid.Cols, 1), 32)
	extra := url.Values{keyBare: {"1"}, keyScale: {strconv.Itoa(scale)}, keyMap: {b.name}}
	if b.plane > 0 {
		extra.Set(keyPlane, strconv.Itoa(b.plane))
	}
	img := themedImage(s, mechanism, extra)
	img.Width, img.Height, img.Alt = grid.Cols*scale, grid.Rows*scale, b.alt
	return img
}

// alt says in words what the picture shows.
func alt(p *wallPage, m *engine.Result, v shownMap) string {
	size := strconv.Itoa(v.grid.Cols)
	if v.grid.Rows > 1 {
		size = fmt.Sprintf("%d×%d", v.grid.Rows, v.grid.Cols)
	}
	text := fmt.Sprintf("%s %s, %s %d, %s, %s", nameOf(m), v.view.Symbol, unit(m), p.state.Layer, headsOf(v.t, p.state.Head, m.Heads), size)
	best, ok := strongest(v)
	if !ok {
		return text
	}
	labels := Labels(p.report)
	cell := labels[best%v.grid.Cols]
	if v.grid.Rows > 1 {
		cell = labels[best/v.grid.Cols] + " → " + cell
	}
	return fmt.Sprintf("%s; largest: %s %s", text, cell, components.Number(float64(v.t.Value.Data[best])))
}

// strongest is the index of the largest value over the text's positions.
func strongest(v shownMap) (index int, ok bool) {
	last := v.t.Axes[len(v.t.Axes)-1].Role
	if last != trace.Key && last != trace.Token {
		return 0, false
	}
	index = -1
	for i, class := range v.grid.Class {
		if class != figure.Value && class != figure.Tiny && class != figure.Zero {
			continue
		}
		if index < 0 || v.t.Value.Data[i] > v.t.Value.Data[index] {
			index = i
		}
	}
	return index, index >= 0
}

// exact prints a value so that it parses back to the same bits.
func exact(v tensor.Elem) string {
	return strings.TrimSuffix(string(Values{v}.appendJSON(nil)[1:]), "]")
}

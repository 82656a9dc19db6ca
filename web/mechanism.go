package web

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"
	"attnatlas/engine/trace"

	"github.com/go-chi/chi/v5"
)

// mechanism answers GET /m/{mechanism}.
func (s *Server) mechanism(w http.ResponseWriter, r *http.Request) error {
	id, err := url.PathUnescape(chi.URLParam(r, "mechanism"))
	if err != nil {
		return engine.Errorf(engine.Invalid, "the address is not correctly percent-encoded")
	}
	v, bad := parseQuery(r.URL.RawQuery)
	state, wrong := decodeState(v)
	state.Mechanisms = []string{id}
	e := s.subject(id)
	if e == nil {
		return s.noPage(id, state)
	}
	next, asked, err := readToggle(v)
	if asked && err == nil {
		return redirect(w, mechanismURL(next, id))
	}
	p := &wallPage{at: id, state: state}
	p.complain(err)
	for _, b := range append(bad, wrong...) {
		if b.Param != keyMech {
			p.errs = append(p.errs, b)
		}
	}
	var view components.Mechanism
	if !s.trained(id) {
		view = s.untrainedView(p, e)
	} else {
		if err := s.report(r.Context(), p); err != nil {
			return err
		}
		view = s.mechanismView(r, p, e)
	}
	var page bytes.Buffer
	if err := components.MechanismPage(view).Render(r.Context(), &page); err != nil {
		return err
	}
	writeHTML(w, p.status(w), page.Bytes()) // a text without maps leaves the rest of the page
	return nil
}

// aboutMechanism is what the page says whatever the text is.
func (s *Server) aboutMechanism(p *wallPage, e *subject, n int) components.Mechanism {
	e = s.as(e)
	model := s.model(e.ID)
	m := components.Mechanism{
		Wall: components.Wall{Page: components.Page{
			Title: e.Name, Description: e.Summary, Section: "mechanism", Theme: p.state.Theme, Version: s.version, Weights: s.weights(),
		}},
		ID: e.ID, Name: e.Name, Summary: e.Summary, Formula: e.Formula, Story: s.story(*e), Make: s.makeOf(e, p.state),
		Background: s.background(*e, model, n), Setting: s.setting(e, model, n),
		Nothing: e.Masks.Nothing.Text, Differences: components.Differences{Of: s.differencesOf(e.ID), List: e.Differences}, Back: s.wallLink(p.state),
	}
	for _, f := range e.Forms {
		m.Definitions = append(m.Definitions, components.Definition(f))
	}
	m.Choices = s.choices(e, model)
	for i := range s.subjects {
		if s.subjects[i].ID != e.ID {
			continue
		}
		if i > 0 {
			m.Previous = s.neighbour(p.state, i-1)
		}
		if i+1 < len(s.subjects) {
			m.Next = s.neighbour(p.state, i+1)
		}
	}
	return m
}

// choices are those of a page.
func (s *Server) choices(e *subject, model *engine.ModelInfo) components.Choices {
	return components.Choices{Knobs: s.knobViews(e, model), Command: choosing(e), Whose: s.whose()}
}

// knobViews are the choices of a stack or a mechanism, with those of its model that are
// not the default ones.
func (s *Server) knobViews(e *subject, model *engine.ModelInfo) []components.Knob {
	chosen := map[string]string(nil)
	if model != nil {
		chosen = model.Knobs
		if e.Stack != nil {
			chosen = model.Options
		}
	}
	var list []components.Knob
	for _, k := range e.knobs() {
		view := components.Knob{Name: k.Name, Symbol: k.Symbol, Default: attention.ValueName(k.Default), Values: k.Allowed(), Help: k.Help}
		if v, ok := chosen[k.Name]; ok && v != k.Default {
			view.Help += " " + capital(s.whose()) + " has " + attention.ValueName(v) + "."
		}
		list = append(list, view)
	}
	return list
}

// knobs are those of a stack, or of a mechanism alone.
func (e *subject) knobs() []attention.Knob {
	if e.Stack != nil {
		return e.Stack.Knobs
	}
	return e.Knobs
}

// choosing is a command that trains a model with another choice than the default.
func choosing(e *subject) string {
	knobs := e.knobs()
	if len(knobs) == 0 {
		return ""
	}
	stack, mechanism, _ := encoder.Parse(e.ID) // engine.Find has parsed it
	option := encoder.Config{Stack: stack, Mechanism: mechanism}.OptionName(knobs[0].Name) + "=" + knobs[0].Other()
	if strings.Contains(option, " ") {
		option = strconv.Quote(option)
	}
	return "viz train " + e.ID + " --option " + option + " --data DIR"
}

func (s *Server) neighbour(st State, i int) components.Link {
	st.Pin = Pin{}
	return components.Link{Label: s.subjects[i].Name, URL: s.subjectURL(st, s.subjects[i].ID)}
}

// wallLink leads to the wall with the mechanism beside the default ones.
func (s *Server) wallLink(st State) components.Link {
	id := st.Mechanisms[0]
	st.Mechanisms, st.Pin, st.Layer = s.firstWall(), Pin{}, 0 // others may have fewer layers
	if !slices.Contains(st.Mechanisms, id) {
		st.Mechanisms = append(slices.Clone(st.Mechanisms[:min(3, len(st.Mechanisms))]), id)
	}
	return components.Link{Label: "Beside others", Hint: "This mechanism and others on the wall, with the same text", URL: pageURL(st)}
}

// untrainedView is the page of a mechanism without a model: everything but maps.
func (s *Server) untrainedView(p *wallPage, e *subject) components.Mechanism {
	const tokens = 64
	m := s.aboutMechanism(p, e, tokens)
	what := "mechanism"
	if e.Stack != nil {
		what = "stack"
		if e.ID != e.Stack.ID {
			what += " with this mixer"
		}
	}
	m.Untrained = "There is no trained model of this " + what + " yet, so there are no maps to show: weights that were not trained would say nothing about it."
	return m
}

// mechanismView is the page with the maps of a text.
func (s *Server) mechanismView(r *http.Request, p *wallPage, e *subject) components.Mechanism {
	n := 0
	if p.report != nil {
		n = len(p.report.Tokens)
	}
	m := s.aboutMechanism(p, e, n)
	wall := s.wallView(r, p)
	wall.Page = m.Page
	wall.Controls.Action, wall.Controls.Mechanisms = mechanismPath(e.ID), components.Menu{}
	for i := range wall.Cards {
		wall.Cards[i].Background = components.Background{} // the page has it at large
	}
	m.Wall = wall
	if p.report == nil {
		return m
	}
	m.Layers, m.LayersTitle = layerRows(p, e), "Layers × heads"
	if len(m.Layers) > 0 {
		m.LayersTitle = capital(unit(find(p.report, e.ID))) + "s × heads"
	}
	m.Depth = s.depthView(p, e)
	m.Downloads = downloads(p.state, e.ID)
	return m
}

// layerRows are small pictures of the main map for every layer and head.
func layerRows(p *wallPage, e *subject) []components.LayerRow {
	res := find(p.report, e.ID)
	if res == nil || res.Err != nil {
		return nil
	}
	var rows []components.LayerRow
	for _, layer := range res.Layers {
		row := components.LayerRow{Label: capital(layer.Name)}
		t, ok := layer.Find(mainMap(e.Entry))
		if !ok || t.Value.Rank() < 2 {
			return nil
		}
		cols := t.Value.Dim(t.Value.Rank() - 1)
		heads := res.Heads
		if _, has := t.Has(trace.Head); !has {
			heads = MeanHead // one map for all
		}
		for head := MeanHead; head <= heads; head++ {
			st := p.state
			st.Layer, st.Head, st.Pin, st.Show = layer.Number, head, Pin{}, ShowMaps
			row.Thumbs = append(row.Thumbs, thumb(st, e, layer, cols, layer.Number == p.state.Layer && (head == p.state.Head || heads == MeanHead)))
		}
		rows = append(rows, row)
	}
	return rows
}

// thumbWidth is about how many pixels a small picture is wide.
const thumbWidth = 128

func thumb(st State, e *subject, layer engine.Layer, cols int, current bool) components.Thumb {
	label := "mean"
	if st.Head != MeanHead {
		label = "head " + strconv.Itoa(st.Head)
	}
	scale := max(thumbWidth/cols, 1)
	extra := url.Values{keyBare: {"1"}, keyScale: {strconv.Itoa(scale)}, keyMap: {mainMap(e.Entry)}}
	img := themedImage(st, e.ID, extra)
	img.Width, img.Height = cols*scale, cols*scale
	img.Alt = capital(layer.Name) + ", " + label
	return components.Thumb{Label: label, URL: mechanismURL(st, e.ID), Image: img, Current: current}
}

// themedImage is a picture in the page's theme, or in both when the visitor's
// system decides.
func themedImage(st State, id string, extra url.Values) components.Image {
	in := func(theme string) string {
		st.Theme = theme
		return exportURL(st, id, extra)
	}
	if st.Theme == themes[0] {
		return components.Image{URL: in(figure.Light.String()), Dark: in(figure.Dark.String())}
	}
	return components.Image{URL: in(st.Theme)}
}

func downloads(st State, id string) []components.Link {
	return []components.Link{
		{Label: "PNG of the map", Hint: "A figure with axes and legend", URL: exportURL(st, id, nil)},
		{Label: "JSON of this layer", Hint: "All numbers of this layer and head, exactly", URL: attendURL(st, nil)},
		{Label: "JSON of all mechanisms", Hint: "What is known of each, without a text", URL: "/api/v1/mechanisms"},
	}
}

// mechanismIndex answers GET /m.
func (s *Server) mechanismIndex(w http.ResponseWriter, r *http.Request) error {
	v, _ := parseQuery(r.URL.RawQuery)
	st, _ := decodeState(v)
	index := components.Index{Page: components.Page{
		Title: "Mechanisms", Description: "Every mechanism and stack of the Atlas with its one-line truth, formula and paper.",
		Section: "mechanisms", Theme: st.Theme, Version: s.version, Weights: s.weights(),
	}}
	for i := range s.subjects {
		e := s.as(&s.subjects[i])
		row := components.IndexRow{
			ID: e.ID, Name: e.Name, Summary: e.Summary, Formula: e.Formula, Source: citation(e.Paper),
			URL: mechanismURL(st, e.ID), Untrained: !s.trained(e.ID),
		}
		if e.Stack != nil {
			index.Stacks = append(index.Stacks, row)
		} else {
			index.Rows = append(index.Rows, row)
		}
	}
	var page bytes.Buffer
	if err := components.MechanismsPage(index).Render(r.Context(), &page); err != nil {
		return err
	}
	writeHTML(w, http.StatusOK, page.Bytes())
	return nil
}

func mechanismPath(id string) string { return "/m/" + url.PathEscape(id) }

// mechanismURL is the address of a mechanism's page in a state, whatever
// mechanisms the state has.
func mechanismURL(s State, id string) string {
	v := Encode(s)
	v.Del(keyMech)
	return address(mechanismPath(id), v)
}

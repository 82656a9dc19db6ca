package web

import (
	"fmt"
	"net/url"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
	"attnatlas/engine/trace"
)

// moreURL is the address of the drawings of views.
func moreURL(s State, mechanism string, views []components.View) string {
	if len(views) == 0 {
		return ""
	}
	var names []string
	for _, v := range views {
		names = append(names, v.Name)
	}
	return drawingURL(s, mechanism, names)
}

// mapView is a map of a mechanism as a view draws it.
func mapView(p *wallPage, m *engine.Result, v attention.View) (components.View, error) {
	f := Figure{State: p.state, Mechanism: m.ID, Map: v.Map}
	picked, err := f.pick(p.report)
	if err != nil {
		return components.View{}, err
	}
	spec, err := f.Spec(p.report)
	if err != nil {
		return components.View{}, err
	}
	grid, err := figure.Quantise(spec)
	if err != nil {
		return components.View{}, fmt.Errorf("map %s: %w", v.Map, err)
	}
	t := picked.t
	view := components.View{
		Mechanism: m.ID, Name: v.Map, Symbol: v.Symbol, Caption: v.Caption, Kind: t.Kind.String(),
		Form: picked.stack.Form.String(), By: v.By, Classes: t.Classes, Legend: legend(grid, t, p.state),
		Cols: viewAxis(t.Axes[len(t.Axes)-1], grid.Cols, spec.ColLabels),
		Rows: components.Axis{Count: 1},
	}
	if len(t.Axes) == 2 {
		view.Rows = viewAxis(t.Axes[0], grid.Rows, spec.RowLabels)
	}
	view.Rows.Title = rowTitle(t)
	view.Seam = components.Seam{Row: spec.RowSeam, Col: spec.ColSeam}
	if picked.head != headPhrase(p.state.Head, m.Heads) && picked.head != noHeads {
		view.Note = "(" + picked.head + ")"
	}
	if picked.stack.Form == figure.Wiring {
		view.Wiring, view.Seam = places(t), components.Seam{}
		view.Rows, view.Cols = placeAxis(view.Cols, Labels(p.report)), view.Rows // stages run to the right
		view.Cols.Title, view.Cols.Labels = components.Count(view.Cols.Count, "stage"), nil
	}
	alone := p.state
	if alone.Norm != figure.Shared { // which depends on the others
		alone.Mechanisms = []string{m.ID}
	}
	fillPictures(&view, alone, picked, grid)
	return view, nil
}

// rowTitle is the rows' title without its arrow; empty where each row says what it is.
func rowTitle(t trace.Map) string {
	if rows, _ := figure.AxisTitles(t); rows == "" {
		return ""
	}
	return figure.Title(t.Axes[0])
}

// viewAxis is an axis of a view; words are the labels of its tokens, if it has any.
func viewAxis(a trace.Axis, n int, words []string) components.Axis {
	axis := components.Axis{Role: a.Role.String(), Title: figure.Title(a), Count: n, Labels: words, Words: words != nil}
	if named := figure.Label(a, 0) != "0"; words == nil && named {
		for i := range n {
			axis.Labels = append(axis.Labels, figure.Label(a, i))
		}
	}
	return axis
}

// placeAxis names the places by the words that enter at them; the others are empty.
func placeAxis(a components.Axis, words []string) components.Axis {
	a.Title, a.Labels = "", append([]string(nil), words...)
	for len(a.Labels) < a.Count {
		a.Labels = append(a.Labels, "·")
	}
	return a
}

// places are the places that the places of each stage take from.
func places(t trace.Map) [][]int {
	all := make([][]int, t.Value.Dim(0))
	for s := range all {
		for _, from := range t.Value.Sub(s).Data {
			all[s] = append(all[s], int(from))
		}
	}
	return all
}

// mostPictured is the most planes that have pictures without scripts; of more, each is
// a link to its figure.
const mostPictured = 4

// fillPictures links a view to its pictures and figures.
func fillPictures(view *components.View, s State, p picked, grid *figure.Grid) {
	picture := func(plane int, label string) components.Plane {
		alt := fmt.Sprintf("%s %s%s, %s, %d×%d", nameOf(p.res), view.Symbol, label, p.part(), grid.Rows, grid.Cols)
		extra := url.Values{keyMap: {view.Name}}
		p.plane = plane
		if plane > 0 {
			extra.Set(keyPlane, strconv.Itoa(plane))
		}
		return components.Plane{
			Image: bareImage(s, p.res.ID, grid, bareMap{name: view.Name, plane: plane, alt: alt}),
			Export: components.Link{Label: "PNG", Hint: "A figure with axes and legend", Download: p.file(s.Head, "png"),
				URL: exportURL(s, p.res.ID, extra)},
		}
	}
	first := picture(0, "")
	for i, label := range p.planes {
		plane := picture(i+1, ", "+label)
		plane.Label = label
		if i == 0 {
			view.Stack, first = p.stack.Stack.String(), plane
		}
		if len(p.planes) > mostPictured {
			plane.Image = components.Image{}
		}
		view.Planes = append(view.Planes, plane)
	}
	view.Export = first.Export
	if view.Wiring == nil {
		view.Image = first.Image
	}
}

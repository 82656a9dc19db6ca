package unroll

import (
	"bytes"
	"encoding/base64"
	"slices"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
	"attnatlas/web/address"
)

// Drawer makes small drawings of arrays that are embedded in a page.
type Drawer struct {
	Language *messages.Language
	State    address.State
	Word     int     // token whose row is marked, from 1
	Most     float64 // upper end of a scale shared by several drawings; 0: separate scales
}

// Drawn returns the small drawing of an array of one or two axes. It has the normalisation of the
// main view, but does not share its scale.
func (p Drawer) Drawn(m trace.Map) (components.Map, error) {
	axes := m.Axes
	spec := figure.Spec{Map: m, Norm: exhibit.UnsharedNorm(p.State.Norm, m), Palette: p.State.Cmap}
	if p.Most > 0 {
		spec.Norm, spec.SharedMax = figure.Shared, p.Most
	}
	f, err := figure.New(spec)
	if err != nil {
		return components.Map{}, err
	}
	v := components.Map{Form: f.Grid.Form().String(), Rows: components.Axis{Count: 1},
		Cols: p.axis(axes[len(axes)-1], f.Grid.Cols), Tall: true}
	if len(axes) == 2 {
		v.Rows = p.axis(axes[0], f.Grid.Rows)
		v.Rows.Title = p.Language.Say(figure.RowTitle(m))
		if v.Rows.Words {
			v.Marked = p.Word
		}
	}
	v.Image = components.Image{Width: f.Grid.Cols, Height: f.Grid.Rows}
	if v.Image.URL, err = inlined(f, p.State.PaperTheme()); err == nil && p.State.Theme == address.Themes[0] {
		v.Image.Dark, err = inlined(f, figure.Dark)
	}
	if v.Image.Dark == v.Image.URL {
		v.Image.Dark = ""
	}
	return v, err
}

// axis returns the axis of a drawing.
func (p Drawer) axis(a trace.Axis, n int) components.Axis {
	axis := components.Axis{Role: a.Role.String(), Title: p.Language.Say(figure.Title(a)), Count: n, Labels: a.Labels,
		Words: a.Text}
	if !figure.Numbered(a) && !a.Text {
		axis.Labels = nil
		for i := range n {
			axis.Labels = append(axis.Labels, p.position(a, i))
		}
	}
	return axis
}

// position returns the name of a position of an axis.
func (p Drawer) position(a trace.Axis, i int) string {
	if a.Name == "class" {
		return p.Language.Say(exhibit.ClassName(a.Labels[i]))
	}
	return p.Language.Say(figure.Label(a, i))
}

// widest is the width in pixels of a picture with hatched cells.
const widest = 320

// inlined returns the cells of a figure as a small data URI: one pixel for each cell, or more if
// some are hatched.
func inlined(f *figure.Figure, theme figure.Theme) (string, error) {
	one := *f
	one.Theme, one.Scale = theme, 1
	if slices.ContainsFunc(f.Grid.Class, func(c figure.Class) bool {
		return c != figure.Value && c != figure.Tiny &&
			c != figure.Zero
	}) {
		one.Scale = min(max(widest/f.Grid.Cols, 1), 16)
	}
	var file bytes.Buffer
	if err := one.Bare(&file); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(file.Bytes()), nil
}

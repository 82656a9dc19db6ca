package figure

import (
	"io"

	"attnatlas/engine/trace"
)

// PNG draws a Spec as a figure.
func PNG(w io.Writer, s Spec) error {
	f, err := New(s)
	if err != nil {
		return err
	}
	return f.PNG(w)
}

// Bare draws the cells of a Spec.
func Bare(w io.Writer, s Spec) error {
	f, err := New(s)
	if err != nil {
		return err
	}
	return f.Bare(w)
}

// named returns a map with labels for rows and columns; nil: unchanged.
func named(m trace.Map, rows, cols []string) trace.Map {
	m.Axes = append([]trace.Axis(nil), m.Axes...)
	if rows != nil {
		m.Axes[0].Labels = rows
	}
	if cols != nil {
		m.Axes[len(m.Axes)-1].Labels = cols
	}
	return m
}

// onPage lays out a figure and passes the page to do, which must not keep it.
func (f Figure) onPage(do func(*page) error) error {
	return f.board().lay(func(p *poster) error { return do(p.pages[0].page) })
}

// Package mtex refuses to typeset formulas.
package mtex

import (
	"errors"

	"codeberg.org/go-latex/latex/drawtex"
	"codeberg.org/go-latex/latex/font/ttf"
	"codeberg.org/go-latex/latex/tex"
)

// Renderer draws a formula.
type Renderer interface {
	Render(width, height, dpi float64, c *drawtex.Canvas) error
}

// Parse returns errors.ErrUnsupported.
func Parse(string, float64, float64, *ttf.Backend) (tex.Node, error) {
	return nil, errors.ErrUnsupported
}

// Package drawtex has the types with which gonum.org/v1/plot/text draws formulas.
package drawtex

import "golang.org/x/image/font/opentype"

// Canvas is always empty.
type Canvas struct{}

// New returns an empty canvas.
func New() *Canvas { return &Canvas{} }

// Ops returns nil.
func (*Canvas) Ops() []any { return nil }

// Glyph is a glyph of a formula.
type Glyph struct {
	Font   *opentype.Font
	Size   float64
	Symbol string
}

// GlyphOp draws a glyph.
type GlyphOp struct {
	X, Y  float64
	Glyph Glyph
}

// RectOp draws a rectangle.
type RectOp struct{ X1, Y1, X2, Y2 float64 }

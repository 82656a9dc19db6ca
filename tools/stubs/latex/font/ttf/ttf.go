// Package ttf has the fonts of a formula.
package ttf

import (
	"codeberg.org/go-latex/latex/drawtex"
	"golang.org/x/image/font/opentype"
)

// Fonts are the fonts in which a formula may be set.
type Fonts struct{ Default, Rm, It, Bf, BfIt *opentype.Font }

// Backend has no fonts.
type Backend struct{}

// NewFrom returns an empty backend.
func NewFrom(*drawtex.Canvas, *Fonts) *Backend { return &Backend{} }

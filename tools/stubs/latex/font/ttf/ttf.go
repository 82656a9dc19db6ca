// Package ttf has the fonts of a formula.
package ttf

import (
	"codeberg.org/go-latex/latex/drawtex"
	"golang.org/x/image/font/opentype"
)

// Fonts are those that a formula may be set in.
type Fonts struct{ Default, Rm, It, Bf, BfIt *opentype.Font }

// Backend has no fonts.
type Backend struct{}

// NewFrom is an empty backend.
func NewFrom(*drawtex.Canvas, *Fonts) *Backend { return &Backend{} }

// Package empty has a font of one glyph without an outline.
package empty

import _ "embed" // the font

// TTF is the font; make.py writes it.
//
//go:embed empty.ttf
var TTF []byte

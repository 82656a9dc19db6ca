// Package lettering sets lines of text in any script, and draws their glyphs.
package lettering

import (
	"image/color"
	"slices"
	"sync"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Limits of a typesetter's caches. A full cache is cleared.
const (
	maxLines = 4096
	maxMasks = 8192
)

// Typesetter turns strings into placed glyphs, and glyphs into masks. It caches the results,
// because a figure needs every label twice for the layout and twice on paper. Only one goroutine
// can use it at a time; see Borrow.
type Typesetter struct {
	shaper shaping.HarfbuzzShaper
	runs   shaping.Segmenter
	faces  [FaceCount]*font.Face
	bold   bool // the current text is bold
	lines  map[Line]Shaped
	masks  map[maskKey]mask
	raster vector.Rasterizer
}

var typesetters = sync.Pool{New: func() any { return New() }}

// New returns a typesetter with empty caches.
func New() *Typesetter { return &Typesetter{lines: map[Line]Shaped{}, masks: map[maskKey]mask{}} }

// Borrow lends a typesetter from a pool; return it with Repay.
func Borrow() *Typesetter { return typesetters.Get().(*Typesetter) }

// Repay returns a typesetter to the pool.
func (t *Typesetter) Repay() { typesetters.Put(t) }

// Line is a string to set, with its size in pixels (1/64) and its weight.
type Line struct {
	Text string
	Size fixed.Int26_6
	Bold bool
}

// Inscription is a line of text whose baseline begins at x, y and runs to the right, or upwards.
type Inscription struct {
	Line
	X, Y    float64
	Colour  color.RGBA
	Upwards bool
	Align   float64 // alignment: 0 at its beginning, −0.5 at its middle, −1 at its end
}

// Shaped is a shaped line: glyphs from left to right, and its width in pixels.
type Shaped struct {
	Glyphs  []Glyph
	Advance float64
}

// Glyph is a glyph with its origin x pixels right of the line's beginning and y above its baseline.
type Glyph struct {
	Face FaceID
	ID   font.GID
	X, Y float64
	Text string // text of its cluster; empty for further glyphs of the same cluster
}

// Face returns a font with the typesetter's own state.
func (t *Typesetter) Face(id FaceID) *font.Face {
	if t.faces[id] == nil {
		t.faces[id] = font.NewFace(Fonts[id].Font())
	}
	return t.faces[id]
}

// Set shapes a string, or returns it from the cache.
func (t *Typesetter) Set(key Line) Shaped {
	if l, ok := t.lines[key]; ok {
		return l
	}
	if len(t.lines) >= maxLines {
		clear(t.lines)
	}
	t.bold = key.Bold
	l := t.shape([]rune(key.Text), key.Size)
	t.lines[key] = l
	return l
}

// shape sets the runs of a string one after another in visual order.
func (t *Typesetter) shape(text []rune, size fixed.Int26_6) Shaped {
	if len(text) == 0 {
		return Shaped{}
	}
	input := shaping.Input{Text: text, RunEnd: len(text), Size: size, Direction: direction(text)}
	runs := visual(t.runs.Split(input, t), input.Direction)
	var l Shaped
	pen := fixed.Int26_6(0)
	for _, run := range runs {
		out := t.shaper.ShapeNoExtents(run)
		id := t.idOf(run.Face)
		for i, g := range out.Glyphs {
			if text[g.TextIndex()] == ' ' { // not all fonts have a space
				blank, width := t.space(size)
				l.Glyphs = append(l.Glyphs, Glyph{t.idOf(t.Face(Sans)), blank, Pixels(pen), 0, " "})
				pen += width
				continue
			}
			l.Glyphs = append(l.Glyphs, Glyph{id, g.GlyphID, Pixels(pen + g.XOffset), Pixels(g.YOffset),
				cluster(text, out.Glyphs, i)})
			pen += g.Advance
		}
	}
	l.Advance = Pixels(pen)
	return l
}

// cluster returns the text of the cluster that starts with glyph i, or "" if the glyph does not
// start one.
func cluster(text []rune, glyphs []shaping.Glyph, i int) string {
	g := glyphs[i]
	if i > 0 && glyphs[i-1].TextIndex() == g.TextIndex() {
		return ""
	}
	return string(text[g.TextIndex():][:g.RunesCount()])
}

// space returns DejaVu's space, which all scripts share, and its width.
func (t *Typesetter) space(size fixed.Int26_6) (font.GID, fixed.Int26_6) {
	face := t.Face(Sans)
	id, _ := face.NominalGlyph(' ')
	return id, fixed.Int26_6(face.HorizontalAdvance(id) / float32(face.Upem()) * float32(size))
}

// ResolveFace returns the first face that has a character. If none has, it returns the main face,
// which draws its box.
func (t *Typesetter) ResolveFace(r rune) *font.Face {
	first := Sans
	if t.bold {
		first = sansBold
	}
	if pictograph(r) {
		if _, ok := t.Face(emoji).NominalGlyph(r); ok {
			return t.Face(emoji)
		}
	}
	for id := first; id < FaceCount; id++ {
		if _, ok := t.Face(id).NominalGlyph(r); ok {
			return t.Face(id)
		}
	}
	return t.Face(first)
}

func (t *Typesetter) idOf(f *font.Face) FaceID {
	for id, face := range t.faces {
		if face == f {
			return FaceID(id)
		}
	}
	return Sans
}

// direction returns the direction of the first letter with one.
func direction(text []rune) di.Direction {
	for _, r := range text {
		switch {
		case RightToLeft(r):
			return di.DirectionRTL
		case r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0xC0 && r < 0x590 || r >= 0x900 && r < 0x2000 ||
			r >= 0x2E80 && r < 0xFB00:
			return di.DirectionLTR
		}
	}
	return di.DirectionLTR
}

// RightToLeft reports whether a character belongs to a right-to-left script.
func RightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xFB1D && r < 0xFE00 || r >= 0xFE70 && r < 0xFF00 || r >= 0x10800 &&
		r < 0x11000 || r >= 0x1E800 && r < 0x1F000
}

// visual orders runs from left to right. Labels have at most one direction nested in the other.
func visual(runs []shaping.Input, whole di.Direction) []shaping.Input {
	out := append([]shaping.Input(nil), runs...)
	if whole == di.DirectionRTL {
		slices.Reverse(out)
	}
	for i := 0; i < len(out); {
		j := i + 1
		if out[i].Direction != whole {
			for j < len(out) && out[j].Direction != whole {
				j++
			}
			slices.Reverse(out[i:j])
		}
		i = j
	}
	return out
}

// Pixels returns a size or a distance in pixels.
func Pixels(v fixed.Int26_6) float64 { return float64(v) / 64 }

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

// Bounds of a typesetter's memory: past them it forgets and starts anew.
const (
	maxLines = 4096
	maxMasks = 8192
)

// Typesetter turns strings into placed glyphs and glyphs into masks. It keeps
// what it made, because a figure needs every label twice for the layout and
// twice on paper. It belongs to one goroutine at a time: Borrow one.
type Typesetter struct {
	shaper shaping.HarfbuzzShaper
	runs   shaping.Segmenter
	faces  [FaceCount]*font.Face
	bold   bool // of the text that is being set
	lines  map[Line]Shaped
	masks  map[maskKey]mask
	raster vector.Rasterizer
}

var typesetters = sync.Pool{New: func() any { return New() }}

// New is a typesetter that remembers nothing.
func New() *Typesetter { return &Typesetter{lines: map[Line]Shaped{}, masks: map[maskKey]mask{}} }

// Borrow lends a typesetter, which Repay takes back.
func Borrow() *Typesetter { return typesetters.Get().(*Typesetter) }

// Repay gives a typesetter back.
func (t *Typesetter) Repay() { typesetters.Put(t) }

// Line is a string as it is to be set: its size in pixels, and whether it is bold.
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
	Align   float64 // where it was put: 0 its beginning, −0.5 its middle, −1 its end
}

// Shaped is a line that was set: glyphs from left to right.
type Shaped struct {
	Glyphs  []Glyph
	Advance float64
}

// Glyph is one whose origin is x to the right of the line's beginning and
// y above its baseline.
type Glyph struct {
	Face FaceID
	ID   font.GID
	X, Y float64
	Text string // that it stands for; empty for the others of a cluster
}

// Face is a font as the typesetter has it.
func (t *Typesetter) Face(id FaceID) *font.Face {
	if t.faces[id] == nil {
		t.faces[id] = font.NewFace(Fonts[id].Font())
	}
	return t.faces[id]
}

// Set shapes a string.
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

// shape sets the runs of a string one after the other in visual order.
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
			if text[g.TextIndex()] == ' ' { // not all fonts have one
				pen += t.space(size)
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

// cluster is the text of the cluster that a glyph begins.
func cluster(text []rune, glyphs []shaping.Glyph, i int) string {
	g := glyphs[i]
	if i > 0 && glyphs[i-1].TextIndex() == g.TextIndex() {
		return ""
	}
	return string(text[g.TextIndex():][:g.RunesCount()])
}

// space is the width of DejaVu's space, which all scripts share.
func (t *Typesetter) space(size fixed.Int26_6) fixed.Int26_6 {
	face := t.Face(Sans)
	id, _ := face.NominalGlyph(' ')
	return fixed.Int26_6(face.HorizontalAdvance(id) / float32(face.Upem()) * float32(size))
}

// ResolveFace picks the first face that has a character; the one that sets the
// rest of the text draws its box when none has.
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

// direction is that of the first letter that has one.
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

// RightToLeft says whether a character belongs to a script written so.
func RightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xFB1D && r < 0xFE00 || r >= 0xFE70 && r < 0xFF00 || r >= 0x10800 &&
		r < 0x11000 || r >= 0x1E800 && r < 0x1F000
}

// visual orders runs from left to right. Labels have no deeper nesting than
// one direction inside the other.
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

// Pixels is a size or a distance as a number.
func Pixels(v fixed.Int26_6) float64 { return float64(v) / 64 }

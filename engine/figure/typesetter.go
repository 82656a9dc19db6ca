package figure

import (
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

// typesetter turns strings into placed glyphs and glyphs into masks. It keeps
// what it made, because a figure needs every label twice for the layout and
// twice on paper. It belongs to one goroutine at a time: take it from the pool.
type typesetter struct {
	shaper shaping.HarfbuzzShaper
	runs   shaping.Segmenter
	faces  [faceCount]*font.Face
	bold   bool // of the text that is being set
	lines  map[lineKey]line
	masks  map[maskKey]mask
	raster vector.Rasterizer
}

var typesetters = sync.Pool{New: func() any {
	return &typesetter{lines: map[lineKey]line{}, masks: map[maskKey]mask{}}
}}

type lineKey struct {
	text string
	size fixed.Int26_6
	bold bool
}

// line is a shaped string: glyphs from left to right.
type line struct {
	glyphs  []placed
	advance float64
}

// placed is a glyph whose origin is x to the right of the line's beginning and
// y above its baseline.
type placed struct {
	face faceID
	id   font.GID
	x, y float64
	text string // that it stands for; empty for the others of a cluster
}

func (t *typesetter) face(id faceID) *font.Face {
	if t.faces[id] == nil {
		t.faces[id] = font.NewFace(fonts[id].Font())
	}
	return t.faces[id]
}

// line shapes a string at a size in pixels.
func (t *typesetter) line(text string, size float64, bold bool) line {
	key := lineKey{text, fixed.Int26_6(size * 64), bold}
	if l, ok := t.lines[key]; ok {
		return l
	}
	if len(t.lines) >= maxLines {
		clear(t.lines)
	}
	t.bold = bold
	l := t.shape([]rune(text), key.size)
	t.lines[key] = l
	return l
}

// shape sets the runs of a string one after the other in visual order.
func (t *typesetter) shape(text []rune, size fixed.Int26_6) line {
	if len(text) == 0 {
		return line{}
	}
	input := shaping.Input{Text: text, RunEnd: len(text), Size: size, Direction: direction(text)}
	runs := visual(t.runs.Split(input, t), input.Direction)
	var l line
	pen := fixed.Int26_6(0)
	for _, run := range runs {
		out := t.shaper.ShapeNoExtents(run)
		id := t.idOf(run.Face)
		for i, g := range out.Glyphs {
			if text[g.TextIndex()] == ' ' { // not all fonts have one
				pen += t.space(size)
				continue
			}
			l.glyphs = append(l.glyphs, placed{id, g.GlyphID, pixels(pen + g.XOffset), pixels(g.YOffset), cluster(text, out.Glyphs, i)})
			pen += g.Advance
		}
	}
	l.advance = pixels(pen)
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
func (t *typesetter) space(size fixed.Int26_6) fixed.Int26_6 {
	face := t.face(sans)
	id, _ := face.NominalGlyph(' ')
	return fixed.Int26_6(face.HorizontalAdvance(id) / float32(face.Upem()) * float32(size))
}

// ResolveFace picks the first face that has a character; the one that sets the
// rest of the text draws its box when none has.
func (t *typesetter) ResolveFace(r rune) *font.Face {
	first := sans
	if t.bold {
		first = sansBold
	}
	if pictograph(r) {
		if _, ok := t.face(emoji).NominalGlyph(r); ok {
			return t.face(emoji)
		}
	}
	for id := first; id < faceCount; id++ {
		if _, ok := t.face(id).NominalGlyph(r); ok {
			return t.face(id)
		}
	}
	return t.face(first)
}

func (t *typesetter) idOf(f *font.Face) faceID {
	for id, face := range t.faces {
		if face == f {
			return faceID(id)
		}
	}
	return sans
}

// direction is that of the first letter that has one.
func direction(text []rune) di.Direction {
	for _, r := range text {
		switch {
		case rightToLeft(r):
			return di.DirectionRTL
		case r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0xC0 && r < 0x590 || r >= 0x900 && r < 0x2000 || r >= 0x2E80 && r < 0xFB00:
			return di.DirectionLTR
		}
	}
	return di.DirectionLTR
}

// rightToLeft says whether a character belongs to a script written so.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xFB1D && r < 0xFE00 || r >= 0xFE70 && r < 0xFF00 || r >= 0x10800 && r < 0x11000 || r >= 0x1E800 && r < 0x1F000
}

// visual orders runs from left to right. Labels have no deeper nesting than
// one direction inside the other.
func visual(runs []shaping.Input, whole di.Direction) []shaping.Input {
	out := append([]shaping.Input(nil), runs...)
	if whole == di.DirectionRTL {
		reverse(out)
	}
	for i := 0; i < len(out); {
		j := i + 1
		if out[i].Direction != whole {
			for j < len(out) && out[j].Direction != whole {
				j++
			}
			reverse(out[i:j])
		}
		i = j
	}
	return out
}

func reverse(runs []shaping.Input) {
	for i, j := 0, len(runs)-1; i < j; i, j = i+1, j-1 {
		runs[i], runs[j] = runs[j], runs[i]
	}
}

func pixels(v fixed.Int26_6) float64 { return float64(v) / 64 }

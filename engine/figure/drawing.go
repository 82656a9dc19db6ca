package figure

import (
	"image"
	"image/color"

	"attnatlas/engine/figure/lettering"

	"github.com/go-text/typesetting/font"
	gonum "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// drawing is a page as shapes in painting order, from which vector formats are written. All
// coordinates are pixels from the upper left corner.
type drawing struct {
	lines
	width, height float64
	shapes        []any // areaShape, lineShape, textShape or imageShape
}

// areaShape paints the inside of an outline.
type areaShape struct {
	outline outline
	colour  color.RGBA
}

// lineShape paints along outlines, inside the rectangles of clip if there are any.
type lineShape struct {
	outline outline
	width   float64
	colour  color.RGBA
	clip    []image.Rectangle
}

// textShape is a line of text with its glyphs at their positions on the page.
type textShape struct {
	lettering.Inscription
	glyphs []lettering.Glyph
	length float64
}

// imageShape is an image that is enlarged without interpolation.
type imageShape struct {
	at  image.Rectangle
	img *image.RGBA
}

// outline is a list of pen movements.
type outline []step

// step is a pen movement to the last of its points: m without drawing, l along a line, q and c
// along curves, z back to the point of the last m.
type step struct {
	kind   byte
	points [3]point
}

type point struct{ x, y float64 }

// size returns the number of points of a step.
func (s step) size() int {
	switch s.kind {
	case 'm', 'l':
		return 1
	case 'q':
		return 2
	case 'c':
		return 3
	}
	return 0
}

// rectangle returns the outline of a rectangle.
func rectangle(r image.Rectangle) outline {
	at := func(x, y int) [3]point { return [3]point{{float64(x), float64(y)}} }
	return outline{{'m', at(r.Min.X, r.Min.Y)}, {'l', at(r.Max.X, r.Min.Y)}, {'l', at(r.Max.X, r.Max.Y)},
		{'l', at(r.Min.X, r.Max.Y)}, {kind: 'z'}}
}

// segment returns the outline of a straight line.
func segment(x1, y1, x2, y2 float64) outline {
	return outline{{'m', [3]point{{x1, y1}}}, {'l', [3]point{{x2, y2}}}}
}

func newDrawing(width, height int) *drawing {
	d := &drawing{width: float64(width), height: float64(height)}
	d.to = d
	return d
}

func (d *drawing) add(s any) { d.shapes = append(d.shapes, s) }

func (d *drawing) tall() float64 { return d.height }

func (d *drawing) fill(r image.Rectangle, c color.RGBA) {
	if !r.Empty() {
		d.add(areaShape{rectangle(r), c})
	}
}

// write adds a text with the positions of its glyphs.
func (d *drawing) write(t *lettering.Typesetter, l lettering.Inscription) {
	set := t.Set(l.Line)
	s := textShape{Inscription: l, length: set.Advance, glyphs: make([]lettering.Glyph, len(set.Glyphs))}
	for i, g := range set.Glyphs {
		if g.X, g.Y = l.X+g.X, l.Y-g.Y; l.Upwards {
			g.X, g.Y = l.X-set.Glyphs[i].Y, l.Y-set.Glyphs[i].X
		}
		s.glyphs[i] = g
	}
	d.add(s)
}

// glyphOutline returns the outline of a glyph in units of its font, y up.
func glyphOutline(t *lettering.Typesetter, face lettering.FaceID, id font.GID) (outline, bool) {
	o, ok := t.Face(face).GlyphDataOutline(id)
	if !ok || len(o.Segments) == 0 {
		return nil, false
	}
	var out outline
	for i, s := range o.Segments {
		kind := "mlqc"[s.Op]
		if kind == 'm' && i > 0 {
			out = append(out, step{kind: 'z'})
		}
		next := step{kind: kind}
		for k, p := range s.ArgsSlice() {
			next.points[k] = point{float64(p.X), float64(p.Y)}
		}
		out = append(out, next)
	}
	return append(out, step{kind: 'z'}), true
}

// lines is the canvas through which gonum draws on a drawing: axes, tick marks and wires. Text and
// areas come from this package. Methods that gonum does not need panic.
type lines struct {
	to    *drawing
	pen   strokePen
	saved []strokePen
}

// strokePen is the pen for lines.
type strokePen struct {
	width  float64
	colour color.RGBA
}

// SetLineWidth sets the width of the pen.
func (l *lines) SetLineWidth(w vg.Length) { l.pen.width = float64(w) }

// SetLineDash panics for dashes, which drawings do not have.
func (l *lines) SetLineDash(pattern []vg.Length, _ vg.Length) {
	if len(pattern) > 0 {
		panic("figure: lines of drawings have no dashes")
	}
}

// SetColor sets the colour of the pen.
func (l *lines) SetColor(c color.Color) { l.pen.colour = color.RGBAModel.Convert(c).(color.RGBA) }

// Push saves the pen.
func (l *lines) Push() { l.saved = append(l.saved, l.pen) }

// Pop restores the last saved pen.
func (l *lines) Pop() { l.pen, l.saved = l.saved[len(l.saved)-1], l.saved[:len(l.saved)-1] }

// Stroke adds the outline of a path.
func (l *lines) Stroke(p vg.Path) {
	if l.pen.width > 0 {
		l.to.add(lineShape{outline: l.outline(p), width: l.pen.width, colour: l.pen.colour})
	}
}

// Fill adds the area of a path.
func (l *lines) Fill(p vg.Path) { l.to.add(areaShape{l.outline(p), l.pen.colour}) }

// outline converts a path to an outline. It inverts y, because gonum's y points up.
func (l *lines) outline(p vg.Path) outline {
	at := func(v vg.Point) point { return point{float64(v.X), l.to.height - float64(v.Y)} }
	out := make(outline, len(p))
	for i, c := range p {
		switch c.Type {
		case vg.MoveComp:
			out[i] = step{'m', [3]point{at(c.Pos)}}
		case vg.LineComp:
			out[i] = step{'l', [3]point{at(c.Pos)}}
		case vg.CurveComp:
			if len(c.Control) == 1 {
				out[i] = step{'q', [3]point{at(c.Control[0]), at(c.Pos)}}
			} else {
				out[i] = step{'c', [3]point{at(c.Control[0]), at(c.Control[1]), at(c.Pos)}}
			}
		case vg.CloseComp:
			out[i] = step{kind: 'z'}
		default:
			panic("figure: drawings have no arcs")
		}
	}
	return out
}

// Rotate panics: gonum does not use it for these drawings.
func (l *lines) Rotate(float64) { panic("figure: drawings are not turned") }

// Translate panics: gonum does not use it for these drawings.
func (l *lines) Translate(vg.Point) { panic("figure: drawings are not moved") }

// Scale panics: gonum does not use it for these drawings.
func (l *lines) Scale(float64, float64) { panic("figure: drawings are not scaled") }

// DrawImage panics: gonum does not use it for these drawings.
func (l *lines) DrawImage(vg.Rectangle, image.Image) { panic("figure: gonum draws no images") }

// FillString panics: gonum does not use it for these drawings.
func (l *lines) FillString(gonum.Face, vg.Point, string) { panic("figure: gonum writes no text") }

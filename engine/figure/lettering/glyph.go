package lettering

import (
	"image"
	"image/color"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// quarters is the number of positions between two pixels at which glyphs can begin.
const quarters = 4

// levels is the number of degrees of coverage of a glyph's edge, without 0. It is small, so that a
// figure keeps within the 256 colours of a small PNG.
const levels = 11

type maskKey struct {
	face    FaceID
	id      font.GID
	size    fixed.Int26_6
	part    uint8 // of a pixel, in quarters, along the baseline
	upwards bool
}

// mask is a glyph's coverage. corner is the position of its upper left pixel relative to the pixel
// of the glyph's origin.
type mask struct {
	corner        image.Point
	width, height int
	cover         []uint8
}

// mask rasterises a glyph, or returns it from the cache.
func (t *Typesetter) mask(key maskKey) mask {
	if m, ok := t.masks[key]; ok {
		return m
	}
	if len(t.masks) >= maxMasks {
		clear(t.masks)
	}
	m := t.rasterise(key)
	t.masks[key] = m
	return m
}

func (t *Typesetter) rasterise(key maskKey) mask {
	outline, ok := t.Face(key.face).GlyphDataOutline(key.id)
	if !ok || len(outline.Segments) == 0 {
		return mask{}
	}
	to := t.placement(key)
	lo, hi := [2]float32{math.MaxFloat32, math.MaxFloat32}, [2]float32{-math.MaxFloat32, -math.MaxFloat32}
	for _, s := range outline.Segments {
		for _, p := range s.ArgsSlice() {
			x, y := to(p)
			lo[0], lo[1] = min(lo[0], x), min(lo[1], y)
			hi[0], hi[1] = max(hi[0], x), max(hi[1], y)
		}
	}
	corner := image.Pt(int(math.Floor(float64(lo[0]))), int(math.Floor(float64(lo[1]))))
	m := mask{corner: corner, width: int(math.Ceil(float64(hi[0]))) - corner.X,
		height: int(math.Ceil(float64(hi[1]))) - corner.Y}
	if m.width <= 0 || m.height <= 0 {
		return mask{}
	}
	t.raster.Reset(m.width, m.height)
	outlineTo(&t.raster, outline.Segments, func(p opentype.SegmentPoint) (float32, float32) {
		x, y := to(p)
		return x - float32(corner.X), y - float32(corner.Y)
	})
	alpha := image.NewAlpha(image.Rect(0, 0, m.width, m.height))
	t.raster.Draw(alpha, alpha.Rect, image.Opaque, image.Point{})
	for i, a := range alpha.Pix {
		alpha.Pix[i] = uint8((int(a)*levels + 127) / 255 * 255 / levels)
	}
	m.cover = alpha.Pix
	return m
}

// placement maps a glyph's design units to pixels around its origin, y down.
func (t *Typesetter) placement(key maskKey) func(opentype.SegmentPoint) (x, y float32) {
	unit := float32(key.size) / 64 / float32(t.Face(key.face).Upem())
	part := float32(key.part) / quarters
	if key.upwards {
		return func(p opentype.SegmentPoint) (float32, float32) { return -p.Y * unit, part - p.X*unit }
	}
	return func(p opentype.SegmentPoint) (float32, float32) { return part + p.X*unit, -p.Y * unit }
}

// outlineTo draws segments into a rasteriser through a map of points.
func outlineTo(r *vector.Rasterizer, segments []opentype.Segment, to func(opentype.SegmentPoint) (float32, float32)) {
	for i, s := range segments {
		ax, ay := to(s.Args[0])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if i > 0 {
				r.ClosePath()
			}
			r.MoveTo(ax, ay)
		case opentype.SegmentOpLineTo:
			r.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			bx, by := to(s.Args[1])
			r.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			bx, by := to(s.Args[1])
			cx, cy := to(s.Args[2])
			r.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	r.ClosePath()
}

// Ink lays a line of text on an image.
func (t *Typesetter) Ink(img *image.RGBA, l Inscription) {
	for _, g := range t.Set(l.Line).Glyphs {
		along, across := l.X+g.X, l.Y-g.Y
		if l.Upwards {
			along, across = l.Y-g.X, l.X-g.Y
		}
		whole := math.Floor(along*quarters) / quarters
		part := uint8((whole - math.Floor(whole)) * quarters)
		origin := image.Pt(int(math.Floor(whole)), int(math.Round(across)))
		if l.Upwards {
			origin = image.Pt(origin.Y, origin.X)
		}
		stamp(img, t.mask(maskKey{g.Face, g.ID, l.Size, part, l.Upwards}), origin, l.Colour)
	}
}

// stamp blends a colour over an image through a mask.
func stamp(img *image.RGBA, m mask, origin image.Point, c color.RGBA) {
	at := origin.Add(m.corner)
	box := image.Rectangle{Min: at, Max: at.Add(image.Pt(m.width, m.height))}.Intersect(img.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		cover := m.cover[(y-at.Y)*m.width:]
		for x := box.Min.X; x < box.Max.X; x++ {
			a := uint32(cover[x-at.X])
			if a == 0 {
				continue
			}
			p := img.Pix[img.PixOffset(x, y):][:4:4]
			p[0] = uint8((uint32(c.R)*a + uint32(p[0])*(255-a) + 127) / 255)
			p[1] = uint8((uint32(c.G)*a + uint32(p[1])*(255-a) + 127) / 255)
			p[2] = uint8((uint32(c.B)*a + uint32(p[2])*(255-a) + 127) / 255)
			p[3] = uint8((255*a + uint32(p[3])*(255-a) + 127) / 255)
		}
	}
}

package figure

import (
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
)

// mostCells is the largest number of cells along an axis that are drawn as shapes. More cells
// become an image.
const mostCells = 64

// cells draws the cells as areas, or as an image if there are many.
func (d *drawing) cells(b brush, at, size image.Point) {
	g := b.grid
	whole := image.Rectangle{Min: at, Max: at.Add(image.Pt(g.Cols*size.X, g.Rows*size.Y))}
	if max(g.Cols, g.Rows) > mostCells {
		d.add(imageShape{whole, b.imageOf(size)})
		return
	}
	for r := range g.Rows {
		for from := 0; from < g.Cols; {
			colour, to := b.ground(r*g.Cols+from), from+1
			for to < g.Cols && b.ground(r*g.Cols+to) == colour {
				to++
			}
			d.ground(b, image.Rect(from*size.X, r*size.Y, to*size.X, (r+1)*size.Y).Add(at), whole, colour)
			from = to
		}
	}
	d.marks(b, at, size)
}

// Limits of the image for many cells. The image is enlarged to the size of the cells on the page.
const (
	mostImageSide = 2048 // pixels
	finestCell    = 15   // up to this size, a cell has as many pixels as on the page
	coarsestCell  = 3    // pixels with which hatches can still be distinguished
	usualCell     = 8    // pixels of a cell whose size has no suitable divisor
)

// imageOf returns an image of all cells that is enlarged to cells of the given size.
func (b brush) imageOf(size image.Point) *image.RGBA {
	g := b.grid
	cell := image.Pt(imageCell(size.X, g.Cols), imageCell(size.Y, g.Rows))
	if size.X == size.Y {
		n := imageCell(size.X, max(g.Cols, g.Rows))
		cell = image.Pt(n, n)
	}
	b.dots = min(size.X, size.Y) >= dotFrom*b.zoom
	b.zoom = max(1, int(math.Round(float64(b.zoom*cell.X)/float64(size.X))))
	img := image.NewRGBA(image.Rect(0, 0, g.Cols*cell.X, g.Rows*cell.Y))
	b.cells(img, image.Point{}, cell)
	return img
}

// imageCell returns the pixels in the image for a cell of the given size on an axis of n cells. It
// is the size itself or a divisor of it, so that hatches are enlarged evenly. Without a suitable
// divisor it is a small number.
func imageCell(size, n int) int {
	most := max(mostImageSide/n, 1)
	if size <= min(finestCell, most) {
		return size
	}
	for part := min(finestCell, most, size/2); part >= coarsestCell; part-- {
		if size%part == 0 {
			return part
		}
	}
	return min(usualCell, most)
}

// ground paints adjacent cells of a row. On paper, an area extends two pixels under the cells
// painted later, to its right and below. This prevents light seams where a renderer blends edges. A
// larger overlap would mix the colours of all areas that end there.
func (d *drawing) ground(b brush, cells, whole image.Rectangle, colour color.RGBA) {
	if colour.A == 0 {
		return
	}
	if b.paper.A > 0 {
		cells = image.Rectangle{Min: cells.Min, Max: cells.Max.Add(image.Pt(2*b.zoom, 2*b.zoom))}.Intersect(whole)
	}
	d.fill(cells, colour)
}

// marks draws hatches, dots and crosses over the cells that have them.
func (d *drawing) marks(b brush, at, size image.Point) {
	hatched := map[Class][]image.Rectangle{}
	for i, class := range b.grid.Class {
		cell := image.Rectangle{Max: size}.Add(at).Add(image.Pt(i%b.grid.Cols*size.X, i/b.grid.Cols*size.Y))
		switch {
		case class.hatched():
			hatched[class] = joined(hatched[class], cell)
		case class != Zero || b.dotted(size):
			d.mark(b, cell, class, b.grid.Index[i])
		}
	}
	for _, class := range slices.Sorted(maps.Keys(hatched)) {
		d.hatch(b, hatched[class], class, size.X)
	}
}

// joined adds a cell to the cells of its class. It extends the last rectangle if the cell is
// adjacent to it.
func joined(cells []image.Rectangle, cell image.Rectangle) []image.Rectangle {
	if n := len(cells); n > 0 && cells[n-1].Max.X == cell.Min.X && cells[n-1].Min.Y == cell.Min.Y {
		cells[n-1].Max.X = cell.Max.X
		return cells
	}
	return append(cells, cell)
}

// hatch draws the lines of a class over cells of a width.
func (d *drawing) hatch(b brush, cells []image.Rectangle, class Class, width int) {
	box := cells[0]
	for _, c := range cells {
		box = box.Union(c)
	}
	l := lineShape{width: float64(b.zoom) * math.Sqrt2 / 2, colour: b.colours.Hatch, clip: cells}
	h := hatchOf(class)
	period := b.hatchPeriod(h, width)
	half := float64(b.zoom-1) / 2
	x0, y0, x1, y1 := float64(box.Min.X), float64(box.Min.Y), float64(box.Max.X), float64(box.Max.Y)
	if h.up { // where x + y is a multiple of the period
		for s := (box.Min.X + box.Min.Y) / period * period; s <= box.Max.X+box.Max.Y; s += period {
			v := float64(s) + half + 0.5
			l.outline = append(l.outline, segment(v-y0, y0, v-y1, y1)...)
		}
	}
	if h.down { // where x − y is a multiple of the period
		first := int(math.Floor(float64(box.Min.X-box.Max.Y)/float64(period))) * period
		for s := first; s <= box.Max.X-box.Min.Y; s += period {
			v := float64(s) + half + 0.5
			l.outline = append(l.outline, segment(x0, x0-v, x1, x1-v)...)
		}
	}
	if h.upright {
		l.width = float64(b.zoom)
		for x := box.Min.X / period * period; x <= box.Max.X; x += period {
			v := float64(x) + half + 0.5
			l.outline = append(l.outline, segment(v, y0, v, y1)...)
		}
	}
	d.add(l)
}

func (d *drawing) dot(b brush, cell image.Rectangle, index uint8) {
	r, c := b.dotOf(cell, index)
	d.fill(r, c)
}

func (d *drawing) cross(b brush, cell image.Rectangle) {
	r, ok := b.crossOf(cell)
	if !ok {
		return
	}
	x0, y0, x1, y1 := float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y)
	d.add(lineShape{outline: append(segment(x0, y0, x1, y1), segment(x0, y1, x1, y0)...), width: float64(b.zoom),
		colour: b.colours.Cross})
}

// example draws the legend's example of a class or of a kind of empty cell.
func (d *drawing) example(b brush, s swatch) {
	ground, index := b.groundOf(s)
	if ground.A > 0 {
		d.fill(s.box, ground)
	}
	d.mark(b, s.box, s.class, index)
}

// mark draws the sign of a class into a cell whose ground is painted.
func (d *drawing) mark(b brush, cell image.Rectangle, class Class, index uint8) {
	switch {
	case class.hatched():
		d.hatch(b, []image.Rectangle{cell}, class, cell.Dx())
	case class == Zero:
		d.dot(b, cell, index)
	case class == Bad:
		d.cross(b, cell)
	case class == Value && b.negative(index):
		if r, c, ok := b.minusOf(cell, index); ok {
			d.fill(r, c)
		}
	}
}

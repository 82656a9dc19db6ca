package figure

import (
	"image"
	"math"
	"reflect"
	"slices"

	"attnatlas/engine/figure/lettering"
)

// Dimensions of boards, in pixels at 96 dots per inch.
const (
	boardBody    = 480  // cells of a figure among several rows
	rowBody      = 704  // cells of a figure in a single row
	leastOfBoard = 220  // width of a page among others on paper of a given size
	leastBody    = 0.5  // fraction of the room of a page on such paper
	leastLetters = 0.3  // fraction of a preset's letters, if it guarantees no size, before the board does not fit
	usualAspect  = 1.34 // aspect ratio of a board on paper of any size
)

// Limits of figures with letters of a guaranteed size.
const (
	legible    = 6  // smallest width of all cells, in sizes of the letters
	readable   = 18 // smallest width of a page, in sizes of the letters: legends and titles need it
	mostUneven = 2  // largest ratio of these letters to letters that fit margins and swatches
)

// fit finds the largest cells that fit onto the paper.
func (b Board) fit(t *lettering.Typesetter) (*poster, error) {
	first := b.Stacks[0][0]
	switch {
	case first.Preset.is():
		return b.fitPreset(t, first.resolved())
	case len(b.Stacks) == 1 && len(b.Stacks[0]) == 1:
		p, err := fittingPage(first.Spec, first.Grid, t)
		if err != nil {
			return nil, err
		}
		return &poster{pages: []placedPage{{page: p}}, width: p.width, height: p.height}, nil
	}
	body := boardBody
	if b.Columns == len(b.Stacks) {
		body = rowBody
	}
	for columns := b.Columns; ; body = body * 7 / 8 {
		stacks, err := b.stacks(t, room{body: body})
		if err == nil {
			if columns == 0 {
				columns = columnsFor(stacks, usualAspect)
			}
			p := b.arranged(stacks, columns)
			if err = checkSize(p.width, p.height); err == nil {
				return p, nil
			}
		}
		if first.Scale > 0 || body < 2 {
			return nil, err
		}
	}
}

// fitPreset finds the largest cells for a paper of a given size. It shrinks lettering only if nothing else makes room.
func (b Board) fitPreset(t *lettering.Typesetter, look Spec) (*poster, error) {
	width, height := look.Preset.pixels(look.DPI)
	if err := checkSize(width, max(height, 1)); err != nil {
		return nil, err
	}
	columns, err := b.columnsOn(t, look)
	if err != nil {
		return nil, err
	}
	paper := image.Pt(width, height)
	best, size := b.fitColumns(t, look, columns, paper)
	for _, other := range [...]int{columns - 2, columns - 1, columns + 1,
		columns + 2} { // the shape of the pages at other sizes is only a hint for the number
		if b.Columns > 0 || other < 1 || other > len(b.Stacks) {
			continue
		}
		if p, its := b.fitColumns(t, look, other, paper); p != nil && its > size {
			best, size = p, its
		}
	}
	for fewer := columns / 2; b.Tiles && best == nil && fewer > 0; fewer /= 2 { // a layer continues in the next row
		best, _ = b.fitColumns(t, look, fewer, paper)
	}
	if best == nil {
		return nil, b.noRoom(t, look)
	}
	return best.centred(width, height), checkSize(width, max(height, best.height))
}

// noRoom returns the error for paper that is too small for letters of its minimum size. The error
// states how many figures fit.
func (b Board) noRoom(t *lettering.Typesetter, look Spec) error {
	points := num(look.Preset.Least)
	for n := len(b.Stacks) - 1; n > 0; n-- {
		fewer := b
		if fewer.Stacks = b.Stacks[:n]; n == 1 {
			fewer.Columns = 1
		}
		if _, err := fewer.fitPreset(t, look); err == nil {
			return invalid("figure.error.preset-fewer", "preset", look.Preset.Name, "points", points, "figures",
				len(b.Stacks), "fit", n)
		}
		if n > 8 {
			n /= 2
		}
	}
	return invalid("figure.error.preset-room", "preset", look.Preset.Name, "points", points)
}

// fitColumns finds the largest cells for a paper and a number of columns. It also returns a
// combined size of cells and letters. Nil: the board does not fit.
func (b Board) fitColumns(t *lettering.Typesetter, look Spec, columns int, paper image.Point) (best *poster,
	size float64) {
	rows := (len(b.Stacks) + columns - 1) / columns
	enough, alone := float64(paper.X/columns), len(b.Stacks) == 1 && len(b.Stacks[0]) == 1
	if paper.Y > 0 {
		enough = min(enough, float64(paper.Y/rows))
	}
	least, smallest := leastLetters/float64(columns), 0.0
	if p := look.Preset; p.Least > 0 && look.DPI >= p.DPI { // at coarser resolutions letters may be smaller, as cells cannot be
		smallest = p.Least * p.Point * float64(look.DPI) / baseDPI
		least = p.Least * p.Point / smallestLetters / p.Lettering / mostUneven
	}
	for letters := max(1/math.Sqrt(float64(columns)), least); letters >= least; letters = lower(letters, least) {
		r := room{letters: letters * look.Preset.Lettering, smallest: smallest,
			least: leastOfBoard * letters * look.Preset.Lettering * float64(look.DPI) / baseDPI}
		if r.least = min(r.least, float64(paper.X/columns)); smallest > 0 {
			r.least = max(r.least, readable*smallest)
		}
		if alone && paper.Y == 0 {
			r.least = float64(paper.X)
		}
		p, body := b.largest(t, r, columns, paper)
		if alone && paper.X > paper.Y && paper.Y > 0 {
			r.beside, r.least = true, float64(paper.X)
			if other, larger := b.largest(t, r, columns, paper); larger > body {
				p, body = other, larger
			}
		}
		if alone {
			body -= body % max(b.Stacks[0][0].Grid.Cols, 1) // cells have whole pixels
		}
		if p != nil && float64(body) >= legible*smallest {
			best, size = p, float64(body)*letters
		}
		if float64(body) >= leastBody*enough {
			break
		}
	}
	return best, size
}

// lower returns the next smaller size of letters. The last size before 0 is the minimum.
func lower(letters, least float64) float64 {
	if letters > least {
		return max(letters*0.8, least)
	}
	return 0
}

// columnsOn returns the number of columns on paper of a given size.
func (b Board) columnsOn(t *lettering.Typesetter, look Spec) (int, error) {
	p := look.Preset
	switch {
	case b.Columns > 0 && (len(b.Stacks) == 1 || p.Height > 0 || b.Tiles):
		return b.Columns, nil
	case p.Height == 0:
		return min(len(b.Stacks), max(1, int(p.Width/(narrowest*p.Lettering*0.9)))), nil
	}
	stacks, err := b.stacks(t, room{body: boardBody, letters: p.Lettering / 2})
	return columnsFor(stacks, p.Width/p.Height), err
}

// largest searches for the largest body with which everything fits. Nil: no size fits.
func (b Board) largest(t *lettering.Typesetter, r room, columns int, paper image.Point) (best *poster, body int) {
	low, high := 1, max(paper.X, paper.Y) // the largest size that fits is at least low and below high
	tall := paper.Y
	if look := b.Stacks[0][0].resolved(); tall == 0 {
		tall = int(pageHeight * float64(look.DPI) / baseDPI)
	}
	for low <= high {
		r.body = (low + high) / 2
		p := (*poster)(nil)
		if stacks, err := b.stacks(t, r); err == nil {
			p = b.arranged(stacks, columns)
		}
		if p != nil && p.width <= paper.X && p.height <= tall {
			best, body, low = p, r.body, r.body+1
		} else {
			high = r.body - 1
		}
	}
	return best, body
}

// room is the space of a figure on a board.
type room struct {
	body    int     // pixels of its cells: real pixels on paper of a given size, otherwise pixels at 96 dots per inch
	letters float64 // size of lettering, for a preset
	least   float64 // width of a page
	// smallest is the size of the smallest letters, in pixels; 0: none is guaranteed
	smallest float64
	beside   bool // texts are on the right of the cells
}

// laidStack is a stack with laid-out pages.
type laidStack struct {
	pages        []*page
	left, right  int // widths on both sides of the line on which the cells begin
	above, below int // heights on both sides of the line on which the first cells begin
}

// stacks lays out the pages of all stacks.
func (b Board) stacks(t *lettering.Typesetter, r room) ([]laidStack, error) {
	all := make([]laidStack, len(b.Stacks))
	for i, stack := range b.Stacks {
		l := &all[i]
		for k, f := range stack {
			s := f.resolved()
			s.body, s.lettering, s.least, s.smallest, s.beside = r.body, r.letters, r.least, r.smallest, r.beside
			s.under = k > 0 && !stack[0].Arcs.On && f.Grid.Cols == stack[0].Grid.Cols && f.Subtitle == stack[0].Subtitle
			s.over = b.explained(i, f) || k+1 < len(stack) && !f.Arcs.On &&
				reflect.DeepEqual(f.Grid.Legend(), stack[k+1].Grid.Legend())
			s.indent, s.barred = l.left, k > 0 && s.Preset.is() && b.bars(i, f)
			cell := cellSize(s, f.Grid)
			if err := checkSize(f.Grid.extent(cell)); err != nil {
				return nil, err
			}
			p := newPage(s, f.Grid, t, cell)
			if len(l.pages) == 0 {
				l.above = p.corner.Y
				l.below = -p.corner.Y
			}
			l.left, l.right, l.below = max(l.left, p.corner.X), max(l.right, p.width-p.corner.X), l.below+p.height
			l.pages = append(l.pages, p)
		}
	}
	return all, nil
}

// explained reports whether the last figure of a board also explains the colours of the given
// figure. This applies to boards on paper of a given size and to tiles.
func (b Board) explained(stack int, f Figure) bool {
	end := b.Stacks[len(b.Stacks)-1]
	last := end[len(end)-1]
	if !f.Preset.is() && !b.Tiles || stack == len(b.Stacks)-1 || f.Arcs.On || last.Arcs.On || f.Palette != last.Palette {
		return false
	}
	own, its := f.Grid.Legend(), last.Grid.Legend()
	for _, note := range own.Nothing {
		if !slices.ContainsFunc(its.Nothing, func(n Note) bool { return reflect.DeepEqual(n, note) }) {
			return false
		}
	}
	own.Nothing, its.Nothing = nil, nil
	return reflect.DeepEqual(own, its)
}

// bars reports whether a figure of another stack has the colour bar of a figure of this stack.
func (b Board) bars(stack int, f Figure) bool {
	own := f.Grid.Legend()
	own.Nothing = nil
	for i, other := range b.Stacks {
		its := other[0].Grid.Legend()
		its.Nothing = nil
		if i != stack && !other[0].Arcs.On && other[0].Palette == f.Palette && reflect.DeepEqual(own, its) &&
			!b.explained(i, other[0]) {
			return true
		}
	}
	return false
}

// together returns the board of tiles with one legend: the last tile explains the cells of all tiles.
func (b Board) together() Board {
	b.Stacks = slices.Clone(b.Stacks)
	last := len(b.Stacks) - 1
	f := b.Stacks[last][0]
	grid := *f.Grid
	for _, stack := range b.Stacks[:last] {
		for _, note := range stack[0].Grid.Legend().Nothing {
			grid.also = append(grid.also, note.Class)
		}
	}
	f.Grid = &grid
	b.Stacks[last] = Stack{f}
	return b
}

// columnsFor returns the number of columns that comes close to the aspect ratio with few empty
// places.
func columnsFor(stacks []laidStack, aspect float64) int {
	var page image.Point
	for _, l := range stacks {
		page = image.Pt(max(page.X, l.left+l.right), max(page.Y, l.above+l.below))
	}
	best, least := 1, math.Inf(1)
	for columns := 1; columns <= len(stacks); columns++ {
		rows := (len(stacks) + columns - 1) / columns
		shape := float64(columns*page.X) / float64(max(rows*page.Y, 1))
		empty := float64(rows*columns-len(stacks)) / float64(columns)
		if cost := math.Abs(math.Log(shape/aspect)) + empty; cost < least {
			best, least = columns, cost
		}
	}
	return best
}

// arranged arranges stacks in rows, below the heading.
func (b Board) arranged(stacks []laidStack, columns int) *poster {
	p, widths := &poster{}, make([]int, columns)
	for i, l := range stacks {
		widths[i%columns] = max(widths[i%columns], l.left+l.right)
	}
	for first := 0; first < len(stacks); first += columns {
		row := stacks[first:min(first+columns, len(stacks))]
		above, below, x := 0, 0, 0
		for _, l := range row {
			above, below = max(above, l.above), max(below, l.below)
		}
		for c, l := range row {
			y := p.height + above - l.above
			for _, one := range l.pages {
				p.pages = append(p.pages, placedPage{one, image.Pt(x+l.left-one.corner.X, y)})
				y += one.height
			}
			x += widths[c]
		}
		p.width, p.height = max(p.width, x), p.height+above+below
	}
	p.headed(b.Heading, columns)
	return p
}

// centred returns the poster in the middle of a paper. A height of 0 means the poster's own height.
func (p *poster) centred(width, height int) *poster {
	if height == 0 {
		height = p.height
	}
	by := image.Pt((width-p.width)/2, (height-p.height)/2)
	for i := range p.pages {
		p.pages[i].at = p.pages[i].at.Add(by)
	}
	if p.heading != nil {
		p.heading.at = p.heading.at.Add(by)
	}
	p.width, p.height = width, height
	return p
}

package exhibit

import (
	"math"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// HeadSheet is the name of the map that is made of small ones of a card's main map: of the mean
// and of every head, from left to right. It is to choose by and has no numbers to be read: each
// of its cells is the largest of those that it stands for, and is scaled to the largest of its
// row, or of its small map where rows are not scaled apart.
const HeadSheet = "heads"

// mostTile is how many rows and columns a small map has at most.
const mostTile = 24

// Tiles is how many small maps the sheet of a card's heads has; 0: there is no sheet, because
// what is shown has no heads.
func (s *Selection) Tiles(res *engine.Result) int {
	if res.Err != nil || !s.Choice.Show.PerHead() {
		return 0
	}
	layer, err := engine.LayerOf(res, res.Layers, s.Choice.Layer)
	if err != nil {
		return 0
	}
	t, ok := layer.Find(MainMap(res.Entry))
	if _, apart := t.Has(trace.Head); !ok || !apart || len(t.Axes) != 3 {
		return 0
	}
	return t.Value.Dim(0) + 1
}

// SheetSize is how many rows and columns the map of small maps of a model has, in the layer of the choice; ok is false
// where there is none.
func (s *Selection) SheetSize(r *engine.Result) (rows, cols int, ok bool) {
	layer, err := engine.LayerOf(r, r.Layers, s.Choice.Layer)
	tiles := s.Tiles(r)
	if err != nil || tiles == 0 {
		return 0, 0, false
	}
	all, _ := layer.Find(MainMap(r.Entry))
	return min(all.Value.Dim(1), mostTile), tiles * min(all.Value.Dim(2), mostTile), true
}

// sheet makes the map of small maps.
func (s *Selection) sheet(f *Exhibit) (err error) {
	tiles := s.Tiles(f.Result)
	if f.Layer, err = engine.LayerOf(f.Result, f.Result.Layers, s.Choice.Layer); err != nil {
		return err
	}
	if tiles == 0 {
		return fault.Errorf(fault.NotFound, "error.no-map", "name", f.Result.Name(), "map", messages.Quote(f.Name))
	}
	all, _ := f.Layer.Find(MainMap(f.Result.Entry))
	rows, cols := min(all.Value.Dim(1), mostTile), min(all.Value.Dim(2), mostTile)
	value, reach := tensor.New(rows, tiles*cols), make([]bool, rows*tiles*cols)
	for head := range tiles {
		one, err := engine.HeadOf(f.Result, all, head, f.Layer.CutHeads)
		if err != nil {
			return err
		}
		if cut := f.Layer.CutHeads; head > 0 && head <= len(cut) && cut[head-1] {
			continue // it is hatched
		}
		t := tile{of: one, value: value, reach: reach, rows: rows, cols: cols, left: head * cols}
		t.fill()
		if s.Choice.Norm == figure.PerRow {
			t.scale(1)
		} else {
			t.scale(t.rows)
		}
	}
	f.Map = trace.Map{
		Name: f.Name, Kind: all.Kind, Value: value, Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}},
		Reach: func(q, k int) bool { return reach[q*tiles*cols+k] },
	}
	f.Number, f.Head = s.HeadIn(f.Result, f.Layer), messages.New("head.each")
	return nil
}

// tile is one small map and its place in the sheet.
type tile struct {
	of         trace.Map
	value      *tensor.T
	reach      []bool
	rows, cols int
	left       int // its first column in the sheet
}

// at is the index of a cell in the sheet.
func (t tile) at(row, col int) int { return row*t.value.Dim(1) + t.left + col }

// fill takes of the cells that share a cell the largest within reach.
func (t tile) fill() {
	from := t.of.Value
	n, width := from.Dim(0), from.Dim(1)
	for i, v := range from.Data {
		row, col := i/width, i%width
		if !t.of.Reaches(row, col) {
			continue
		}
		at := t.at(row*t.rows/n, col*t.cols/width)
		if !t.reach[at] || !(math.Abs(float64(v)) <= math.Abs(float64(t.value.Data[at]))) { // NaN stays
			t.value.Data[at] = v
		}
		t.reach[at] = true
	}
}

// scale divides by the largest |value| of every step rows.
func (t tile) scale(step int) {
	for first := 0; first < t.rows; first += step {
		top := 0.0
		t.each(first, step, func(v *tensor.Elem) { top = max(top, math.Abs(float64(*v))) })
		if top > 0 && !math.IsInf(top, 0) && !math.IsNaN(top) {
			t.each(first, step, func(v *tensor.Elem) { *v = tensor.Elem(float64(*v) / top) })
		}
	}
}

// each visits the cells of some rows.
func (t tile) each(first, rows int, visit func(*tensor.Elem)) {
	for row := first; row < first+rows; row++ {
		for col := range t.cols {
			visit(&t.value.Data[t.at(row, col)])
		}
	}
}

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

// HeadSheet is the name of the map that consists of small copies of a card's main map: for the mean and for every
// head, from left to right. It helps to choose a head and shows no readable numbers. Each cell is the largest of
// the cells that it stands for. It is scaled to the largest value of its row, or of its small map if rows are not
// scaled separately.
const HeadSheet = "heads"

// mostTile is the largest number of rows and of columns of a small map.
const mostTile = 24

// Tiles returns the number of small maps in the sheet of a card's heads. It returns 0 if the view has no heads,
// and so no sheet.
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

// SheetSize returns the size of a model's sheet of heads in the chosen layer. ok is false if there is no sheet.
func (s *Selection) SheetSize(r *engine.Result) (rows, cols int, ok bool) {
	layer, err := engine.LayerOf(r, r.Layers, s.Choice.Layer)
	tiles := s.Tiles(r)
	if err != nil || tiles == 0 {
		return 0, 0, false
	}
	all, _ := layer.Find(MainMap(r.Entry))
	return min(all.Value.Dim(1), mostTile), tiles * min(all.Value.Dim(2), mostTile), true
}

// sheet builds the sheet of heads.
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

// tile is one small map and its position in the sheet.
type tile struct {
	of         trace.Map
	value      *tensor.T
	reach      []bool
	rows, cols int
	left       int // its first column in the sheet
}

// at returns the index of a cell in the sheet.
func (t tile) at(row, col int) int { return row*t.value.Dim(1) + t.left + col }

// fill gives each cell of the tile the largest value, within reach, of the cells that share it.
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

// scale divides the values of each group of step rows by their largest magnitude.
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

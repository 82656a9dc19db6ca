package figure

import (
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
)

// CSV writes the numbers of the map, as they were computed: a line of labels, then a line for each row
// that its label begins. A cell that was not computed is empty. Labels that a spreadsheet would take for a formula begin
// with an apostrophe.
func (f Figure) CSV(w io.Writer) error {
	cols := append([]string{""}, f.labels(false)...)
	return f.writeCSV(w, cols, func(r int) []string { return append([]string{f.labels(true)[r]}, f.row(r)...) })
}

// BareCSV writes only the numbers.
func (f Figure) BareCSV(w io.Writer) error { return f.writeCSV(w, nil, f.row) }

func (f Figure) writeCSV(w io.Writer, first []string, row func(r int) []string) error {
	out := csv.NewWriter(w)
	for i, label := range first {
		first[i] = harmless(label)
	}
	if first != nil {
		if err := out.Write(first); err != nil {
			return err
		}
	}
	for r := range f.Grid.Rows {
		cells := row(r)
		if first != nil {
			cells[0] = harmless(cells[0])
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// harmless is a label that no spreadsheet takes for a formula.
func harmless(label string) string {
	if label != "" && strings.ContainsRune("=+-@\t\r", rune(label[0])) {
		return "'" + label
	}
	return label
}

// labels are those of the rows or columns; positions from 1 where they have none.
func (f *Figure) labels(rows bool) []string {
	n := f.Grid.Cols
	if rows {
		n = f.Grid.Rows
	}
	list := make([]string, n)
	copy(list, f.labelsOf(rows, n))
	for i := range list {
		if list[i] == "" {
			list[i] = strconv.Itoa(i + 1)
		}
	}
	return list
}

// row is a row of numbers with as many digits as tell them apart.
func (f Figure) row(r int) []string {
	cells := make([]string, f.Grid.Cols)
	for c := range cells {
		if v, ok := f.value(r, c); ok {
			cells[c] = strconv.FormatFloat(v, 'g', -1, elemBits)
		}
	}
	return cells
}

// elemBits is the size of a number of a map.
const elemBits = 32

// value is that of a cell, if it was computed.
func (f Figure) value(r, c int) (float64, bool) {
	i := r*f.Grid.Cols + c
	return float64(f.Map.Value.Data[i]), f.Grid.Class[i] != Missing
}

// NPY writes the numbers as an array of NumPy's (format 1.0) of float32 with the shape of the map; NaN where nothing was
// computed.
func (f Figure) NPY(w io.Writer) error {
	shape := make([]string, f.Map.Value.Rank())
	for i := range shape {
		shape[i] = strconv.Itoa(f.Map.Value.Dim(i)) + ","
	}
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", strings.Join(shape, " "))
	const magic, align = 10, 64
	header += strings.Repeat(" ", align-1-(magic+len(header))%align) + "\n"
	file := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	file = append(file, header...)
	for r := range f.Grid.Rows {
		for c := range f.Grid.Cols {
			v, ok := f.value(r, c)
			if !ok {
				v = math.NaN()
			}
			file = binary.LittleEndian.AppendUint32(file, math.Float32bits(float32(v)))
		}
	}
	_, err := w.Write(file)
	return err
}

// numbers is a map as JSON.
type numbers struct {
	Version int               `json:"version"`
	Title   string            `json:"title"`
	Rows    []string          `json:"rows"`
	Cols    []string          `json:"cols"`
	Values  [][]*float32      `json:"values"` // null: not computed, or no number
	Kind    string            `json:"kind"`   // of the values: probability, weight, …
	Words   map[string]string `json:"words"`  // for who draws it: what rows and columns are called, what a scale says
	Origin  map[string]string `json:"origin"`
}

// JSON writes the numbers with their labels and where they come from.
func (f Figure) JSON(w io.Writer) error {
	n := numbers{Version: 1, Title: f.Title, Rows: f.labels(true), Cols: f.labels(false), Values: f.values(), Kind: f.Map.Kind.String(), Words: f.words(), Origin: map[string]string{}}
	for _, m := range f.Meta {
		n.Origin[m.Key] = m.Value
	}
	return json.NewEncoder(w).Encode(n)
}

// BareJSON writes only the numbers, row by row.
func (f Figure) BareJSON(w io.Writer) error { return json.NewEncoder(w).Encode(f.values()) }

func (f Figure) values() [][]*float32 {
	rows := make([][]*float32, f.Grid.Rows)
	for r := range rows {
		rows[r] = make([]*float32, f.Grid.Cols)
		for c := range rows[r] {
			if v, ok := f.value(r, c); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
				number := float32(v)
				rows[r][c] = &number
			}
		}
	}
	return rows
}

// words are what <attention-map> says around the numbers.
func (f Figure) words() map[string]string {
	words := map[string]string{"table": f.say(messages.New("element.table")), "keys": f.say(messages.New("element.keys")), "none": f.say(messages.New("element.none"))}
	for _, n := range []Norm{PerRow, PerMap, Absolute} {
		words[n.String()] = f.say((&Scale{Norm: n, Signed: f.Grid.Scale.Signed}).text(nounOf(f.Spec), false))
	}
	if axes := f.Map.Axes; len(axes) == 2 {
		words["rows"], words["cols"] = f.say(Title(axes[0])), f.say(Title(axes[1]))
	}
	return words
}

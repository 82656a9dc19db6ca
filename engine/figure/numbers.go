package figure

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"attnatlas/engine/messages"
)

// CSV writes the computed numbers of the map: a line of column labels, then a line for each row,
// which starts with its label. A cell without a computed number is empty. The first cell holds the
// provenance. Labels that a spreadsheet would interpret as formulas begin with an apostrophe. A
// file with characters beyond ASCII begins with a UTF-8 byte order mark, which spreadsheets need.
func (f Figure) CSV(w io.Writer) error {
	origin, err := f.writtenOrigin()
	if err != nil {
		return err
	}
	cols := append([]string{originMark + string(origin)}, f.labels(columnSide)...)
	if strings.ContainsFunc(strings.Join(append(cols, f.labels(rowSide)...), ""),
		func(r rune) bool { return r >= utf8.RuneSelf }) {
		if _, err := io.WriteString(w, utf8Mark); err != nil {
			return err
		}
	}
	return f.writeCSV(w, cols, func(r int) []string { return append([]string{f.labels(rowSide)[r]}, f.row(r)...) })
}

// writtenOrigin returns the provenance as JSON. Its command can be copied, because characters of
// HTML are not escaped.
func (f Figure) writtenOrigin() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(f.origin())
	return bytes.TrimSpace(b.Bytes()), err
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

// Beginnings of number files.
const (
	originMark = "Attention Atlas: " // precedes the provenance in a CSV or NPY file
	utf8Mark   = "\ufeff"
)

// harmless returns a label that no spreadsheet interprets as a formula. Single characters and words
// behind a hyphen stay as they are.
func harmless(label string) string {
	if len(label) < 2 || !strings.ContainsRune("=+-@\t\r", rune(label[0])) {
		return label
	}
	if label[0] == '-' && !strings.ContainsFunc(label[1:], func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
		return label
	}
	return "'" + label
}

// labels returns the labels of the rows or columns, or positions from 1 if they have none.
func (f *Figure) labels(side side) []string {
	n := f.Grid.Cols
	if side == rowSide {
		n = f.Grid.Rows
	}
	list := make([]string, n)
	copy(list, f.labelsOf(side, n))
	for i := range list {
		if list[i] == "" {
			list[i] = strconv.Itoa(i + 1)
		}
	}
	return list
}

// row returns a row of numbers with the fewest digits that distinguish float32 values.
func (f Figure) row(r int) []string {
	cells := make([]string, f.Grid.Cols)
	for c := range cells {
		if v, ok := f.value(r, c); ok {
			cells[c] = strconv.FormatFloat(v, 'g', -1, elemBits)
		}
	}
	return cells
}

// elemBits is the number of bits of a map's element.
const elemBits = 32

// value returns the value of a cell, and whether it was computed. It was not computed outside the
// mask, outside the mechanism's pattern, or in an ablated cell.
func (f Figure) value(r, c int) (float64, bool) {
	i := r*f.Grid.Cols + c
	return float64(f.Map.Value.Data[i]), !f.Grid.Class[i].empty()
}

// empty reports whether cells of a class hold no computed number.
func (c Class) empty() bool { return c == Missing || c == Forbidden || c == Cut }

// NPY writes three NumPy arrays (format 1.0) one after another, as numpy.save does with an open
// file. Each call of numpy.load reads the next one. The first array holds the numbers: float32 in
// the shape of the map, NaN where not computed. The second holds booleans, true where not computed:
// the mask of a numpy.ma array. The third holds the provenance as JSON bytes.
func (f Figure) NPY(w io.Writer) error {
	values, computed, origin, err := f.arrays()
	if err != nil {
		return err
	}
	for i := range computed.data {
		computed.data[i] ^= 1
	}
	_, err = w.Write(slices.Concat(values.file(), computed.file(), origin.file()))
	return err
}

// NPZ writes the same arrays by name: origin, values, and computed, which is true where a number
// exists.
func (f Figure) NPZ(w io.Writer) error {
	values, computed, origin, err := f.arrays()
	if err != nil {
		return err
	}
	files := zip.NewWriter(w)
	for _, a := range []array{origin, values, computed} {
		to, err := File(files, a.name+".npy")
		if err != nil {
			return err
		}
		if _, err := to.Write(a.file()); err != nil {
			return err
		}
	}
	return files.Close()
}

// array is an array of NumPy.
type array struct {
	name, kind string
	shape      []int
	data       []byte
}

// arrays returns the numbers of a map, which of them were computed, and their provenance.
func (f Figure) arrays() (values, computed, origin array, err error) {
	says, err := f.writtenOrigin()
	if err != nil {
		return values, computed, origin, err
	}
	says = append([]byte(originMark), says...)
	shape := f.Map.Value.Shape
	values, computed = array{name: "values", kind: "<f4", shape: shape}, array{name: "computed", kind: "|b1", shape: shape}
	for r := range f.Grid.Rows {
		for c := range f.Grid.Cols {
			v, ok := f.value(r, c)
			is := byte(1)
			if !ok {
				v, is = math.NaN(), 0
			}
			values.data = binary.LittleEndian.AppendUint32(values.data, math.Float32bits(float32(v)))
			computed.data = append(computed.data, is)
		}
	}
	return values, computed, array{"origin", fmt.Sprintf("|S%d", len(says)), nil, says}, nil
}

// file returns the array as a NumPy file.
func (a array) file() []byte { return append(HeadNPY(nil, a.kind, a.shape), a.data...) }

// HeadNPY appends the head of a NumPy file (format 1.0). The numbers follow it, the last axis first. kind is NumPy's
// name of their type, such as "<f4".
func HeadNPY(file []byte, kind string, shape []int) []byte {
	const magic, align = 10, 64
	var size strings.Builder
	for _, n := range shape {
		fmt.Fprintf(&size, "%d, ", n)
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind,
		strings.TrimSuffix(size.String(), " "))
	header += strings.Repeat(" ", align-1-(magic+len(header))%align) + "\n"
	file = binary.LittleEndian.AppendUint16(append(file, "\x93NUMPY\x01\x00"...), uint16(len(header)))
	return append(file, header...)
}

// numbers is a map as JSON.
type numbers struct {
	Version int          `json:"version"`
	Title   string       `json:"title"`
	Rows    []string     `json:"rows"`
	Cols    []string     `json:"cols"`
	Values  [][]*float32 `json:"values"` // null: not computed, or not a number
	// Nothing gives the reason for null values: for each row, a letter for each cell, or a point for a
	// number. It is left out if no value is null. Reasons explain the letters.
	Nothing []string          `json:"nothing,omitempty"`
	Reasons map[string]string `json:"reasons,omitempty"`
	Kind    string            `json:"kind"`  // of the values: probability, weight, …
	Words   map[string]string `json:"words"` // for drawing programs: names of rows and columns, texts of scales
	Origin  map[string]string `json:"origin"`
}

// JSON writes the numbers with their labels and their provenance.
func (f Figure) JSON(w io.Writer) error {
	n := numbers{Version: 1, Title: f.Title, Rows: f.labels(rowSide), Cols: f.labels(columnSide), Values: f.values(),
		Kind: f.Map.Kind.String(), Words: f.words(), Origin: f.origin()}
	n.Nothing, n.Reasons = f.nothing()
	return json.NewEncoder(w).Encode(n)
}

func (f Figure) origin() map[string]string {
	origin := map[string]string{}
	for _, m := range f.Meta {
		origin[m.Key] = m.Value
	}
	return origin
}

// reasons are the letters for classes without a number.
var reasons = map[Class]string{Forbidden: "f", Missing: "m", Cut: "c", Bad: "b"}

// nothing returns the cells without a number, with the reasons.
func (f Figure) nothing() (rows []string, words map[string]string) {
	words = map[string]string{}
	for class, letter := range reasons {
		if f.Grid.Has(class) {
			words[letter] = f.say(messages.New("legend.nothing.cell-" + class.String()))
		}
	}
	if len(words) == 0 {
		return nil, nil
	}
	for r := range f.Grid.Rows {
		var row strings.Builder
		for _, class := range f.Grid.Class[r*f.Grid.Cols:][:f.Grid.Cols] {
			row.WriteString(cmp.Or(reasons[class], "."))
		}
		rows = append(rows, row.String())
	}
	return rows, words
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

// words returns the texts of <attention-map> around the numbers.
func (f Figure) words() map[string]string {
	words := map[string]string{"table": f.say(messages.New("element.table")), "keys": f.say(messages.New("element.keys")),
		"none": f.say(messages.New("element.none"))}
	for _, n := range []Norm{PerRow, PerMap, Absolute} {
		words[n.String()] = f.say((&Scale{Norm: n, Signed: f.Grid.Scale.Signed}).text(nounOf(f.Spec), false))
	}
	if axes := f.Map.Axes; len(axes) == 2 {
		words["rows"], words["cols"] = f.say(Title(axes[0])), f.say(Title(axes[1]))
	}
	return words
}

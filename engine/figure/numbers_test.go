package figure

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// numbered returns a figure with all special cases of numbers.
func numbered(t *testing.T) *Figure {
	t.Helper()
	m := trace.Map{Kind: trace.Activation, Axes: []trace.Axis{{Role: trace.Query, Labels: []string{"=1+1", `a "b", c`}},
		{Role: trace.Key, Labels: []string{"小猫", "-x", "z"}}},
		Value: tensor.From([]tensor.Elem{0.1, 1e-30, 0, tensor.Elem(math.NaN()), 0, 16777216}, 2, 3)}
	m.Reach = func(q, k int) bool { return q != 0 || k != 2 }
	f, err := New(Spec{Title: "T", Map: m, Computed: func(r, c int) bool { return r != 1 || c != 1 },
		Meta: []Meta{{"Source", "http://x?a&b"}}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNumbersOfCSV: read back, every number is bit-identical. Numbers that were not computed are
// empty, and no label is a formula.
func TestNumbersOfCSV(t *testing.T) {
	f := numbered(t)
	var b bytes.Buffer
	if err := f.CSV(&b); err != nil {
		t.Fatal(err)
	}
	text, marked := strings.CutPrefix(b.String(), utf8Mark)
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], "|") + "/" + rows[1][0] + "/" + rows[2][0]; !marked ||
		got != `Attention Atlas: {"Source":"http://x?a&b"}|小猫|-x|z/'=1+1/a "b", c` {
		t.Errorf("labels %s", got)
	}
	for r, row := range rows[1:] {
		for c, cell := range row[1:] {
			i := r*3 + c
			v, err := strconv.ParseFloat(cell, 32)
			if missing := r == 1 && c == 1 || r == 0 && c == 2; missing != (cell == "") || !missing &&
				(err != nil || math.Float32bits(float32(v)) != math.Float32bits(float32(f.Map.Value.Data[i])) && !math.IsNaN(v)) {
				t.Errorf("cell %d is %q", i, cell)
			}
		}
	}
	b.Reset()
	if err := f.BareCSV(&b); err != nil || b.String() != "0.1,1e-30,\nNaN,,1.6777216e+07\n" {
		t.Errorf("bare: %q, %v", b.String(), err)
	}
}

// TestNumbersOfNPY: the header is aligned and states the shape; the numbers follow.
func TestNumbersOfNPY(t *testing.T) {
	var b bytes.Buffer
	if err := numbered(t).NPY(&b); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	n := 10 + int(binary.LittleEndian.Uint16(data[8:]))
	if string(data[:8]) != "\x93NUMPY\x01\x00" || n%64 != 0 || data[n-1] != '\n' ||
		!strings.Contains(string(data[10:n]), "'shape': (2, 3,)") {
		t.Fatalf("%q", data)
	}
	mask := data[n+6*4:]
	begin := 10 + int(binary.LittleEndian.Uint16(mask[8:]))
	if got, want := mask[begin:begin+6], []byte{0, 0, 1, 0, 1, 0}; !bytes.Equal(got, want) ||
		!bytes.Contains(mask[:begin], []byte("'|b1'")) {
		t.Errorf("the mask is %v, want %v", got, want)
	}
	at := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(data[n+4*i:])) }
	if at(1) != 1e-30 || at(2) == at(2) || at(4) == at(4) || at(5) != 16777216 {
		t.Errorf("%v %v %v %v", at(1), at(2), at(4), at(5))
	}
}

// TestNumbersOfNPZ: the arrays of NPY by name; computed is the inverse of the mask.
func TestNumbersOfNPZ(t *testing.T) {
	var b bytes.Buffer
	if err := numbered(t).NPZ(&b); err != nil {
		t.Fatal(err)
	}
	files, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string][]byte{"values.npy": binary.LittleEndian.AppendUint32(nil, math.Float32bits(16777216)),
		"computed.npy": {1, 1, 0, 1, 0, 1}, "origin.npy": []byte("}")}
	if len(files.File) != len(ends) {
		t.Errorf("there are %d arrays", len(files.File))
	}
	for name, end := range ends {
		data, err := fs.ReadFile(files, name)
		if err != nil || !bytes.HasPrefix(data, []byte("\x93NUMPY")) || !bytes.HasSuffix(data, end) {
			t.Errorf("%s is %q, %v", name, data, err)
		}
	}
}

// TestNumbersOfJSON: cells without a number are null.
func TestNumbersOfJSON(t *testing.T) {
	var b bytes.Buffer
	if err := numbered(t).JSON(&b); err != nil {
		t.Fatal(err)
	}
	var n numbers
	if err := json.Unmarshal(b.Bytes(), &n); err != nil {
		t.Fatal(err)
	}
	if n.Rows[0] != "=1+1" || n.Cols[0] != "小猫" || n.Origin["Source"] != "http://x?a&b" || n.Values[1][0] != nil ||
		n.Values[1][1] != nil || *n.Values[0][1] != 1e-30 || n.Values[0][2] != nil {
		t.Errorf("%s", b.String())
	}
	if got := strings.Join(n.Nothing, "/"); got != "..f/bm." || n.Reasons["f"] == "" || n.Reasons["c"] != "" ||
		len(n.Reasons) != 3 {
		t.Errorf("why: %s, %v", got, n.Reasons)
	}
	b.Reset()
	if err := numbered(t).BareJSON(&b); err != nil || b.String() != "[[0.1,1e-30,null],[null,null,16777216]]\n" {
		t.Errorf("bare: %q, %v", b.String(), err)
	}
}

// TestHarmlessLabels: labels stay unchanged, unless a spreadsheet would interpret them as formulas.
func TestHarmlessLabels(t *testing.T) {
	for label, want := range map[string]string{"-": "-", "-known": "-known", "=": "=", "@": "@",
		"well-known": "well-known", "=1+1": "'=1+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "+cmd|x": "'+cmd|x"} {
		if got := harmless(label); got != want {
			t.Errorf("%s is written as %s, want %s", label, got, want)
		}
	}
}

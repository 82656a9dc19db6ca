package static_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestOwnMatrixColours: the cells of a visitor's matrix have the colours and classes that figures give them.
func TestOwnMatrixColours(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows, cols = 7, 9
	for _, signed := range []bool{false, true} {
		for _, norm := range figure.Norms() {
			if norm == figure.Shared {
				continue // its maximum is known only on a wall
			}
			m, texts := tensor.New(rows, cols), make([][]any, rows)
			for i := range m.Data {
				v := float32(math.Exp(5 * r.NormFloat64()))
				if i%8 == 0 {
					v = 0
				}
				if signed && i%3 == 0 {
					v = -v
				}
				m.Data[i] = tensor.Elem(v)
				texts[i/cols] = append(texts[i/cols], v)
			}
			texts[2][3] = nil
			grid, err := figure.Quantise(figure.Spec{Norm: norm,
				Computed: func(row, col int) bool { return row != 2 || col != 3 },
				Map:      trace.Map{Name: "own", Kind: trace.Weight, Value: m, Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}})
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Index, Classes []int }
			script(t, "matrix.js", `const matrix = M.read(new TextEncoder().encode(JSON.stringify(input.texts)).buffer), one = M.quantise(matrix, input.norm);
				return { index: [...one.index], classes: [...one.classes] }`, map[string]any{"texts": texts, "norm": norm.String()}, &got)
			for i, class := range grid.Class {
				if got.Classes[i] != int(class) || got.Index[i] != int(grid.Index[i]) {
					t.Errorf("%v, signed %v, cell %d of %v: %d of class %d, want %d of class %d", norm, signed, i, m.Data[i],
						got.Index[i], got.Classes[i], grid.Index[i], class)
				}
			}
		}
	}
}

// TestOwnMatrixForms: a matrix is read from each format with its labels, and invalid files get a message with the
// reason.
func TestOwnMatrixForms(t *testing.T) {
	npy := func(header, body string) string {
		return "\x93NUMPY\x01\x00" + string(rune(len(header))) + "\x00" + header + body
	}
	long := strings.Repeat("1,", 512) + "1"
	var texts, wants []string
	for text, want := range map[string]string{
		"1,2\n3,4":                            "2×2 1 2 3 4",
		"1 2 -3e-1\n":                         "1×3 1 2 -0.3",
		"a,b\n1,2\n3,":                        "2×2 1 2 3 - of a b",
		",a,b\nx,1,2\ny,3,4":                  "2×2 1 2 3 4 of x y by a b",
		"\ta\tb\r\n\"x;\"\t1\t2\r\ny\t3\tnan": "2×2 1 2 3 NaN of x; y by a b",
		"a b\nx 1 2\ny 3 4":                   "2×2 1 2 3 4 of x y by a b",
		"[[1, null], [2, 3.5]]":               "2×2 1 - 2 3.5",
		`{"rows": ["x"], "cols": ["a", "b"], "values": [[1, 2]]}`:                                                                              "1×2 1 2 of x by a b",
		npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 3), }", "\x01\x02\x03"):                                                     "1×3 1 2 3",
		npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2), }", "\x01\x02\x03\x04"):                                                  "2×2 1 3 2 4",
		npy("{'descr': '>i2', 'fortran_order': False, 'shape': (1, 1), }", "\x01\x02"):                                                         "1×1 258",
		npy("{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2), }", "\xfe\xff\xff\xff\xff\xff\xff\xff\x03\x00\x00\x00\x00\x00\x00\x00"): "1×2 -2 3",
		npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }", "12345678"):                                                         "npy",
		npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }", "1234"):                                                             "short",
		npy("{'descr': '<i4', 'fortran_order': False, 'shape': (999999, 9), }", ""):                                                            "large 999999 9",
		"":                                      "empty",
		"1,2\n3":                                "ragged 2 1 2",
		"1,2\n3,4\n5,four":                      "cell four 3 2",
		"[[1, 2], [3, \"4\"]]":                  "cell 4 2 2",
		"[[1, 2":                                "json",
		`{"rows": ["x"], "values": [[1], [2]]}`: "labels 2 1",
		long:                                    "large 1 513",
		strings.Repeat("1\n", 514):              "large 514 1",
		strings.Repeat("1", 8<<20) + "11":       "bytes 8",
	} {
		texts, wants = append(texts, latin(text)), append(wants, want)
	}
	var got []string
	script(t, "matrix.js", `return input.map((text) => { try {
			const { rows, cols, values, missing, rowNames, colNames } = M.read(Uint8Array.from(text, (sign) => sign.charCodeAt(0)).buffer);
			const cells = [...values].map((v, i) => (missing[i] ? '-' : Number(v.toPrecision(6))));
			return [rows + '×' + cols, ...cells, ...(rowNames ? ['of', ...rowNames] : []), ...(colNames ? [rowNames ? 'by' : 'of', ...colNames] : [])].join(' ');
		} catch (error) { return [error.says?.replace('script.matrix.', '') ?? error.message, ...Object.values(error.args ?? {})].join(' '); } })`, texts, &got)
	for i, want := range wants {
		if got[i] != want {
			t.Errorf("%.60q is read as %q, want %q", texts[i], got[i], want)
		}
	}
}

// latin returns a string with one character for each byte.
func latin(bytes string) string {
	signs := make([]rune, 0, len(bytes))
	for _, b := range []byte(bytes) {
		signs = append(signs, rune(b))
	}
	return string(signs)
}

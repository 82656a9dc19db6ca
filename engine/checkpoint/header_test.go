package checkpoint_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"attnatlas/engine/checkpoint"
)

// raw returns a file with the given header and n bytes of data.
func raw(header string, n int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, n)...)
}

// entry returns the entry of an array in a header.
func entry(name, dtype, shape string, from, to int64) string {
	return fmt.Sprintf(`%q:{"dtype":%q,"shape":[%s],"data_offsets":[%d,%d]}`, name, dtype, shape, from, to)
}

// TestHeader: an invalid header gives an error of one line, also if only the header is read, and
// uses no memory.
func TestHeader(t *testing.T) {
	a := entry("a", "F32", "2", 0, 8)
	for header, says := range map[string]string{
		`{` + a + `}`:                          "",
		`{` + a + `}      `:                    "",
		`{"__metadata__":{"k":"v"},` + a + `}`: "",
		` {` + a + `}`:                         "does not begin with {",
		`[` + a + `]`:                          " unmarshal",
		`null`:                                 "does not begin with {",
		``:                                     "EOF",
		`{` + a + `} {}`:                       "after top-level value",
		`{` + a + `,` + a + `}`:                "duplicate",
		`{"__metadata__":{"k":"v","k":"w"},` + a + `}`:                         "duplicate",
		`{"__metadata__":{"k":1},` + a + `}`:                                   " unmarshal",
		`{"a":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}}`: "duplicate",
		`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"more":1}}`:      "unknown",
		`{"a":{"Dtype":"F32","shape":[2],"data_offsets":[0,8]}}`:               "unknown",
		`{"a":{"shape":[2],"data_offsets":[0,8]}}`:                             `the type “” is not supported`,
		`{"a":{"dtype":"F32","data_offsets":[0,8]}}`:                           "are required",
		`{"a":{"dtype":"F32","shape":null,"data_offsets":[0,8]}}`:              "are required",
		`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}}`:                 "are required",
		`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,8]}}`:             "are required",
		`{"a":{"dtype":"F32","shape":[2.5],"data_offsets":[0,8]}}`:             " unmarshal",
		`{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}`:              " unmarshal",
		`{"a":7}`:                                " unmarshal",
		`{` + entry("a", "U16", "4", 0, 8) + `}`: `type “U16” is not supported`,
		`{` + entry("a", "F32", "1,1,1,1,1,1,1,1,2", 0, 8) + `}`: "9 axes",
		`{` + entry("a", "F32", "3", 0, 8) + `}`:                 "do not match 3 numbers",
		`{` + entry("a", "F32", "2", 8, 0) + `}`:                 "do not match 2 numbers",
		`{` + entry("a", "F32", "2", 4, 12) + `}`:                `“a” begins at byte 4`,
		`{` + a + `,` + entry("b", "F32", "2", 4, 12) +
			`}`: `“b” begins at byte 4`,
		`{` + entry("a", "F32", "1", 0, 4) + `}`:  "promises",
		`{` + entry("a", "F32", "4", 0, 16) + `}`: "promises",
		`{` + a + `,` + entry("b", "F32", "0,9223372036854775808", 8, 8) +
			`}`: "than any computer can hold",
		`{` + a + `,` + entry("b", "F32", "4294967296,4294967296,0", 8, 8) +
			`}`: "than any computer can hold",
		`{` + a + `,` + entry("b/row scale", "F32", "0,9223372036854775808", 8, 8) +
			`}`: "than any computer can hold",
		`{` + a + `,` + entry("b/row scale", "F32", "0,4", 8, 8) +
			`}`: "must hold bytes, with the scales",
		`{` + entry("a", "I8", "2,4", 0, 8) + `}`: "must hold bytes, with the scales",
		`{` + entry("a", "I8", "4", 0, 4) + `,` + entry("a/row scale", "F32", "1", 4, 8) +
			`}`: "must hold bytes, with the scales",
		`{` + entry("a", "I8", "", 0, 1) + `,` + entry("a/row scale", "U8", "7", 1, 8) +
			`}`: "must hold bytes, with the scales",
		`{` + entry("a", "I8", "1,4", 0, 4) + `,` + entry("a/row scale", "I32", "1", 4, 8) +
			`}`: "must hold bytes, with the scales",
		`{` + entry("a", "I8", "1,4", 0, 4) + `,` + entry("a/row scale", "F32", "1", 4, 8) + `}`:       "",
		`{` + entry(strings.Repeat("a", 600), "F32", "2", 0, 8) + `}`:                                  "a name of 600 bytes",
		`{"a":{"dtype":"F32","shape":[2],"data_offsets":[18446744073709551608,18446744073709551616]}}`: " unmarshal",
		`{"a":{"dtype":"F32","shape":[4611686018427387903],"data_offsets":[0,9223372036854775807]}}`:   "do not match",
		strings.Repeat(`{"a":`, 20000) + strings.Repeat(`}`, 20000):                                    "depth",
	} {
		data := raw(header, 8)
		_, err := checkpoint.Parse(data)
		if (says == "") != (err == nil) || err != nil &&
			(!strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%.120s: %v", header, err)
		}
		if _, err := checkpoint.Shapes(data); (err == nil) != (says == "" || says == "promises") {
			t.Errorf("its shapes are read of %.120s: %v", header, err)
		}
	}
}

// TestLongHeader: a header that is longer than the file, or longer than the limit, uses no memory.
func TestLongHeader(t *testing.T) {
	for _, size := range []uint64{200, 17 << 20, math.MaxUint64, 1 << 63} {
		data := append(binary.LittleEndian.AppendUint64(nil, size), "{}"...)
		if _, err := checkpoint.Shapes(data); err == nil {
			t.Errorf("a header of %d bytes", size)
		}
	}
	zeros := "{" + `"a":{"dtype":"F32","shape":[0` + strings.Repeat(",0", 7<<20) + `],"data_offsets":[0,0]}}`
	if used := allocated(func() {
		if _, err := checkpoint.Parse(raw(zeros, 0)); err == nil || !strings.Contains(err.Error(), "axes") ||
			len(err.Error()) > 500 {
			t.Errorf("%.500v", err)
		}
	}); used > 512<<20 {
		t.Errorf("%d MiB were allocated", used>>20)
	}
}

// allocated returns the number of bytes that do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// packed returns data followed by zeros, compressed.
func packed(t *testing.T, data []byte, zeros int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	block := make([]byte, 1<<20)
	_, err := w.Write(data)
	for ; zeros > 0 && err == nil; zeros -= len(block) {
		_, err = w.Write(block[:min(zeros, len(block))])
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPackedLarge: data after the end that the header states is not decompressed, and neither is
// more data than fits into memory.
func TestPackedLarge(t *testing.T) {
	plain := write(t, checkpoint.Single)
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"as it is":      {packed(t, plain, 0), ""},
		"a byte more":   {packed(t, plain, 1), "has more than the"},
		"much more":     {packed(t, plain, 1<<28), "has more than the"},
		"a byte less":   {packed(t, plain[:len(plain)-1], 0), "EOF"},
		"a TiB is told": {packed(t, raw(`{`+entry("a", "F32", "1099511627776", 0, 1<<42)+`}`, 8), 0), "MiB"},
		"damaged":       {damaged(packed(t, plain, 0)), "checksum"},
	} {
		if used := allocated(func() {
			if _, err := checkpoint.Parse(c.data); (err == nil) != (c.says == "") || err != nil &&
				!strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", name, err)
			}
		}); used > 64<<20 {
			t.Errorf("%s: %d MiB were allocated", name, used>>20)
		}
	}
}

// damaged returns the data with another checksum.
func damaged(data []byte) []byte {
	data[len(data)-8] ^= 1
	return data
}

// TestMost: at most a quarter of the process's memory limit is decompressed.
func TestMost(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(256 << 20))
	if checkpoint.MaxBytes() != 64<<20 {
		t.Error(checkpoint.MaxBytes())
	}
	big := packed(t, raw(`{`+entry("a", "F32", "16777216", 0, 64<<20)+`}`, 0), 64<<20)
	if _, err := checkpoint.Parse(big); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Error(err)
	}
}

// TestMetadataIsStrict: configurations cannot have a name twice, also not in another case.
func TestMetadataIsStrict(t *testing.T) {
	for config, says := range map[string]string{
		`{"width":1}`:                              "",
		`{"width":1,"width":2}`:                    "duplicate",
		`{"Width":1,"width":2}`:                    "unknown",
		`{"width":"1"}`:                            " unmarshal",
		`{"width":1}` + strings.Repeat(" ", 1<<16): "limit 65",
		``: "EOF",
	} {
		var c struct {
			Width int `json:"width"`
		}
		f := checkpoint.File{Meta: map[string]string{"config": config, "info": "{}"}}
		if _, err := f.Describe(&c); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%.40s: %v", config, err)
		}
	}
}

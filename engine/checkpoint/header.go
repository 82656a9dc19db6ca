package checkpoint

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"math/bits"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
)

// Limits that the header of a file is checked against before its arrays are read.
const (
	longestHeader   = 16 << 20 // bytes
	longestName     = 512      // bytes, for the name of an array
	longestMetadata = 1 << 16  // bytes, for a configuration or an Info
	mostAxes        = 8
	metadataKey     = "__metadata__"
)

// MaxBytes returns the largest size in bytes, after decompression, of a file of arrays. Reading
// such a file takes several times as much memory.
func MaxBytes() int64 {
	return min(8<<30, math.MaxInt/4, debug.SetMemoryLimit(-1)/4)
}

// header is the description at the beginning of a file, before its data.
type header struct {
	meta   map[string]string
	arrays []array // in the order of their data, which they fill without gaps
	start  int     // offset of the data in the file
	size   int     // length of the data in bytes
}

// array describes one array and its position in the data.
type array struct {
	name     string
	dtype    string // a key of types
	shape    []int
	from, to int
}

// count returns the number of elements.
func (a array) count() int { return (a.to - a.from) / types[a.dtype].size }

// open returns a reader of a file, compressed or not.
func open(data []byte) (io.Reader, error) {
	if !packed(data) {
		return bytes.NewReader(data), nil
	}
	return gzip.NewReader(bytes.NewReader(data))
}

// packed reports whether a file is compressed with gzip.
func packed(data []byte) bool { return bytes.HasPrefix(data, []byte("\x1f\x8b")) }

// readHeader reads and checks the header of a file. It decompresses only the first kilobytes of a
// compressed file.
func readHeader(data []byte) (*header, error) {
	r, err := open(data)
	if err != nil {
		return nil, messages.Errorf("checkpoint.packed", "cause", err.Error())
	}
	h, err := parseHeader(r)
	if err == nil {
		err = h.scales()
	}
	if err != nil {
		return nil, messages.Errorf("checkpoint.format", "cause", messages.Of(err))
	}
	return h, nil
}

// parseHeader reads and checks the beginning of r: the length of the header in 8 bytes, then the
// header, a JSON object without duplicate names at any level.
func parseHeader(r io.Reader) (*header, error) {
	var first [8]byte
	if _, err := io.ReadFull(r, first[:]); err != nil {
		return nil, messages.Errorf("checkpoint.first", "cause", err.Error())
	}
	size := le.Uint64(first[:])
	if size > longestHeader {
		return nil, messages.Errorf("checkpoint.header", "bytes", strconv.FormatUint(size, 10))
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, messages.Errorf("checkpoint.first", "cause", err.Error())
	}
	h := &header{start: len(first) + len(raw)}
	var entries map[string]rawJSON
	if err := readJSON(raw, &entries); err != nil {
		return nil, err
	}
	if len(raw) == 0 || raw[0] != '{' {
		return nil, messages.Errorf("checkpoint.object")
	}
	if meta, ok := entries[metadataKey]; ok {
		if err := readJSON(meta, &h.meta); err != nil {
			return nil, err
		}
		delete(entries, metadataKey)
	}
	return h, h.place(entries)
}

// place reads the entries of the arrays and checks that they fill the data.
func (h *header) place(entries map[string]rawJSON) error {
	for name, raw := range entries {
		if len(name) > longestName {
			return messages.Errorf("checkpoint.name", "bytes", len(name), "most", longestName)
		}
		a, err := parseArray(name, raw)
		if err != nil {
			return messages.Errorf("checkpoint.entry", "array", messages.Quote(name), "cause", messages.Of(err))
		}
		h.arrays = append(h.arrays, a)
	}
	slices.SortFunc(h.arrays, func(a, b array) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), strings.Compare(a.name, b.name))
	})
	for _, a := range h.arrays {
		if a.from != h.size {
			return messages.Errorf("checkpoint.gap", "array", messages.Quote(a.name), "from", strconv.Itoa(a.from), "end",
				strconv.Itoa(h.size))
		}
		h.size = a.to
	}
	return nil
}

// parseArray reads and checks the entry of one array.
func parseArray(name string, raw rawJSON) (a array, err error) {
	var e struct {
		DType   string    `json:"dtype"`
		Shape   *[]uint64 `json:"shape"`
		Offsets *[]uint64 `json:"data_offsets"`
	}
	if err := readKnown(raw, &e); err != nil {
		return a, err
	}
	a.name, a.dtype = name, e.DType
	number, ok := types[a.dtype]
	if !ok {
		return a, messages.Errorf("checkpoint.type", "type", messages.Quote(e.DType))
	}
	if e.Shape == nil || e.Offsets == nil || len(*e.Offsets) != 2 {
		return a, messages.Errorf("checkpoint.incomplete")
	}
	if len(*e.Shape) > mostAxes {
		return a, messages.Errorf("checkpoint.axes", "axes", len(*e.Shape), "most", mostAxes)
	}
	count, err := product(*e.Shape)
	if err != nil {
		return a, err
	}
	from, to := (*e.Offsets)[0], (*e.Offsets)[1]
	if from > to || to > math.MaxInt-longestHeader-8 || count > math.MaxInt/number.size ||
		uint64(count*number.size) != to-from {
		return a, messages.Errorf("checkpoint.offsets", "from", strconv.FormatUint(from, 10), "to",
			strconv.FormatUint(to, 10), "numbers", strconv.Itoa(count))
	}
	a.shape = make([]int, len(*e.Shape))
	for i, s := range *e.Shape {
		a.shape[i] = int(s)
	}
	a.from, a.to = int(from), int(to)
	return a, nil
}

// product returns the number of elements of a shape. It checks for overflow even if an axis has
// length 0, which would make the product 0.
func product(shape []uint64) (int, error) {
	whole, empty := uint64(1), false
	for _, s := range shape {
		high, low := bits.Mul64(whole, max(s, 1))
		if whole = low; high > 0 || low > math.MaxInt {
			return 0, messages.Errorf("checkpoint.overflow")
		}
		empty = empty || s == 0
	}
	if empty {
		return 0, nil
	}
	return int(whole), nil
}

// scales checks that every array of bytes has scales for its rows, and that all scales have an
// array of bytes.
func (h *header) scales() error {
	of := make(map[string]array, len(h.arrays))
	for _, a := range h.arrays {
		of[a.name] = a
	}
	for _, a := range h.arrays {
		name, scale := strings.CutSuffix(a.name, scaleSuffix)
		if a.dtype == i8 {
			name, scale = a.name, true
		}
		if !scale {
			continue
		}
		levels, scales := of[name], of[name+scaleSuffix]
		rows := max(len(levels.shape)-1, 0)
		if levels.dtype != i8 || types[scales.dtype].float == nil || scales.name == "" || len(levels.shape) == 0 ||
			!slices.Equal(levels.shape[:rows], scales.shape) {
			return messages.Errorf("checkpoint.scales", "array", messages.Quote(name), "scales",
				messages.Quote(name+scaleSuffix))
		}
	}
	return nil
}

// content returns the data of a file, which must end where the header says.
func (h *header) content(file []byte) ([]byte, error) {
	if int64(h.start)+int64(h.size) > MaxBytes() {
		return nil, messages.Errorf("disk.large", "most", int(MaxBytes()>>20))
	}
	r, err := open(file)
	if err != nil {
		return nil, err
	}
	if plain, ok := r.(*bytes.Reader); ok {
		if plain.Len() != h.start+h.size {
			return nil, messages.Errorf("checkpoint.length", "bytes", strconv.Itoa(plain.Len()), "promised",
				strconv.Itoa(h.start+h.size))
		}
		return file[h.start:], nil
	}
	var out bytes.Buffer
	if _, err := io.CopyN(&out, r, int64(h.start+h.size)); err != nil {
		return nil, err
	}
	switch _, err := io.ReadFull(r, make([]byte, 1)); {
	case err == nil:
		return nil, messages.Errorf("checkpoint.behind", "promised", strconv.Itoa(h.start+h.size))
	case !errors.Is(err, io.EOF):
		return nil, err // the compressed data is damaged
	}
	return out.Bytes()[h.start:], nil
}

// Unique returns an error if a JSON object has a name twice, because programs differ in which of
// the two they use.
func Unique(raw []byte) error {
	var whole rawJSON
	return readJSON(raw, &whole)
}

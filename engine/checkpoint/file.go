package checkpoint

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"

	"github.com/x448/float16"
)

// File is the content of a safetensors file.
type File struct {
	Meta   map[string]string    // the header's __metadata__
	Arrays map[string]*tensor.T // floats (F32, F16, BF16, F64, and rows of I8 with scales), converted to tensor.Elem
	Ints   map[string]*Ints     // whole numbers (I64, I32, U8, BOOL)
}

// Ints is an array of whole numbers.
type Ints struct {
	Shape []int
	Data  []int64
}

// Parse reads a file, compressed or not. The result shares no memory with data.
func Parse(data []byte) (*File, error) {
	data, err := unpacked(data)
	if err != nil {
		return nil, messages.Errorf("checkpoint.packed", "cause", err.Error())
	}
	h, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	content, err := h.content(data)
	if err != nil {
		return nil, messages.Errorf("checkpoint.packed", "cause", messages.Of(err))
	}
	f := &File{Meta: h.meta, Arrays: map[string]*tensor.T{}, Ints: map[string]*Ints{}}
	levels := map[string][]byte{}
	for _, a := range h.arrays {
		raw := content[a.from:a.to]
		switch number := types[a.dtype]; {
		case number.float != nil:
			f.Arrays[a.name] = tensor.New(a.shape...)
			fill(f.Arrays[a.name].Data, raw, number.float)
		case a.dtype == i8:
			f.Arrays[a.name], levels[a.name] = tensor.New(a.shape...), raw
		default:
			f.Ints[a.name] = &Ints{Shape: a.shape, Data: make([]int64, a.count())}
			fill(f.Ints[a.name].Data, raw, number.int)
		}
	}
	for name, raw := range levels {
		scaled(f.Arrays[name], raw, f.Arrays[name+scaleSuffix])
		delete(f.Arrays, name+scaleSuffix)
	}
	return f, nil
}

// fill decodes the numbers of raw into to.
func fill[T any](to []T, raw []byte, decode func(raw []byte, i int) T) {
	for i := range to {
		to[i] = decode(raw, i)
	}
}

var le = binary.LittleEndian

// f32, f16 and i8 are the types of numbers that Write writes.
const f32, f16, i8 = "F32", "F16", "I8"

// number describes how a type of numbers is stored: its size in bytes, and a function that returns
// the i-th number as a float or as a whole number.
type number struct {
	size  int
	float func(raw []byte, i int) tensor.Elem
	int   func(raw []byte, i int) int64
}

// types are the types of numbers that a file can contain, by their names in safetensors.
var types = map[string]number{
	"F64": {8, func(raw []byte, i int) tensor.Elem { return tensor.Elem(math.Float64frombits(le.Uint64(raw[8*i:]))) }, nil},
	f32:   {4, func(raw []byte, i int) tensor.Elem { return tensor.Elem(math.Float32frombits(le.Uint32(raw[4*i:]))) }, nil},
	f16: {2, func(raw []byte, i int) tensor.Elem {
		return tensor.Elem(float16.Frombits(le.Uint16(raw[2*i:])).Float32())
	}, nil},
	"BF16": {2, func(raw []byte, i int) tensor.Elem {
		return tensor.Elem(math.Float32frombits(uint32(le.Uint16(raw[2*i:])) << 16))
	}, nil},
	"I64":  {8, nil, func(raw []byte, i int) int64 { return int64(le.Uint64(raw[8*i:])) }},
	"I32":  {4, nil, func(raw []byte, i int) int64 { return int64(int32(le.Uint32(raw[4*i:]))) }},
	i8:     {1, nil, func(raw []byte, i int) int64 { return int64(int8(raw[i])) }}, // only with scales
	"U8":   {1, nil, func(raw []byte, i int) int64 { return int64(raw[i]) }},
	"BOOL": {1, nil, func(raw []byte, i int) int64 { return int64(raw[i]) }},
}

// Precision is how Write stores the numbers of an array.
type Precision uint8

const (
	Single Precision = iota // float32
	Half                    // float16, rounded to nearest even
	// Bytes is one signed byte per number and a float32 scale per row: the largest magnitude of the
	// row divided by 127. Arrays with one axis stay float32.
	Bytes
)

// scaleSuffix is appended to the name of an array of bytes to give the name of its scales.
const scaleSuffix = "/row scale"

// stored is an array in the form in which a file stores it.
type stored struct {
	name  string
	dtype string
	shape []int
	raw   []byte
}

// Write writes arrays and metadata. The function precision returns how to store each array. Equal
// content gives equal bytes.
func Write(w io.Writer, arrays map[string]*tensor.T, meta map[string]string,
	precision func(name string, t *tensor.T) Precision) error {
	var all []stored
	for name, t := range arrays {
		switch p := precision(name, t); {
		case p == Bytes && t.Rank() >= 2:
			levels, scales := quantise(t)
			all = append(all, stored{name, i8, t.Shape, levels}, stored{name + scaleSuffix, f32, scales.Shape, single(scales)})
		case p == Half:
			all = append(all, stored{name, f16, t.Shape, half(t)})
		default:
			all = append(all, stored{name, f32, t.Shape, single(t)})
		}
	}
	slices.SortFunc(all, func(a, b stored) int { // widest numbers first, so that each array is aligned to its size
		return cmp.Or(cmp.Compare(types[b.dtype].size, types[a.dtype].size), strings.Compare(a.name, b.name))
	})
	begin, err := headerOf(all, meta)
	parts := [][]byte{begin}
	for _, a := range all {
		parts = append(parts, a.raw)
	}
	for i := 0; err == nil && i < len(parts); i++ {
		_, err = w.Write(parts[i])
	}
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// headerOf returns the beginning of a file: the length of the header, then the header, padded with
// spaces to a multiple of eight bytes.
func headerOf(all []stored, meta map[string]string) ([]byte, error) {
	entries, offset := map[string]any{}, 0
	if len(meta) > 0 {
		entries[metadataKey] = meta
	}
	for _, a := range all {
		entries[a.name] = struct {
			DType   string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}{a.dtype, append([]int{}, a.shape...), [2]int{offset, offset + len(a.raw)}}
		offset += len(a.raw)
	}
	text, err := json.Marshal(entries)
	text = append(text, bytes.Repeat([]byte(" "), -len(text)&7)...)
	return append(le.AppendUint64(nil, uint64(len(text))), text...), err
}

// All returns a function for Write that stores every array with precision p.
func All(p Precision) func(string, *tensor.T) Precision {
	return func(string, *tensor.T) Precision { return p }
}

// Shipped returns the precision of an array in the bundled models. Most arrays are stored as Bytes,
// which has no effect on a model that validation could show. The small arrays of a mixer are stored
// as Half, because they need little space.
func Shipped(name string, t *tensor.T) Precision {
	if (strings.Contains(name, "/mixer/") || strings.Contains(name, "/cross/")) && t.Len() < 1<<13 {
		return Half
	}
	return Bytes
}

func half(t *tensor.T) []byte {
	raw := make([]byte, 0, 2*t.Len())
	for _, v := range t.Data {
		raw = le.AppendUint16(raw, float16.Fromfloat32(float32(v)).Bits())
	}
	return raw
}

func single(t *tensor.T) []byte {
	raw := make([]byte, 0, 4*t.Len())
	for _, v := range t.Data {
		raw = le.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	return raw
}

// quantise rounds every row to 255 levels, symmetric around 0.
func quantise(t *tensor.T) (levels []byte, scales *tensor.T) {
	cols := t.Dim(-1)
	scales = tensor.New(t.Shape[:t.Rank()-1]...)
	levels = make([]byte, 0, t.Len())
	for r := range scales.Data {
		row, top := t.Data[r*cols:][:cols], 0.0
		for _, v := range row {
			top = max(top, math.Abs(float64(v)))
		}
		scale := float64(float32(top / 127))
		scales.Data[r] = tensor.Elem(scale)
		for _, v := range row {
			level := 0.0
			if scale > 0 {
				level = max(-127, min(127, math.RoundToEven(float64(v)/scale)))
			}
			levels = append(levels, byte(int8(level)))
		}
	}
	return levels, scales
}

// Round rounds an array to the numbers that it would have after being stored as Bytes.
func Round(t *tensor.T) {
	levels, scales := quantise(t)
	cols := t.Dim(-1)
	for i, level := range levels {
		t.Data[i] = tensor.Elem(int8(level)) * scales.Data[i/cols]
	}
}

// scaled multiplies rows of bytes by their scales.
func scaled(t *tensor.T, levels []byte, scales *tensor.T) {
	cols := t.Dim(-1)
	for i, level := range levels {
		t.Data[i] = tensor.Elem(int8(level)) * scales.Data[i/cols]
	}
}

// Names lists the arrays of floats in alphabetical order.
func (f *File) Names() []string {
	names := make([]string, 0, len(f.Arrays))
	for name := range f.Arrays {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

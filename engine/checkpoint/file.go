package checkpoint

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/nlpodyssey/safetensors"
	"github.com/x448/float16"

	"attnatlas/engine/tensor"
)

// File is the content of a safetensors file.
type File struct {
	Meta   map[string]string    // the header's __metadata__
	Arrays map[string]*tensor.T // floats (F32, F16, F64), as the engine's numbers
	Ints   map[string]*Ints     // whole numbers (I64, I32, U8, BOOL)
}

// Ints is an array of whole numbers.
type Ints struct {
	Shape []int
	Data  []int64
}

// Parse reads a file. Malformed files are refused with the reason; nothing in
// the result shares memory with data.
func Parse(data []byte) (*File, error) {
	_, header, err := safetensors.ReadMetadata(data)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: not a safetensors file: %w", err)
	}
	st, err := safetensors.Deserialize(data)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: not a safetensors file: %w", err)
	}
	f := &File{Meta: header.Metadata(), Arrays: map[string]*tensor.T{}, Ints: map[string]*Ints{}}
	for _, t := range st.Tensors() {
		if err := f.add(t.Name, t.TensorView); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *File) add(name string, v safetensors.TensorView) error {
	shape := make([]int, len(v.Shape()))
	for i, s := range v.Shape() {
		shape[i] = int(s)
	}
	raw, n := v.Data(), tensor.Size(shape...)
	if decode, ok := floats[v.DType()]; ok {
		t := tensor.New(shape...)
		for i := range n {
			t.Data[i] = decode(raw, i)
		}
		f.Arrays[name] = t
		return nil
	}
	decode, ok := ints[v.DType()]
	if !ok {
		return fmt.Errorf("checkpoint: %s has type %v; known are F64, F32, F16, I64, I32, U8, BOOL", name, v.DType())
	}
	t := &Ints{Shape: shape, Data: make([]int64, n)}
	for i := range n {
		t.Data[i] = decode(raw, i)
	}
	f.Ints[name] = t
	return nil
}

var le = binary.LittleEndian

var floats = map[safetensors.DType]func(raw []byte, i int) tensor.Elem{
	safetensors.F64: func(raw []byte, i int) tensor.Elem { return tensor.Elem(math.Float64frombits(le.Uint64(raw[8*i:]))) },
	safetensors.F32: func(raw []byte, i int) tensor.Elem { return tensor.Elem(math.Float32frombits(le.Uint32(raw[4*i:]))) },
	safetensors.F16: func(raw []byte, i int) tensor.Elem {
		return tensor.Elem(float16.Frombits(le.Uint16(raw[2*i:])).Float32())
	},
}

var ints = map[safetensors.DType]func(raw []byte, i int) int64{
	safetensors.I64:  func(raw []byte, i int) int64 { return int64(le.Uint64(raw[8*i:])) },
	safetensors.I32:  func(raw []byte, i int) int64 { return int64(int32(le.Uint32(raw[4*i:]))) },
	safetensors.U8:   func(raw []byte, i int) int64 { return int64(raw[i]) },
	safetensors.BOOL: func(raw []byte, i int) int64 { return int64(raw[i]) },
}

// Precision is how Write stores numbers.
type Precision uint8

const (
	Single Precision = iota // float32
	Half                    // float16, rounded to nearest even
)

// Write writes arrays and metadata. Equal content gives equal bytes.
func Write(w io.Writer, arrays map[string]*tensor.T, meta map[string]string, p Precision) error {
	views := make(map[string]safetensors.TensorView, len(arrays))
	for name, t := range arrays {
		shape := make([]uint64, t.Rank())
		for i, s := range t.Shape {
			shape[i] = uint64(s)
		}
		dtype, raw := encode(t, p)
		v, err := safetensors.NewTensorView(dtype, shape, raw)
		if err != nil {
			return fmt.Errorf("checkpoint: %s: %w", name, err)
		}
		views[name] = v
	}
	if err := safetensors.SerializeToWriter(views, meta, w); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

func encode(t *tensor.T, p Precision) (safetensors.DType, []byte) {
	if p == Half {
		raw := make([]byte, 0, 2*t.Len())
		for _, v := range t.Data {
			raw = le.AppendUint16(raw, float16.Fromfloat32(float32(v)).Bits())
		}
		return safetensors.F16, raw
	}
	raw := make([]byte, 0, 4*t.Len())
	for _, v := range t.Data {
		raw = le.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	return safetensors.F32, raw
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

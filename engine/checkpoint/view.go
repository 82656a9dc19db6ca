package checkpoint

import (
	"bytes"
	"strconv"
	"unsafe"

	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// Raw is an array as a safetensors file has it.
type Raw struct {
	Type  string // in the words of the format: F32, F16, BF16, …
	Shape []int
	Data  []byte
}

// View finds the arrays of a file that is not compressed. They share its memory.
func View(data []byte) (map[string]Raw, error) {
	h, err := parseHeader(bytes.NewReader(data))
	if err != nil {
		return nil, messages.Errorf("checkpoint.format", "cause", messages.Of(err))
	}
	if len(data) != h.start+h.size {
		return nil, messages.Errorf("checkpoint.length", "bytes", strconv.Itoa(len(data)), "promised",
			strconv.Itoa(h.start+h.size))
	}
	all := make(map[string]Raw, len(h.arrays))
	for _, a := range h.arrays {
		all[a.name] = Raw{Type: a.dtype, Shape: a.shape, Data: data[h.start+a.from : h.start+a.to]}
	}
	return all, nil
}

// Floats reports whether the numbers are F32, F16, BF16 or F64.
func (r Raw) Floats() bool { return types[r.Type].float != nil }

// Tensor gives the array of floats as the engine has it: in the memory of the file where that holds the engine's own
// numbers, else as a copy.
func (r Raw) Tensor() *tensor.T {
	if own := r.inPlace(); own != nil {
		return tensor.From(own, r.Shape...)
	}
	t := tensor.New(r.Shape...)
	fill(t.Data, r.Data, types[r.Type].float)
	return t
}

// inPlace is the memory of the file as numbers of the engine; nil where it holds others, or stands at odd places.
func (r Raw) inPlace() []tensor.Elem {
	const size = unsafe.Sizeof(tensor.Elem(0))
	one := uint16(1)
	little := *(*byte)(unsafe.Pointer(&one)) == 1
	if r.Type != f32 || size != 4 || !little || len(r.Data) == 0 || uintptr(unsafe.Pointer(&r.Data[0]))%size != 0 {
		return nil
	}
	return unsafe.Slice((*tensor.Elem)(unsafe.Pointer(&r.Data[0])), len(r.Data)/int(size))
}

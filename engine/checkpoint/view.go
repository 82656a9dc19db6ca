package checkpoint

import (
	"bytes"
	"strconv"
	"unsafe"

	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// Raw is an array in the form in which a safetensors file stores it.
type Raw struct {
	Type  string // name in the safetensors format: F32, F16, BF16, …
	Shape []int
	Data  []byte
	// Change changes a copy of the numbers before they are used. Nil: they are used as they are.
	Change func(*tensor.T)
}

// View returns the arrays of a file that is not compressed. They share the memory of data.
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

// Tensor returns the array of floats as a tensor. It shares the memory of the file if that holds
// aligned numbers of type tensor.Elem, and is a copy otherwise.
func (r Raw) Tensor() *tensor.T {
	if own := r.inPlace(); own != nil && r.Change == nil {
		return tensor.From(own, r.Shape...)
	}
	t := tensor.New(r.Shape...)
	fill(t.Data, r.Data, types[r.Type].float)
	if r.Change != nil {
		r.Change(t)
	}
	return t
}

// inPlace returns the memory of the file as tensor elements, or nil if the numbers have another
// type, or are not aligned.
func (r Raw) inPlace() []tensor.Elem {
	const size = unsafe.Sizeof(tensor.Elem(0))
	one := uint16(1)
	little := *(*byte)(unsafe.Pointer(&one)) == 1
	if r.Type != f32 || size != 4 || !little || len(r.Data) == 0 || uintptr(unsafe.Pointer(&r.Data[0]))%size != 0 {
		return nil
	}
	return unsafe.Slice((*tensor.Elem)(unsafe.Pointer(&r.Data[0])), len(r.Data)/int(size))
}

package tensor

import (
	"fmt"
	"slices"
)

// T is a dense row-major array. The element with index (i0, i1, …) is at
// Data[(i0·Shape[1]+i1)·Shape[2]+…]. A T with an empty Shape is a scalar.
type T struct {
	Shape []int
	Data  []Elem
}

// ShapeError reports that an operation is not defined for the shapes of its arguments. It is always
// a bug of the calling code, and therefore the value of a panic.
type ShapeError struct {
	Op        string
	Want, Got string
}

// Error returns the message.
func (e ShapeError) Error() string {
	return fmt.Sprintf("tensor: %s: wanted %s, got %s", e.Op, e.Want, e.Got)
}

// Size returns the number of elements of an array with this shape.
func Size(shape ...int) int {
	n := 1
	for _, s := range shape {
		if s < 0 {
			panic(ShapeError{"Size", "dimensions ≥ 0", fmt.Sprint(shape)})
		}
		n *= s
	}
	return n
}

// New returns an array of zeros.
func New(shape ...int) *T {
	return &T{Shape: slices.Clone(shape), Data: make([]Elem, Size(shape...))}
}

// From returns an array of the given shape that uses data without copying it.
func From(data []Elem, shape ...int) *T {
	if len(data) != Size(shape...) {
		panic(ShapeError{"From", fmt.Sprintf("%d elements for %v", Size(shape...), shape), fmt.Sprint(len(data))})
	}
	return &T{Shape: slices.Clone(shape), Data: data}
}

// Len returns the number of elements.
func (t *T) Len() int { return len(t.Data) }

// Rank returns the number of axes.
func (t *T) Rank() int { return len(t.Shape) }

// Dim returns the length of axis i; negative i count from the end.
func (t *T) Dim(i int) int {
	if i < 0 {
		i += len(t.Shape)
	}
	return t.Shape[i]
}

// Index returns the position in Data of the element with the given index.
func (t *T) Index(index ...int) int {
	if len(index) != len(t.Shape) {
		panic(ShapeError{"Index", fmt.Sprintf("%d indices", len(t.Shape)), fmt.Sprint(index)})
	}
	at := 0
	for d, i := range index {
		if i < 0 || i >= t.Shape[d] {
			panic(ShapeError{"Index", fmt.Sprintf("an index within %v", t.Shape), fmt.Sprint(index)})
		}
		at = at*t.Shape[d] + i
	}
	return at
}

// At returns the element with the given index.
func (t *T) At(index ...int) Elem { return t.Data[t.Index(index...)] }

// Set sets the element with the given index.
func (t *T) Set(v Elem, index ...int) { t.Data[t.Index(index...)] = v }

// Reshape returns the same memory under another shape of the same size.
func (t *T) Reshape(shape ...int) *T { return From(t.Data, shape...) }

// Sub returns sub-array i along the first axis; it shares memory.
func (t *T) Sub(i int) *T {
	n := Size(t.Shape[1:]...)
	return &T{Shape: t.Shape[1:], Data: t.Data[i*n : (i+1)*n]}
}

// Clone returns a copy that shares no memory.
func (t *T) Clone() *T {
	return &T{Shape: slices.Clone(t.Shape), Data: slices.Clone(t.Data)}
}

// SameShape reports whether both arrays have the same shape.
func (t *T) SameShape(u *T) bool { return slices.Equal(t.Shape, u.Shape) }

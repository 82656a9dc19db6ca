package huggingface

import (
	"fmt"
	"slices"

	"attnatlas/engine/tensor"
)

// Fits says whether a tensor has the shape that a parameter of ours needs there.
func (p Place) Fits(theirs, ours []int) bool { return slices.Equal(theirs, p.shape(ours)) }

// shape is that of the tensor in which a parameter of ours has a shape.
func (p Place) shape(ours []int) []int {
	want := slices.Clone(ours)
	want[0] *= p.Parts
	if p.Turned {
		want[0], want[1] = want[1], want[0]
	}
	return want
}

// Read takes our parameter out of the tensor: its memory where it lies there without gaps, else a copy.
func (p Place) Read(theirs *tensor.T, shape ...int) *tensor.T {
	if !p.Fits(theirs.Shape, shape) {
		panic(tensor.ShapeError{Op: "huggingface: " + p.Names[0], Want: fmt.Sprint(shape), Got: fmt.Sprint(theirs.Shape)})
	}
	size := tensor.Size(shape...)
	if !p.Turned {
		return tensor.From(theirs.Data[p.Part*size:][:size:size], shape...)
	}
	ours := tensor.New(shape...)
	out, in, stride := shape[0], shape[1], shape[0]*p.Parts
	const block = 16 // rows whose cache lines serve several columns
	for from := 0; from < in; from += block {
		for o := range out {
			for i := from; i < min(from+block, in); i++ {
				ours.Data[o*in+i] = theirs.Data[i*stride+p.Part*out+o]
			}
		}
	}
	return ours
}

package huggingface

import (
	"fmt"
	"slices"

	"attnatlas/engine/tensor"
)

// Fits reports whether a tensor has the shape required for our parameter.
func (p Place) Fits(theirs, ours []int) bool { return slices.Equal(theirs, p.shape(ours)) }

// shape returns the shape of the tensor for a parameter with our shape.
func (p Place) shape(ours []int) []int {
	want := slices.Clone(ours)
	if p.units != nil {
		want[0] = want[0] / len(p.units) * p.all
		return want
	}
	want[0] *= p.Parts
	if p.Turned {
		want[0], want[1] = want[1], want[0]
	}
	return want
}

// Read returns our parameter from the tensor. It shares the tensor's memory if the parameter is
// contiguous there, and copies it otherwise.
func (p Place) Read(theirs *tensor.T, shape ...int) *tensor.T {
	if !p.Fits(theirs.Shape, shape) {
		panic(tensor.ShapeError{Op: "huggingface: " + p.Names[0], Want: fmt.Sprint(shape), Got: fmt.Sprint(theirs.Shape)})
	}
	size := tensor.Size(shape...)
	if p.units != nil {
		return p.gather(theirs, shape)
	}
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

// Layouts of queries, keys and values in one tensor, in units of the width of a head.
const (
	grouped = "grouped" // for every key head: its query heads, its keys, its values
	joined  = "joined"  // all queries, all keys, all values
)

// fuse sets the place of a projection, Q, K or V, in the tensor of all three.
func (p *Place) fuse(projection string, heads, kv int) {
	each, groups := heads/kv, kv
	sizes := [3]int{each, 1, 1}
	if p.fused == joined {
		sizes, groups = [3]int{heads, kv, kv}, 1
	}
	first := 0
	for i, name := range []string{"Q", "K", "V"} {
		if name == projection {
			for g := range groups {
				for u := range sizes[i] {
					p.units = append(p.units, g*(sizes[0]+sizes[1]+sizes[2])+first+u)
				}
			}
		}
		first += sizes[i]
	}
	p.all = heads + 2*kv
}

// gather returns our units of the tensor. It copies them, unless they are contiguous.
func (p Place) gather(theirs *tensor.T, shape []int) *tensor.T {
	size := tensor.Size(shape...)
	unit, first, last := size/len(p.units), p.units[0], p.units[len(p.units)-1]
	if last-first == len(p.units)-1 {
		return tensor.From(theirs.Data[first*unit:][:size:size], shape...)
	}
	ours := tensor.New(shape...)
	for i, u := range p.units {
		copy(ours.Data[i*unit:][:unit], theirs.Data[u*unit:])
	}
	return ours
}

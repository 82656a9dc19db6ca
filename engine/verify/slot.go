package verify

import (
	"fmt"
	"strconv"
	"strings"

	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// slot is the place of one of our parameters in an array of the reference, or the place of some of
// its elements. Number i is element at[i]. If at[i] is negative, it is element ^at[i], which is
// read but not trained.
type slot struct {
	name string
	at   []int
}

// none marks an array that a reference lacks.
const none = "-"

// named finds a parameter by the names of the reference: "array @102 1/3". The digits after @ are
// the order of the array's axes in ours. 1/3 is the second of three parts of the resulting first
// axis. "*" in the name is replaced by 0, 1, …, for arrays one after another.
func (r *run) named(p *nn.Param) []slot {
	places := r.weight(p.Name)
	for i, place := range places {
		name, how, _ := strings.Cut(place, " ")
		if name == none {
			return nil
		}
		if all := r.arrays(name); len(all) > 0 || i == len(places)-1 {
			slots := make([]slot, max(len(all), 1))
			for k := range slots {
				slots[k].name = strings.Replace(name, "*", strconv.Itoa(k), 1)
				slots[k].at = arranged(r.array(slots[k].name).Shape, how)
			}
			return slots
		}
	}
	return nil
}

// arrays returns the weights with a name, in which "*" can be replaced by 0, 1, ….
func (r *run) arrays(name string) (all []string) {
	for k := 0; ; k++ {
		one := strings.Replace(name, "*", strconv.Itoa(k), 1)
		if r.Weights.Arrays[one] == nil {
			return all
		}
		if all = append(all, one); one == name {
			return all
		}
	}
}

// arranged returns the order of the elements of an array after permuting its axes, or taking a part
// of the first: "@102", "@10 1/3", "1/3".
func arranged(shape []int, how string) []int {
	order, part, parts := upTo(len(shape)), 0, 1
	for _, word := range strings.Fields(how) {
		if axes, ok := strings.CutPrefix(word, "@"); ok {
			for i, axis := range axes {
				order[i] = int(axis - '0')
			}
		} else {
			_, err := fmt.Sscanf(word, "%d/%d", &part, &parts)
			check(err)
		}
	}
	at := permutation(shape, order)
	size := len(at) / parts
	return at[part*size:][:size]
}

// upTo returns 0, 1, …, n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// permutation returns the indices of an array's elements after permuting its axes: axis i of the
// result is axis order[i].
func permutation(shape, order []int) []int {
	at := []int{0}
	for _, axis := range order {
		stride := tensor.Size(shape[axis+1:]...)
		next := make([]int, 0, len(at)*shape[axis])
		for _, from := range at {
			for k := range shape[axis] {
				next = append(next, from+k*stride)
			}
		}
		at = next
	}
	return at
}

// permuted returns x with its axes permuted; order gives the first ones.
func permuted(x *tensor.T, order ...int) *tensor.T {
	order = append(order, upTo(x.Rank())[len(order):]...)
	shape := make([]int, x.Rank())
	for i, axis := range order {
		shape[i] = x.Dim(axis)
	}
	y := tensor.New(shape...)
	for i, at := range permutation(x.Shape, order) {
		y.Data[i] = x.Data[at]
	}
	return y
}

// fill sets every parameter to the reference's values. Parameters that the reference lacks are 0.
func (r *run) fill() [][]slot {
	places := make([][]slot, len(r.params))
	for k, p := range r.params {
		places[k] = r.slots(p)
		var values []tensor.Elem
		for _, s := range places[k] {
			w := r.array(s.name)
			for _, at := range s.at {
				if at = max(at, ^at); at >= w.Len() || len(places[k]) == 1 && w.Rank() < p.Value.Rank() {
					misfit(s.name, w, p)
				}
				values = append(values, w.Data[at])
			}
		}
		clear(p.Value.Data)
		if places[k] != nil && len(values) != p.Value.Len() {
			misfit(places[k][0].name, r.array(places[k][0].name), p)
		}
		copy(p.Value.Data, values)
	}
	return places
}

func misfit(name string, w *tensor.T, p *nn.Param) {
	fail("misfit", "name", name, "shape", w.Shape, "param", p.Name, "want", p.Value.Shape)
}

// gradients files the gradients of the sequence.
func (r *run) gradients(p *nn.Pass, places [][]slot) {
	for name, x := range r.inputs {
		if g := x.Grad(); g != nil {
			r.put("grad.input."+name, g)
		}
	}
	for k, param := range r.params {
		g := p.Grad(param)
		if g == nil {
			continue
		}
		rest := g.Data
		for _, s := range places[k] {
			if to := r.out["grad."+s.name]; to != nil {
				for i, at := range s.at {
					if at >= 0 {
						to.Data[at] += rest[i]
					}
				}
			}
			rest = rest[len(s.at):]
		}
	}
}

// crop copies the beginning of every axis.
func crop(to []tensor.Elem, toShape []int, from []tensor.Elem, fromShape []int) {
	if len(toShape) == 0 {
		copy(to, from[:1])
		return
	}
	toSize, fromSize := tensor.Size(toShape[1:]...), tensor.Size(fromShape[1:]...)
	for i := range min(toShape[0], fromShape[0]) {
		crop(to[i*toSize:][:toSize], toShape[1:], from[i*fromSize:][:fromSize], fromShape[1:])
	}
}

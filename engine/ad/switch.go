package ad

import (
	"fmt"

	"attnatlas/engine/tensor"
)

// The switches of shuffle-exchange networks are large operations. Everything that a switch does to
// a pair of places is computed for a block of pairs at a time, which stays in the cache. The
// shuffle after the switch determines where the block writes its rows.

// switchPairs is the approximate number of pairs of places in a block.
const switchPairs = 128

// pairing treats an array [B,n,d] as pairs of rows, B·n/2 of width 2d. A switch writes row i of
// each sequence to row to[i]. Without a list, the rows keep their places.
type pairing struct {
	n, d int
	to   []int
}

// newPairing returns the pairing of x for which row i of the result is row from[i].
func newPairing(x *Var, from []int) pairing {
	p := pairing{n: x.Dim(-2), d: x.Dim(-1)}
	if p.n%2 != 0 || from != nil && len(from) != p.n {
		panic(tensor.ShapeError{Op: "ad switch", Want: fmt.Sprintf("[n,d], n even, and n places or none, not %d", len(from)),
			Got: fmt.Sprint(x.Shape())})
	}
	if from != nil {
		p.to = x.tape.ints.take(p.n)
		for i, r := range from {
			p.to[r] = i
		}
	}
	return p
}

// row returns the place in the result of row number r, counted through all sequences.
func (p pairing) row(data []Elem, r int) []Elem {
	if p.to != nil {
		r += p.to[r%p.n] - r%p.n
	}
	return data[r*p.d:][:p.d]
}

// put writes the pairs of a block, which begins with pair number first, to the result.
func (p pairing) put(y, block []Elem, first int) {
	for i := range len(block) / p.d {
		copy(p.row(y, 2*first+i), block[i*p.d:][:p.d])
	}
}

// get reads the pairs of a block from the result.
func (p pairing) get(block, y []Elem, first int) {
	for i := range len(block) / p.d {
		copy(block[i*p.d:][:p.d], p.row(y, 2*first+i))
	}
}

// swapHalves exchanges the first halves of the two places of each pair: block [P,2d].
func (p pairing) swapHalves(dst, block []Elem) {
	half := p.d / 2
	for at := 0; at < len(block); at += 2 * p.d {
		to, from := dst[at:][:2*p.d], block[at:][:2*p.d]
		copy(to[:half], from[p.d:])
		copy(to[half:p.d], from[half:])
		copy(to[p.d:], from[:half])
		copy(to[p.d+half:], from[p.d+half:])
	}
}

// blocks calls do for all pairs, in blocks of about switchPairs pairs, which are multiples of unit.
func (p pairing) blocks(pairs, unit int, do func(s Span)) {
	size := max(switchPairs/unit, 1) * unit
	for from := 0; from < pairs; from += size {
		do(Span{from, min(from+size, pairs)})
	}
}

// within runs part and takes back the memory of t.scratch that it used. This memory is reused again
// and again and therefore stays in the cache.
func (t *Tape) within(part func()) {
	mark := t.scratch
	part()
	t.scratch.release(mark)
}

// rightFactor returns the transposed weight w, packed as a right factor. It is packed once per
// tape.
func (v *Var) rightFactor() *tensor.Packed {
	if v.packed == nil {
		v.packed = tensor.Pack(v.matrix().T())
	}
	return v.packed
}

// matrix returns the weight v [out,in].
func (v *Var) matrix() tensor.Matrix { return tensor.NewMatrix(v.Value.Data, v.Dim(0), v.Dim(1)) }

// addWeight adds scale·dyᵀ·x to the adjoint of the weight v [out,in], if v is active: dy [P,out], x
// [P,in].
func (v *Var) addWeight(dy, x tensor.Matrix, scale Elem) {
	if v.active {
		tensor.Gemm(tensor.NewMatrix(v.adjoint.Data, v.Dim(0), v.Dim(1)), dy.T(), x, scale, tensor.Accumulate)
	}
}

// addBias adds the sum of the rows of dy to the adjoint of the bias v, if v is active.
func (v *Var) addBias(dy []Elem) {
	if v.active {
		tensor.SumRows(v.adjoint.Data, dy, v.Value.Len())
	}
}

// open allocates an adjoint for every active Var.
func open(vars ...*Var) {
	for _, v := range vars {
		if v != nil && v.active {
			v.sum()
		}
	}
}

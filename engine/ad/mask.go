package ad

import (
	"encoding/binary"
	"fmt"

	"attnatlas/engine/tensor"
)

// Replacement is the value that replaces a score.
type Replacement struct {
	Value Elem
	// Flows means that the gradient of the cell still flows back, as through a sum with a penalty
	// that overwhelms the score.
	Flows bool
}

// Replace replaces every cell with a nonzero code by by[code−1]. Codes are one plane [N,M] for all
// of x [B,H,N,M], one for each sequence, or one for each head of each sequence. An x [H,N,M] that
// all sequences share becomes [B,H,N,M] if codes are B planes.
func Replace(x *Var, codes []uint8, by ...Replacement) *Var {
	in, shape := planesOf(x.Value), x.Shape()
	plane := in.rows * in.cols
	out, count := in, len(codes)/max(plane, 1)
	if len(shape) == 3 && count > 1 {
		out.batch, shape = count, []int{count, in.heads, in.rows, in.cols}
	}
	if len(codes) != count*plane || count != 1 && count != out.batch && count != out.batch*out.heads {
		panic(tensor.ShapeError{Op: "ad.Replace", Want: "codes for one plane, or one per sequence or head",
			Got: fmt.Sprintf("%d for %v", len(codes), x.Shape())})
	}
	codesOf := func(b, a int) []uint8 { return codes[(b*out.heads+a)*count/(out.batch*out.heads)*plane:][:plane] }
	if x.last && out.batch == in.batch {
		x.last = false
		each(in.batch, in.heads, func(b, a int) { replace(in.view(x.Value.Data, b, a).Data, codesOf(b, a), by) })
		return x
	}
	t := x.tape
	y := t.result([]*Var{x}, shape...)
	y.explain(func(i int) Origin {
		b, a, n, m := out.of(i)
		if code := codesOf(b, a)[n*out.cols+m]; code != 0 {
			return constant(by[code-1].Value)
		}
		return copied(x, in.at(b, a, n)+m)
	})
	each(out.batch, out.heads, func(b, a int) {
		to := out.view(y.Value.Data, b, a).Data
		copy(to[:plane], in.view(x.Value.Data, b, a).Data)
		replace(to, codesOf(b, a), by)
	})
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		each(out.batch, out.heads, func(b, a int) {
			to, from := in.view(dx, b, a).Data, out.view(dy, b, a).Data
			for i, code := range codesOf(b, a) {
				if code == 0 || by[code-1].Flows {
					to[i] += from[i]
				}
			}
		})
	})
	return y
}

// replace replaces the elements with a nonzero code. Most codes are 0, eight at a time.
func replace(x []Elem, codes []uint8, by []Replacement) {
	for len(codes) >= 8 {
		if binary.LittleEndian.Uint64(codes) != 0 {
			replaceEach(x[:8], codes[:8], by)
		}
		x, codes = x[8:], codes[8:]
	}
	replaceEach(x, codes, by)
}

func replaceEach(x []Elem, codes []uint8, by []Replacement) {
	for i, code := range codes {
		if code != 0 {
			x[i] = by[code-1].Value
		}
	}
}

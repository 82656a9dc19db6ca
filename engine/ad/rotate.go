package ad

import (
	"attnatlas/engine/tensor"
)

// Rotate turns pairs of features of every head by angles that depend on the position, as in rotary
// position embeddings (Su et al. 2021, arXiv:2104.09864, eq. 34). x is [N,d] with count heads; cos
// and sin are [N,r/2]. The first r features of a head turn, and the others stay:
//
//	y_i = x_i·cos_i − x_{i+r/2}·sin_i    y_{i+r/2} = x_{i+r/2}·cos_i + x_i·sin_i    i < r/2
//
// Differences: the paper pairs 2i with 2i + 1; the transformers library pairs i with i + r/2.
func Rotate(x *Var, count int, cos, sin *tensor.T) *Var {
	return rotate(x, count, cos, sin, pairs{cos.Dim(-1), 1})
}

// RotatePairs is Rotate for neighbouring features, 2i and 2i + 1, as in the paper.
func RotatePairs(x *Var, count int, cos, sin *tensor.T) *Var {
	return rotate(x, count, cos, sin, pairs{1, 2})
}

// pairs describes which features turn together. The first feature of pair j is step·j, and the
// second one comes behind positions later.
type pairs struct{ behind, step int }

// of returns the pair of a feature, and whether it is the second one of the pair.
func (p pairs) of(feature int) (pair int, second bool) {
	if p.step == 2 {
		return feature / 2, feature%2 == 1
	}
	return feature % p.behind, feature >= p.behind
}

func rotate(x *Var, count int, cos, sin *tensor.T, by pairs) *Var {
	h, half := headsOf(x, count), cos.Dim(-1)
	if cos.Len() < h.n*half || !cos.SameShape(sin) || 2*half > h.width {
		panic(shapeError("Rotate", x.Value, cos, sin))
	}
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin {
		d := x.Dim(-1)
		f, n := i%d%h.width, i/d%h.n
		if f >= 2*half {
			return copied(x, i)
		}
		pair, second := by.of(f)
		at := n*half + pair
		c, s, other := cos.Data[at], -sin.Data[at], i+by.behind
		if second {
			s, other = -s, i-by.behind
		}
		by := t.Const(tensor.From([]Elem{c, s}, 2))
		return dot([]Number{{x, i}, {x, other}}, Several(by, 0, 1, 2), 1)
	})
	r := rotation{h, cos, sin, by}
	r.turn(y.Value.Data, x.Value.Data, 1)
	t.record(y, func(dy []Elem) {
		back := t.array(x.Shape()...)
		r.turn(back.Data, dy, -1)
		x.add(back.Data)
	})
	return y
}

// rotation turns the pairs of features of every head by the same angles.
type rotation struct {
	heads
	cos, sin *tensor.T // [N,r/2]
	by       pairs
}

// turn writes the rows of x to y, turned forwards if way is 1, and backwards if it is −1.
func (r rotation) turn(y, x []Elem, way Elem) {
	half := r.cos.Dim(-1)
	each(r.batch, r.count, func(b, a int) {
		from, to := r.view(x, b, a), r.view(y, b, a)
		for i := range r.n {
			u, v, c, s := row(from, i), row(to, i), r.cos.Data[i*half:][:half], r.sin.Data[i*half:][:half]
			for j := range half {
				a, b := r.by.step*j, r.by.step*j+r.by.behind
				v[a], v[b] = u[a]*c[j]-way*u[b]*s[j], u[b]*c[j]+way*u[a]*s[j]
			}
			copy(v[2*half:], u[2*half:])
		}
	})
}

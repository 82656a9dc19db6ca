package ad

import "math"

// GELUTanh is ½x(1 + tanh(√(2/π)(x + 0.044715x³))), the approximation of GELU
// that GPT-2, ALBERT and BigBird use ("gelu_new").
func GELUTanh(x *Var) *Var {
	t, c := x.tape, math.Sqrt(2/math.Pi)
	y := t.result([]*Var{x}, x.Shape()...)
	inner := func(v float64) float64 { return math.Tanh(c * (v + 0.044715*v*v*v)) }
	for i, v := range x.Value.Data {
		y.Value.Data[i] = Elem(float64(v) / 2 * (1 + inner(float64(v))))
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, e := range x.Value.Data {
			v := float64(e)
			h := inner(v)
			dx[i] += dy[i] * Elem((1+h)/2+v/2*(1-h*h)*c*(1+3*0.044715*v*v))
		}
	})
	return y
}

package ad

import (
	"math"

	"attnatlas/engine/tensor"
)

// Operation is the kind of computation that produced a number. All operations of a pass reduce to a
// few kinds.
type Operation string

// The kinds of operations, with the formula that Origin.Compute evaluates.
const (
	Given      Operation = "given"      // a parameter, an input or a constant, which is not computed
	Copied     Operation = "copied"     // x
	Summed     Operation = "sum"        // scale·Σ_k x_k·y_k + Σ plus + constant; without y, scale·Σ_k x_k
	Softmaxed  Operation = "softmax"    // exp(x_own − m)/(Σ_k exp(x_k − m) + eps·exp(−m)), m = max x
	Normalised Operation = "layer-norm" // (x_own − mean)/√(variance + eps)·γ + β
	Deviated   Operation = "deviation"  // (x_own − mean)/(s + eps)·γ + β, s² = Σ(x − mean)²/(d − 1)
	RootMean   Operation = "rms-norm"   // x_own/√(mean(x²) + eps)
	Length     Operation = "length"     // √(Σ x_k²)
	Quotient   Operation = "quotient"   // x/(y + eps)
	Applied    Operation = "function"   // f(x)
)

// Number is one element of an array.
type Number struct {
	Of *Var
	At int // index in Of.Value.Data
}

// Value returns the element.
func (n Number) Value() float64 { return float64(n.Of.Value.Data[n.At]) }

func values(numbers []Number) []float64 {
	list := make([]float64, len(numbers))
	for k, n := range numbers {
		list[k] = n.Value()
	}
	return list
}

// Origin records how one element of an operation's result was computed from elements of its
// arguments, so that it can be recomputed.
type Origin struct {
	Operation Operation
	X, Y      []Number
	Own       int      // for softmax and norms: index in X of the number's own element
	Plus      []Number // numbers that are added; for norms, γ and β
	Scale     float64  // for Summed
	Constant  float64  // for Summed: a constant that is added
	Eps       float64
	Function  string // for Applied: a key of functions
}

// NewExplaining returns a tape that computes without gradients and records the origin of every
// number (see Var.Origin).
func NewExplaining() *Tape { return &Tape{frozen: true, explains: true} }

// Explains reports whether the tape records the origins of its numbers.
func (t *Tape) Explains() bool { return t.explains }

// Arrays returns all arrays of the tape in the order of their creation.
func (t *Tape) Arrays() []*Var { return t.all }

func (t *Tape) keep(v *Var) {
	if t.explains {
		t.all = append(t.all, v)
	}
}

// Origin returns the origin of number i of the value; ok is false if the operation does not record
// it.
func (v *Var) Origin(i int) (o Origin, ok bool) {
	switch {
	case v.origin != nil:
		return v.origin(i), true
	case v.leaf:
		return Origin{Operation: Given}, true
	}
	return Origin{}, false
}

// explain sets the function that returns the origins of an operation's result.
func (v *Var) explain(origin func(i int) Origin) {
	if v.tape.explains {
		v.origin = origin
	}
}

// functions are the functions of Applied.
var functions = map[string]func(float64) float64{
	"relu": func(x float64) float64 { return max(x, 0) },
	"gelu": func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) },
	"gelu-tanh": func(x float64) float64 {
		return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
	},
	"quick-gelu":    func(x float64) float64 { return x / (1 + math.Exp(-1.702*x)) },
	"tanh":          math.Tanh,
	"sigmoid":       func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"one-less-sigm": func(x float64) float64 { return 1 / (1 + math.Exp(x)) },
	"elu1": func(x float64) float64 {
		if x > 0 {
			return x + 1
		}
		return math.Exp(x)
	},
}

// Compute recomputes the number from its operands in float64. It also returns the total size of the
// summands, as a measure of the possible rounding error.
func (o Origin) Compute() (value, size float64) {
	x := values(o.X)
	switch o.Operation {
	case Summed:
		return o.sum(x)
	case Softmaxed:
		top, sum := math.Inf(-1), 0.0
		for _, v := range x {
			top = max(top, v)
		}
		for _, v := range x {
			sum += math.Exp(v - top)
		}
		value = math.Exp(x[o.Own]-top) / (sum + o.Eps*math.Exp(-top))
	case Normalised, Deviated, RootMean:
		return o.normalised(x)
	case Length:
		for _, v := range x {
			size += v * v
		}
		return math.Sqrt(size), math.Sqrt(size)
	case Quotient:
		value = x[0] / (o.Y[0].Value() + o.Eps)
	case Applied:
		value = functions[o.Function](x[0])
		return value, max(math.Abs(value), math.Abs(x[0]))
	case Copied:
		value = x[0]
	}
	return value, math.Abs(value)
}

func (o Origin) sum(x []float64) (value, size float64) {
	y := values(o.Y)
	for k, v := range x {
		if len(y) > 0 {
			v *= y[k]
		}
		value, size = value+o.Scale*v, size+math.Abs(o.Scale*v)
	}
	for _, v := range values(o.Plus) {
		value, size = value+v, size+math.Abs(v)
	}
	return value + o.Constant, size + math.Abs(o.Constant)
}

func (o Origin) normalised(x []float64) (value, size float64) {
	mean, squares, d := 0.0, 0.0, float64(len(x))
	for _, v := range x {
		mean += v / d
	}
	if o.Operation == RootMean {
		mean = 0
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	var by float64
	switch o.Operation {
	case Deviated:
		by = math.Sqrt(squares/(d-1)) + o.Eps
	default:
		by = math.Sqrt(squares/d + o.Eps)
	}
	gain, shift := 1.0, 0.0
	if len(o.Plus) == 2 {
		gain, shift = o.Plus[0].Value(), o.Plus[1].Value()
	}
	value = (x[o.Own]-mean)/by*gain + shift
	return value, (math.Abs(x[o.Own])+math.Abs(mean))/by*math.Abs(gain) + math.Abs(shift)
}

// Several returns count elements of an array, spaced by step.
func Several(of *Var, from, step, count int) []Number {
	list := make([]Number, count)
	for k := range list {
		list[k] = Number{of, from + k*step}
	}
	return list
}

// copied is the origin of a number that equals another one.
func copied(of *Var, at int) Origin { return Origin{Operation: Copied, X: []Number{{of, at}}} }

// constant is the origin of a number that has a fixed value, or is replaced by one.
func constant(value Elem) Origin { return Origin{Operation: Summed, Constant: float64(value)} }

// dot is the origin of scale·Σ x∘y + Σ plus.
func dot(x, y []Number, scale Elem, plus ...Number) Origin {
	return Origin{Operation: Summed, X: x, Y: y, Scale: float64(scale), Plus: plus}
}

// product is the origin of the product of two numbers.
func product(x, y Number) Origin { return dot([]Number{x}, []Number{y}, 1) }

// Products is the origin of Σ x∘y.
func Products(x, y []Number) Origin { return dot(x, y, 1) }

// Sole is the origin of a number that equals another one.
func Sole(of *Var, at int) Origin { return copied(of, at) }

// Nothing is the origin of a number that is 0 because nothing contributes to it.
func Nothing() Origin { return constant(0) }

// Derive puts an array on a tape that explains; origin returns the origin of each number.
func (t *Tape) Derive(value *tensor.T, origin func(i int) Origin) *Var {
	v := t.newVar(value)
	v.explain(origin)
	return v
}

// sums is the origin of a sum of numbers.
func sums(numbers ...Number) Origin { return dot(numbers, nil, 1) }

// applied is the origin of f(x).
func applied(function string, of *Var, at int) Origin {
	return Origin{Operation: Applied, Function: function, X: []Number{{of, at}}}
}

// at returns the offset of a row of a head in the data of its array.
func (h heads) at(b, head, row int) int { return (b*h.n+row)*h.count*h.width + head*h.width }

// at returns the offset of a row of a plane in the data of its array.
func (p planes) at(b, head, row int) int {
	if p.batch == 1 {
		b = 0
	}
	return ((b*p.heads+head)*p.rows + row) * p.cols
}

// of returns the sequence, head, row and column of element i.
func (p planes) of(i int) (b, head, row, col int) {
	return i / (p.heads * p.rows * p.cols), i / (p.rows * p.cols) % p.heads, i / p.cols % p.rows, i % p.cols
}

// of returns the sequence, head, row and feature of element i.
func (h heads) of(i int) (b, head, row, col int) {
	d := h.count * h.width
	return i / (h.n * d), i % d / h.width, i / d % h.n, i % h.width
}

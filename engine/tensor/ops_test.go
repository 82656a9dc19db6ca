package tensor

import (
	"math"
	"slices"
)

// op is an operation on slices, with the data that tests need.
type op struct {
	name string
	// lengths of the arguments for this shape
	lengths func(rows, cols int) []int
	run     func(s isa, a [][]Elem, cols int)
	// the definition of run, in float64
	want func(a [][]float64, cols int)
	// tolerance, relative to max(1, |wanted|), in units of epsilon
	tolerance float64
	// pairs of arguments of which the second can be the same slice as the first
	aliases      [][2]int
	positiveFrom int     // arguments from this one on contain numbers ≥ 0
	gentleFrom   int     // arguments from this one on contain no large numbers
	size         float64 // size of the numbers; 0 means 1
}

// The tolerances of the operations, in units of epsilon.
const (
	exactly   = 1.0   // one rounding, or two fused into one
	fewSteps  = 8.0   // several roundings in sequence
	rowSums   = 150.0 // sums over rows of up to 300 elements near 1
	rowOfExp  = 30.0  // sums of up to 300 small numbers and one number near 1
	tailError = 4.0   // 2e-7 of GELU's tails; float32 roundings
)

func elements(n int) func(int, int) []int {
	return func(rows, cols int) []int { return slices.Repeat([]int{rows * cols}, n) }
}

var ops = append(gateOps, []op{
	{name: "Add", lengths: elements(3), tolerance: exactly, aliases: [][2]int{{0, 1}, {0, 2}},
		run:  func(s isa, a [][]Elem, _ int) { s.add(a[0], a[1], a[2]) },
		want: each(func(a []float64) { a[0] = a[1] + a[2] })},
	{name: "Mul", lengths: elements(3), tolerance: exactly, aliases: [][2]int{{0, 1}, {0, 2}},
		run:  func(s isa, a [][]Elem, _ int) { s.mul(a[0], a[1], a[2]) },
		want: each(func(a []float64) { a[0] = a[1] * a[2] })},
	{name: "Axpy", lengths: elements(2), tolerance: fewSteps,
		run:  func(s isa, a [][]Elem, _ int) { s.axpy(a[0], -0.75, a[1]) },
		want: each(func(a []float64) { a[0] -= 0.75 * a[1] })},
	{name: "Scale", lengths: elements(2), tolerance: exactly, aliases: [][2]int{{0, 1}},
		run:  func(s isa, a [][]Elem, _ int) { s.scale(a[0], -0.75, a[1]) },
		want: each(func(a []float64) { a[0] = -0.75 * a[1] })},
	{name: "AddRow", tolerance: exactly, aliases: [][2]int{{0, 1}},
		lengths: func(rows, cols int) []int { return []int{rows * cols, rows * cols, cols} },
		run:     func(s isa, a [][]Elem, cols int) { s.addRow(a[0], a[1], a[2]) },
		want: func(a [][]float64, cols int) {
			for i := range a[0] {
				a[0][i] = a[1][i] + a[2][i%cols]
			}
		}},
	{name: "MulRows", tolerance: exactly, aliases: [][2]int{{0, 1}},
		lengths: func(rows, cols int) []int { return []int{rows * cols, rows * cols, cols} },
		run:     func(s isa, a [][]Elem, cols int) { s.mulRows(a[0], a[1], a[2]) },
		want: func(a [][]float64, cols int) {
			for i := range a[0] {
				a[0][i] = a[1][i] * a[2][i%cols]
			}
		}},
	{name: "SumRows", tolerance: rowSums,
		lengths: func(rows, cols int) []int { return []int{cols, rows * cols} },
		run:     func(s isa, a [][]Elem, cols int) { s.sumRows(a[0], a[1]) },
		want: func(a [][]float64, cols int) {
			for i := range a[1] {
				a[0][i%cols] += a[1][i]
			}
		}},
	{name: "MulSumRows", tolerance: rowSums, size: 0.3,
		lengths: func(rows, cols int) []int { return []int{cols, rows * cols, rows * cols} },
		run:     func(s isa, a [][]Elem, _ int) { s.mulSumRows(a[0], a[1], a[2]) },
		want: func(a [][]float64, cols int) {
			for i, x := range a[1] {
				a[0][i%cols] += x * a[2][i]
			}
		}},
	{name: "Dot", tolerance: 4 * rowSums, // a sum of rows·cols elements
		lengths: func(rows, cols int) []int { return []int{1, rows * cols, rows * cols} },
		run:     func(s isa, a [][]Elem, _ int) { a[0][0] = s.dot(a[1], a[2]) },
		want: func(a [][]float64, _ int) {
			a[0][0] = 0
			for i, x := range a[1] {
				a[0][0] += x * a[2][i]
			}
		}},
	{name: "SoftmaxRows", lengths: elements(2), tolerance: rowOfExp, aliases: [][2]int{{0, 1}},
		run:  func(s isa, a [][]Elem, cols int) { s.softmaxRows(a[0], a[1], cols) },
		want: func(a [][]float64, cols int) { eachRow(a, cols, softmaxDefinition) }},
	{name: "SoftmaxRowsBackward", lengths: elements(3), tolerance: 2 * rowSums,
		aliases: [][2]int{{0, 1}, {0, 2}}, size: 0.3,
		run: func(s isa, a [][]Elem, cols int) { s.softmaxRowsBackward(a[0], a[1], a[2], cols) },
		want: func(a [][]float64, cols int) {
			eachRow(a, cols, func(row [][]float64) {
				var dot float64
				for i, y := range row[1] {
					dot += y * row[2][i]
				}
				for i, y := range row[1] {
					row[0][i] = y * (row[2][i] - dot)
				}
			})
		}},
	{name: "ReLU", lengths: elements(2), aliases: [][2]int{{0, 1}},
		run:  func(s isa, a [][]Elem, _ int) { s.relu(a[0], a[1]) },
		want: each(func(a []float64) { a[0] = max(a[1], 0) })},
	{name: "ReLUBackward", lengths: elements(3), aliases: [][2]int{{0, 1}, {0, 2}},
		run: func(s isa, a [][]Elem, _ int) { s.reluBackward(a[0], a[1], a[2]) },
		want: each(func(a []float64) {
			if a[0] = 0; a[1] > 0 {
				a[0] = a[2]
			}
		})},
	{name: "GELU", lengths: elements(2), tolerance: tailError, aliases: [][2]int{{0, 1}},
		run:  func(s isa, a [][]Elem, _ int) { s.gelu(a[0], a[1]) },
		want: each(func(a []float64) { a[0] = finite(a[1]) * normal(a[1]) })},
	{name: "GELUBackward", lengths: elements(3), tolerance: 2 * fewSteps, aliases: [][2]int{{0, 1}, {0, 2}}, gentleFrom: 2,
		run:  func(s isa, a [][]Elem, _ int) { s.geluBackward(a[0], a[1], a[2]) },
		want: each(func(a []float64) { a[0] = a[2] * (normal(a[1]) + tame(a[1])*density(a[1])) })},
	{name: "Sigmoid", lengths: elements(2), tolerance: fewSteps, aliases: [][2]int{{0, 1}},
		run: func(s isa, a [][]Elem, _ int) { s.sigmoid(a[0], a[1]) },
		want: func(a [][]float64, _ int) {
			for i, x := range a[1] {
				a[0][i] = 1 / (1 + math.Exp(-x))
			}
		}},
	{name: "GELUTanh", lengths: elements(2), tolerance: tailError, aliases: [][2]int{{0, 1}},
		run:  func(s isa, a [][]Elem, _ int) { s.geluTanh(a[0], a[1]) },
		want: each(func(a []float64) { a[0] = finite(a[1]) * logistic(a[1]) })},
	{name: "GELUTanhBackward", lengths: elements(3), tolerance: 2 * fewSteps, aliases: [][2]int{{0, 1}, {0, 2}},
		gentleFrom: 2,
		run:        func(s isa, a [][]Elem, _ int) { s.geluTanhBackward(a[0], a[1], a[2]) },
		want: each(func(a []float64) {
			x := tame(a[1])
			slope := 2 * math.Sqrt(2/math.Pi) * (1 + 3*0.044715*x*x)
			a[0] = a[2] * (logistic(x) + x*logistic(x)*logistic(-x)*slope)
		})},
	{name: "LayerNormRows", tolerance: rowSums, aliases: [][2]int{{0, 1}},
		lengths: func(rows, cols int) []int { return []int{rows * cols, rows * cols, cols, cols, rows, rows} },
		run: func(s isa, a [][]Elem, _ int) {
			s.layerNormRows(a[0], a[1], LayerNorm{a[2], a[3], a[4], a[5]}, normEpsilon)
		},
		want: layerNormDefinition},
	{name: "LayerNormRowsBackward", tolerance: 2 * rowSums, aliases: [][2]int{{0, 3}, {0, 7}}, size: 0.3,
		lengths: func(rows, cols int) []int {
			return []int{rows * cols, cols, cols, rows * cols, cols, rows, rows, rows * cols}
		},
		run: func(s isa, a [][]Elem, _ int) {
			s.layerNormRowsBackward(a[0], a[3], a[7], LayerNorm{Gamma: a[4], Mean: a[5], RStd: a[6]},
				LayerNorm{Gamma: a[1], Beta: a[2]})
		},
		want: layerNormBackwardDefinition},
	{name: "AdamW", lengths: elements(4), tolerance: 4 * fewSteps, positiveFrom: 2,
		run:  func(s isa, a [][]Elem, _ int) { s.adamW(a[0], a[1], a[2], a[3], adamExample.factors()) },
		want: each(adamDefinition)},
}...)

// each applies a formula for one element to all elements.
func each(formula func(a []float64)) func([][]float64, int) {
	return func(a [][]float64, _ int) {
		one := make([]float64, len(a))
		for i := range a[0] {
			for j := range a {
				one[j] = a[j][i]
			}
			formula(one)
			for j := range a {
				a[j][i] = one[j]
			}
		}
	}
}

// eachRow calls f with the rows of all arguments.
func eachRow(a [][]float64, cols int, f func(row [][]float64)) {
	for i := 0; i < len(a[0]); i += cols {
		row := make([][]float64, len(a))
		for j := range a {
			row[j] = a[j][i : i+cols]
		}
		f(row)
	}
}

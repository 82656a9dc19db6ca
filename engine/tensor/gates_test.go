package tensor

import "math"

func sigmoidDefinition(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// gateOps lists the operations of gates.go.
var gateOps = []op{
	{name: "SigmoidRows", tolerance: fewSteps, aliases: [][2]int{{0, 1}}, gentleFrom: 1,
		lengths: func(rows, cols int) []int { return []int{rows * cols, rows * cols, cols} },
		run:     func(s isa, a [][]Elem, _ int) { s.sigmoidRows(a[0], a[1], a[2]) },
		want: func(a [][]float64, cols int) {
			for i, x := range a[1] {
				a[0][i] = sigmoidDefinition(x + a[2][i%cols])
			}
		}},
	{name: "TanhRows", tolerance: fewSteps, aliases: [][2]int{{0, 1}}, gentleFrom: 1,
		lengths: func(rows, cols int) []int { return []int{rows * cols, rows * cols, cols} },
		run:     func(s isa, a [][]Elem, _ int) { s.tanhRows(a[0], a[1], a[2]) },
		want: func(a [][]float64, cols int) {
			for i, x := range a[1] {
				a[0][i] = math.Tanh(x + a[2][i%cols])
			}
		}},
	{name: "Gate", lengths: elements(4), tolerance: 4 * fewSteps, aliases: [][2]int{{0, 1}, {0, 2}, {0, 3}},
		run:  func(s isa, a [][]Elem, _ int) { s.gate(a[0], a[1], a[2], a[3]) },
		want: each(func(a []float64) { a[0] = a[1]*a[2] + (1-a[1])*a[3] })},
	{name: "GateBackward", lengths: elements(7), tolerance: 4 * fewSteps, aliases: [][2]int{{1, 3}}, size: 0.3,
		run: func(s isa, a [][]Elem, _ int) { s.gateBackward(Gated{a[0], a[1], a[2]}, a[3], Gated{a[4], a[5], a[6]}) },
		want: each(func(a []float64) {
			dy, g, b := a[3], a[4], a[6]
			a[0], a[1], a[2] = dy*(a[5]-b)*(g-g*g), dy*g, dy*(1-g)*(1-b*b)
		})},
	{name: "ResetBackward", lengths: elements(5), tolerance: 4 * fewSteps, aliases: [][2]int{{0, 2}}, size: 0.3,
		run: func(s isa, a [][]Elem, _ int) { s.resetBackward(a[0], a[1], a[2], a[3], a[4]) },
		want: each(func(a []float64) {
			dq, r, s := a[2], a[3], a[4]
			a[0], a[1] = dq*s*(r-r*r), a[1]+dq*r
		})},
	{name: "QuickGELU", lengths: elements(2), tolerance: fewSteps, aliases: [][2]int{{0, 1}}, gentleFrom: 1,
		run:  func(s isa, a [][]Elem, _ int) { s.quickGELU(a[0], a[1]) },
		want: each(func(a []float64) { a[0] = a[1] * sigmoidDefinition(1.702*a[1]) })},
	{name: "QuickGELUBackward", lengths: elements(4), tolerance: 4 * fewSteps, aliases: [][2]int{{0, 3}}, gentleFrom: 1,
		run: func(s isa, a [][]Elem, _ int) { s.quickGELUBackward(a[0], a[1], a[2], a[3]) },
		want: each(func(a []float64) {
			s := sigmoidDefinition(1.702 * a[2])
			a[0], a[1] = a[3]*(s+1.702*a[2]*s*(1-s)), a[2]*s
		})},
	{name: "CombineRows", tolerance: 4 * fewSteps, aliases: [][2]int{{0, 1}, {0, 3}}, size: 0.5,
		lengths: func(rows, cols int) []int {
			return []int{rows * cols, rows * cols, cols, rows * cols, cols, cols}
		},
		run: func(s isa, a [][]Elem, _ int) { s.combineRows(a[0], Scaled{a[1], a[2]}, Scaled{a[3], a[4]}, a[5]) },
		want: func(a [][]float64, cols int) {
			for i := range a[0] {
				j := i % cols
				a[0][i] = a[1][i]*a[2][j] + a[3][i]*a[4][j] + a[5][j]
			}
		}},
}

package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKernels compares every operation with its definition, at every level of instructions and for
// many shapes and aliases. It also detects writes outside the result.
func TestKernels(t *testing.T) {
	for _, o := range ops {
		for name, s := range levels() {
			t.Run(o.name+"/"+name, func(t *testing.T) {
				b := newBench(t, o, s)
				for cols := range 68 {
					b.check(t, 1+cols%3, cols)
				}
				for range 20 {
					b.check(t, b.IntN(12), 1+b.IntN(300))
				}
			})
		}
	}
}

// bench is an operation with memory for its arguments.
type bench struct {
	*rand.Rand
	op
	isa    isa
	arenas [][]Elem
	// special numbers to insert among the arguments
	special []float64
}

func newBench(t *testing.T, o op, s isa) *bench {
	b := &bench{Rand: rand.New(rand.NewPCG(7, 8)), op: o, isa: s}
	for range o.lengths(1, 1) {
		b.arenas = append(b.arenas, newArena(t, 5000))
	}
	return b
}

func (b *bench) check(t *testing.T, rows, cols int) {
	t.Helper()
	if rows*cols == 0 {
		return // TestNothing covers this case
	}
	b.checkAliased(t, rows, cols, [2]int{0, 0})
	for _, same := range b.aliases {
		b.checkAliased(t, rows, cols, same)
	}
}

// checkAliased runs the operation with argument alias[0] in the memory of argument alias[1].
func (b *bench) checkAliased(t *testing.T, rows, cols int, alias [2]int) {
	t.Helper()
	args, want := b.arguments(rows, cols)
	args[alias[0]] = args[alias[1]]
	b.want(want, cols)
	before := b.snapshot()
	b.run(b.isa, args, cols)
	if alias[0] != alias[1] {
		want[alias[1]] = want[alias[0]]
	}
	for i, arg := range args {
		for j, got := range arg {
			if !b.close(got, want[i][j]) {
				t.Fatalf("[%d,%d], alias %v: argument %d at %d is %v, want %v", rows, cols, alias, i, j, got, want[i][j])
			}
		}
	}
	b.checkOutside(t, args, before, fmt.Sprintf("[%d,%d], alias %v", rows, cols, alias))
}

func (b *bench) close(got Elem, want float64) bool {
	x := float64(got)
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return x == want || (math.IsNaN(x) && math.IsNaN(want))
	}
	return math.Abs(x-want) <= b.tolerance*epsilon*max(1, math.Abs(want))
}

// arguments fills the arenas with canaries and places each argument at the beginning or at the end.
// It returns the arguments and copies of them.
func (b *bench) arguments(rows, cols int) (args [][]Elem, copies [][]float64) {
	for i, n := range b.lengths(rows, cols) {
		arena := b.arenas[i]
		for j := range arena {
			arena[j] = Elem(math.NaN())
		}
		arg := arena[:n:n]
		if b.IntN(2) == 0 {
			arg = arena[len(arena)-n:]
		}
		double := make([]float64, n)
		for j := range arg {
			arg[j] = b.number(i)
			double[j] = float64(arg[j])
		}
		args, copies = append(args, arg), append(copies, double)
	}
	return args, copies
}

func (b *bench) number(argument int) Elem {
	x := b.NormFloat64() * []float64{1, 1, 1, 5}[b.IntN(4)]
	if len(b.special) > 0 && b.IntN(20) == 0 {
		x = b.special[b.IntN(len(b.special))]
	}
	if b.size > 0 {
		x *= b.size
	}
	if b.positiveFrom > 0 && argument >= b.positiveFrom {
		x = math.Abs(x)
	}
	if b.gentleFrom > 0 && argument >= b.gentleFrom && math.Abs(x) > 10 {
		x = 1
	}
	return Elem(x)
}

func (b *bench) snapshot() [][]Elem {
	var all [][]Elem
	for _, arena := range b.arenas {
		all = append(all, slices.Clone(arena))
	}
	return all
}

// checkOutside detects changes next to the arguments.
func (b *bench) checkOutside(t *testing.T, args, before [][]Elem, what string) {
	t.Helper()
	for i, arena := range b.arenas {
		inside := len(args[i])
		changed := 0
		for j, x := range arena {
			if !same(x, before[i][j]) {
				changed++
			}
		}
		if changed > inside {
			t.Fatalf("%s: %d elements changed in an argument of %d", what, changed, inside)
		}
		for _, j := range []int{inside, inside + 1, len(arena) - inside - 1, len(arena) - inside - 2} {
			if inside > 0 && 2*inside+4 < len(arena) && !isNaN(arena[j]) {
				t.Fatalf("%s: wrote next to argument %d", what, i)
			}
		}
	}
}

// TestSpecialNumbers inserts NaN and infinities among the arguments. The results must agree with
// the definition.
func TestSpecialNumbers(t *testing.T) {
	for _, o := range ops {
		for name, s := range levels() {
			t.Run(o.name+"/"+name, func(t *testing.T) {
				b := newBench(t, o, s)
				b.special = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e-30, -30, 30}
				for range 100 {
					b.check(t, b.IntN(6), 1+b.IntN(70))
				}
			})
		}
	}
}

// TestNothing calls the exported functions with empty arguments.
func TestNothing(t *testing.T) {
	none, row, out := []Elem{}, []Elem{1, 2}, []Elem{3, 4}
	Add(none, none, none)
	Mul(none, none, none)
	Axpy(none, 2, none)
	Scale(none, 2, none)
	AddRow(none, none, row)
	AddRow(none, none, none)
	MulRows(none, none, row)
	MulRows(none, none, none)
	SumRows(out, none, 2)
	SumRows(none, none, 0)
	MulSumRows(out, none, none, 2)
	MulSumRows(none, none, none, 0)
	SoftmaxRows(none, none, 0)
	SoftmaxRows(none, none, 3)
	SoftmaxRowsBackward(none, none, none, 3)
	ReLU(none, none)
	ReLUBackward(none, none, none)
	GELU(none, none)
	GELUBackward(none, none, none)
	GELUTanh(none, none)
	GELUTanhBackward(none, none, none)
	Sigmoid(none, none)
	SigmoidRows(none, none, row)
	TanhRows(none, none, row)
	Gate(none, none, none, none)
	GateBackward(Gated{}, none, Gated{})
	ResetBackward(none, none, none, none, none)
	QuickGELU(none, none)
	QuickGELUBackward(none, none, none, none)
	CombineRows(none, Scaled{none, row}, Scaled{none, row}, row)
	LayerNormRows(none, none, LayerNorm{Gamma: row, Beta: row}, normEpsilon)
	LayerNormRows(none, none, LayerNorm{Mean: out, RStd: row}, normEpsilon)
	LayerNormRowsBackward(none, none, none, LayerNorm{Gamma: row}, LayerNorm{Gamma: out, Beta: out})
	AdamW(none, none, none, none, adamExample)
	if d := Dot(none, none); d != 0 {
		t.Errorf("the empty sum is %v", d)
	}
	if !slices.Equal(out, []Elem{3, 4}) || !slices.Equal(row, []Elem{1, 2}) {
		t.Errorf("something was written: %v %v", out, row)
	}
}

// TestShapeErrors calls the exported functions with slices of different lengths.
func TestShapeErrors(t *testing.T) {
	two, three := make([]Elem, 2), make([]Elem, 3)
	for name, f := range map[string]func(){
		"Add":                 func() { Add(two, two, three) },
		"Mul":                 func() { Mul(two, three, two) },
		"Axpy":                func() { Axpy(two, 1, three) },
		"Scale":               func() { Scale(three, 1, two) },
		"AddRow":              func() { AddRow(three, three, two) },
		"AddRow of nothing":   func() { AddRow(three, three, nil) },
		"MulRows":             func() { MulRows(three, three, two) },
		"MulRows of nothing":  func() { MulRows(three, three, nil) },
		"SumRows":             func() { SumRows(two, three, 3) },
		"SumRows, no rows":    func() { SumRows(two, three, 2) },
		"MulSumRows":          func() { MulSumRows(two, three, three, 3) },
		"MulSumRows, no rows": func() { MulSumRows(two, three, three, 2) },
		"MulSumRows of two":   func() { MulSumRows(two, two, make([]Elem, 4), 2) },
		"Dot":                 func() { Dot(two, three) },
		"SoftmaxRows":         func() { SoftmaxRows(three, three, 2) },
		"SoftmaxRows of 0":    func() { SoftmaxRows(three, three, 0) },
		"SoftmaxRows of -1":   func() { SoftmaxRows(three, three, -1) },
		"SoftmaxRowsBackward": func() { SoftmaxRowsBackward(three, three, two, 1) },
		"ReLU":                func() { ReLU(three, two) },
		"ReLUBackward":        func() { ReLUBackward(two, three, two) },
		"GELU":                func() { GELU(three, two) },
		"GELUBackward":        func() { GELUBackward(three, three, two) },
		"GELUTanh":            func() { GELUTanh(three, two) },
		"GELUTanhBackward":    func() { GELUTanhBackward(three, two, three) },
		"Sigmoid":             func() { Sigmoid(three, two) },
		"SigmoidRows":         func() { SigmoidRows(three, three, two) },
		"TanhRows":            func() { TanhRows(three, two, two) },
		"Gate":                func() { Gate(three, three, two, three) },
		"GateBackward":        func() { GateBackward(Gated{two, two, two}, two, Gated{two, three, two}) },
		"ResetBackward":       func() { ResetBackward(two, two, two, three, two) },
		"QuickGELU":           func() { QuickGELU(three, two) },
		"QuickGELUBackward":   func() { QuickGELUBackward(three, three, three, two) },
		"CombineRows":         func() { CombineRows(two, Scaled{two, two}, Scaled{three, two}, two) },
		"LayerNormRows":       func() { LayerNormRows(three, three, LayerNorm{two, two, two, two}, 1) },
		"LayerNormRowsBackward": func() {
			LayerNormRowsBackward(two, two, three, LayerNorm{two, nil, two[:1], two[:1]}, LayerNorm{Gamma: two, Beta: two})
		},
		"AdamW":         func() { AdamW(two, two, two, three, adamExample) },
		"AdamW, step 0": func() { AdamW(two, two, two, two, AdamStep{}) },
	} {
		mustPanic(t, name, f)
	}
}

// TestPackAll: matrices packed together in one array give the same products as matrices packed alone, and none
// overwrites the next one.
func TestPackAll(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	random := func(rows, cols int) Matrix {
		m := NewMatrix(make([]Elem, rows*cols), rows, cols)
		for i := range m.Data {
			m.Data[i] = Elem(r.NormFloat64())
		}
		return m
	}
	var all []Matrix
	for _, shape := range [][2]int{{3, 5}, {300, 70}, {1, 1}, {64, 33}, {5, 300}} {
		all = append(all, random(shape[0], shape[1]), random(shape[1], shape[0]).T())
	}
	for i, packed := range PackAll(all) {
		a := random(4, all[i].Rows)
		got, want := random(4, all[i].Cols), random(4, all[i].Cols)
		GemmPacked(got, a, packed, 1, Overwrite)
		GemmPacked(want, a, Pack(all[i]), 1, Overwrite)
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("matrix %d, %v, differs", i, all[i])
		}
	}
}

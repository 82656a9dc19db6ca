package metrics

import (
	"math"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Measurement computes the influence ‖∂y_i/∂x_j‖_F for every pair of positions: how much the output
// at i changes when the input at j changes, along every path. The definition is the same for every
// mechanism.
type Measurement struct {
	Mixer attention.Mixer
	X     *tensor.T // [1,N,d]
	Mask  nn.Mask
	// Directions is the number of directions, out of d for each output, that are pulled back. 0
	// means all of them, which is exact up to rounding. A mixer that knows its Jacobian always uses
	// all.
	Directions int
	// Turn is called before each step of a few milliseconds. If it returns an error, the
	// measurement ends.
	Turn func() error
}

// Influence runs an exact Measurement on x [1,N,d] and returns the influence [N,N].
func Influence(m attention.Mixer, x *tensor.T, mask nn.Mask) *tensor.T {
	squares, _ := Measurement{m, x, mask, 0, func() error { return nil }}.Run(ad.Span{To: x.Dim(1)})
	return squares.Lengths()
}

// Squares holds the squares ‖∂y_i/∂x_j‖_F² [rows,N], and their variances if they are estimates.
// Variances is nil if they are exact.
type Squares struct {
	Columns   int
	Values    []float64
	Variances []float64
}

// Lengths returns the square roots [rows,N].
func (s Squares) Lengths() *tensor.T {
	out := tensor.New(len(s.Values)/max(s.Columns, 1), s.Columns)
	for i, v := range s.Values {
		out.Data[i] = tensor.Elem(math.Sqrt(v))
	}
	return out
}

// Error returns the relative standard error of the estimated lengths: the median over all pairs
// with an effect. It is 0 if they are exact.
func (s Squares) Error() float64 {
	var shares []float64
	for i, v := range s.Variances {
		if square := s.Values[i]; square > 0 {
			shares = append(shares, math.Sqrt(v)/(2*square)) // the error of √s is the error of s ÷ 2√s
		}
	}
	if len(shares) == 0 {
		return 0
	}
	slices.Sort(shares)
	return shares[len(shares)/2]
}

// Run measures the rows From ≤ i < To. If the mixer knows its Jacobian, all rows are measured at
// once.
func (m Measurement) Run(rows ad.Span) (Squares, error) {
	if known, ok := m.Mixer.(attention.Differentiable); ok && m.X.Dim(0) == 1 {
		if err := m.Turn(); err != nil {
			return Squares{}, err
		}
		if j := known.Jacobian(m.X, m.Mask); j != nil {
			return m.byColumns(j)
		}
	}
	return m.byRows(rows)
}

// byRows pulls back directions of the outputs in rows. The forward pass runs once, on a batch of
// copies of x. Each step pulls back as many directions as there are copies.
func (m Measurement) byRows(rows ad.Span) (Squares, error) {
	n, count := m.X.Dim(1), rows.To-rows.From
	squares := Squares{Columns: n, Values: make([]float64, count*n)}
	if count == 0 {
		return squares, nil
	}
	directions := newDirections(m.Directions, m.outputs())
	var fourth []float64 // Σ of squared squares, for the variance
	if directions.some() {
		fourth = make([]float64, count*n)
	}
	err := m.pull(count*directions.count, func(at int, seed []tensor.Elem) {
		i := rows.From + at/directions.count
		directions.seed(at%directions.count, i, seed[i*directions.width:][:directions.width])
	}, func(at int, g []tensor.Elem) {
		i := at / directions.count * n
		addSquares(squares.Values[i:][:n], fourth, i, g)
	})
	if err == nil && fourth != nil {
		squares.estimate(fourth, directions)
	}
	return squares, err
}

// outputs returns the width of y: d, except for cores, which have no output projection.
func (m Measurement) outputs() int {
	p := nn.NewPass(ad.NewFrozen())
	p.Mask = m.Mask
	return m.Mixer.Mix(p, p.Tape.Const(m.X)).Dim(2)
}

// estimate scales sums over some directions to estimates for all directions, and sets their
// variances.
func (s *Squares) estimate(fourth []float64, d directions) {
	count := float64(d.count)
	left := 1 - count/float64(d.width) // the variance is 0 if all directions were used
	s.Variances = fourth
	for i, sum := range s.Values {
		mean := sum / count
		s.Variances[i] = left * max(fourth[i]/count-mean*mean, 0) / (count - 1)
		s.Values[i] = mean
	}
}

// pull runs the mixer on copies of x and pulls count seeds [N,d] back through it. fill writes a seed into zeros, and
// take receives its gradient [N,d].
func (m Measurement) pull(count int, fill, take func(at int, data []tensor.Elem)) error {
	n, d := m.X.Dim(1), m.X.Dim(2)
	copies := max(1, min(count, batchRows/n))
	if err := m.Turn(); err != nil {
		return err
	}
	p := nn.NewPass(ad.NewTape())
	p.Fixed, p.Mask = true, m.Mask
	if m.Mask.Keys != nil {
		p.Mask.Keys = slices.Repeat(m.Mask.Keys, copies)
	}
	in := p.Tape.Leaf(tensor.From(slices.Repeat(m.X.Data, copies), copies, n, d))
	y := m.Mixer.Mix(p, in)
	seed := tensor.New(y.Shape()...)
	for at := 0; at < count; at += copies {
		if err := m.Turn(); err != nil {
			return err
		}
		clear(seed.Data)
		for c := range min(copies, count-at) {
			fill(at+c, seed.Sub(c).Data)
		}
		p.Tape.Backward(y, seed)
		if in.Grad() == nil {
			return nil // y does not depend on x at all
		}
		for c := range min(copies, count-at) {
			take(at+c, in.Grad().Sub(c).Data)
		}
	}
	return nil
}

// batchRows is the approximate number of positions in a batch of copies: enough for efficient matrix products, and
// few enough for the memory of a deep mixer.
const batchRows = 128

// addSquares adds the sum of squares of each row of g [N,d] to sums [N], and its square to fourth, beginning at index
// on. It uses float64, because the squares of small float32 numbers underflow.
func addSquares(sums, fourth []float64, at int, g []tensor.Elem) {
	d := len(g) / len(sums)
	for j := range sums {
		var s [4]float64 // four independent sums, which the processor can compute in parallel
		row := g[j*d:][:d]
		for ; len(row) >= 4; row = row[4:] {
			a, b, c, e := float64(row[0]), float64(row[1]), float64(row[2]), float64(row[3])
			s[0], s[1], s[2], s[3] = s[0]+a*a, s[1]+b*b, s[2]+c*c, s[3]+e*e
		}
		for _, v := range row {
			s[0] += float64(v) * float64(v)
		}
		total := s[0] + s[1] + s[2] + s[3]
		sums[j] += total
		if fourth != nil {
			fourth[at+j] += total * total
		}
	}
}

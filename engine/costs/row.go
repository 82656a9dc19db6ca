package costs

import (
	"maps"
	"math"
	"slices"
	"sort"

	"attnatlas/engine/attention"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Sizes are the sizes for which costs are computed.
type Sizes struct {
	Length    int `json:"length" doc:"Number of tokens N of the text"`
	Width     int `json:"width" doc:"Width d of the model"`
	Heads     int `json:"heads" doc:"Number of heads H"`
	Positions int `json:"positions" doc:"Number of positions L for which position-dependent parameters are created"`
}

// MechanismCost is the cost of one mechanism.
type MechanismCost struct {
	ID         string   `json:"id" doc:"ID of the mechanism"`
	Claimed    string   `json:"claimed" doc:"Time complexity according to the paper"`
	Growth     float64  `json:"growth" doc:"Exponent of N in the paper’s time complexity"`
	Parameters Count    `json:"parameters" doc:"Number of trained parameters of one layer’s token mixer"`
	Untrained  int      `json:"untrained,omitempty" doc:"Number of stored values that are not trained"`
	Operations Count    `json:"operations" doc:"Number of multiplications and additions in the matrix products of one layer’s token mixer, for one forward pass"`
	State      *Count   `json:"state,omitempty" doc:"Number of values that a layer caches for N tokens to write the next one. Absent if the layer needs all tokens again"`
	Counted    float64  `json:"counted" doc:"Exponent of N in the counted operations, between 2048 and 4096 positions"`
	Measured   *float64 `json:"measured,omitempty" doc:"Exponent of N in the measured times, fitted from 256 positions on; absent with fewer than three measurements"`
	At         *Point   `json:"at,omitempty" doc:"Time and memory for N positions, interpolated between the measured lengths"`
	Fewer      *int     `json:"fewer,omitempty" doc:"Smallest number of positions, up to 16384, from which the mechanism needs fewer operations than dot product; 0: none"`
	Faster     *int     `json:"faster,omitempty" doc:"Smallest measured length from which the mechanism was faster than dot product; 0: none"`
}

// Count is a number and its formula. The formula holds for the default options and is absent for
// others.
type Count struct {
	Formula string `json:"formula,omitempty" doc:"Formula of the number; absent with options that are not the defaults"`
	Value   int64  `json:"value" doc:"Value of the formula for the requested sizes"`
}

// Config returns the configuration of a mixer of these sizes.
func (s Sizes) Config(options map[string]string) attention.Config {
	return attention.Config{Width: s.Width, Heads: s.Heads, Length: max(s.Positions, s.Length), Options: options}
}

// Of returns the cost of a mechanism. Check must accept the options. points are the measurements so
// far, with default options.
func Of(e *attention.Entry, s Sizes, options map[string]string, points []Point) MechanismCost {
	c, n := s.Config(options), s.Length
	r := MechanismCost{
		ID: e.ID, Claimed: text(e.Cost), Growth: e.Growth, Parameters: Count{Value: int64(e.Params(c))},
		Untrained:  e.Stored(c) - e.Params(c),
		Operations: Count{Value: e.FLOPs(c, n)}, Counted: growth(e, c),
	}
	if len(options) == 0 {
		r.Parameters.Formula, r.Operations.Formula = e.ParamsFormula, e.FLOPsFormula
		if kept, ok := e.Kept(c, n); ok {
			r.State = &Count{e.State, int64(kept)}
		}
	}
	if e.ID != attention.DotProduct.ID {
		r.Fewer = fewer(e, c)
	}
	if len(options) == 0 {
		r.measured(points, n)
	}
	return r
}

// text returns a formula as plain text.
func text(f string) string {
	read, err := formula.Parse(f)
	if err != nil {
		panic(err) // the catalogue's tests parse all formulas
	}
	return read.Text()
}

// measured adds the measured values.
func (r *MechanismCost) measured(points []Point, n int) {
	own := PointsOf(points, r.ID)
	if at, ok := Between(own, n); ok {
		r.At = &at
	}
	if g, ok := Growth(own); ok {
		r.Measured = &g
	}
	if r.ID != attention.DotProduct.ID {
		r.Faster = faster(own, PointsOf(points, attention.DotProduct.ID))
	}
}

// PointsOf returns the points of one mechanism.
func PointsOf(points []Point, id string) (own []Point) {
	for _, p := range points {
		if p.Mechanism == id {
			own = append(own, p)
		}
	}
	return own
}

// fitted is the shortest length for measuring growth. In shorter texts, constant costs weigh too
// much.
const fitted = 256

// Growth returns the exponent of the measured times. ok reports whether there are three points to
// fit.
func Growth(own []Point) (exponent float64, ok bool) {
	var lengths []int
	var times []float64
	for _, p := range own {
		if p.Length >= fitted {
			lengths, times = append(lengths, p.Length), append(times, p.Seconds)
		}
	}
	if len(lengths) < 3 {
		return 0, false
	}
	return Slope(lengths, times), true
}

// growth returns the exponent of the counted operations.
func growth(e *attention.Entry, c attention.Config) float64 {
	const n = 2048
	c.Length = max(c.Length, 2*n)
	return math.Log2(float64(e.FLOPs(c, 2*n)) / float64(e.FLOPs(c, n)))
}

// Between interpolates the point of n positions between its neighbours, where time and bytes are
// powers of the length. ok is false outside the measured lengths.
func Between(own []Point, n int) (p Point, ok bool) {
	i := slices.IndexFunc(own, func(p Point) bool { return p.Length >= n })
	if i < 0 || i == 0 && own[0].Length != n {
		return Point{}, false
	}
	if own[i].Length == n {
		return own[i], true
	}
	a, b := own[i-1], own[i]
	part := math.Log(float64(n)/float64(a.Length)) / math.Log(float64(b.Length)/float64(a.Length))
	between := func(x, y float64) float64 { return x * math.Pow(y/x, part) }
	return Point{
		Mechanism: a.Mechanism, Length: n, Seconds: between(a.Seconds, b.Seconds), Passes: min(a.Passes, b.Passes),
		Bytes:      int(between(float64(a.Bytes), float64(b.Bytes))),
		Parameters: int(between(float64(a.Parameters), float64(b.Parameters))),
	}, true
}

// longest is the largest number of positions at which operations are compared.
const longest = 1 << 14

// fewer returns the number of positions from which a mechanism takes fewer operations than dot
// product; 0: never.
func fewer(e *attention.Entry, c attention.Config) *int {
	positions, plain := c.Length, c
	plain.Options = nil
	less := func(n int) bool {
		c.Length = max(positions, n)
		return e.FLOPs(c, n) < attention.DotProduct.FLOPs(plain, n)
	}
	from := 0
	for n := longest; n > 0 && less(n); n /= 2 { // from the end, because a short text can be an exception
		from = n
	}
	if from > 1 {
		from = from/2 + 1 + sort.Search(from-from/2-1, func(i int) bool { return less(from/2 + 1 + i) })
	}
	return &from
}

// faster returns the measured length from which a mechanism was faster than another; 0: never. It
// returns nil if the two have no length in common.
func faster(own, than []Point) *int {
	from, common := 0, false
	for i := len(own) - 1; i >= 0; i-- {
		at := slices.IndexFunc(than, func(p Point) bool { return p.Length == own[i].Length })
		if at < 0 {
			continue
		}
		common = true
		if own[i].Seconds >= than[at].Seconds {
			break
		}
		from = own[i].Length
	}
	if !common {
		return nil
	}
	return &from
}

// Limits of sizes; larger values have no practical use.
const (
	MostLength = 1 << 16
	MostWidth  = 4096
	MostHeads  = 64
)

// CheckSizes rejects sizes that no mixer can have, or that exceed the limits.
func CheckSizes(s Sizes) error {
	switch {
	case s.Length < 1 || s.Positions > MostLength || s.Length > s.Positions:
		return messages.Errorf("cost.error.length", "length", s.Length, "positions", s.Positions, "most", MostLength)
	case s.Width < 1 || s.Width > MostWidth || s.Heads < 1 || s.Heads > MostHeads || s.Width%s.Heads != 0:
		return messages.Errorf("cost.error.width", "width", s.Width, "heads", s.Heads, "most", MostWidth)
	}
	return nil
}

// OptionsOf returns options as NAME=VALUE, sorted by name.
func OptionsOf(options map[string]string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		all = append(all, name+"="+options[name])
	}
	return all
}

// Check rejects options and sizes that the mechanism does not support. It builds a mixer from
// shapes alone, without memory for weights.
func Check(e *attention.Entry, s Sizes, options map[string]string) error {
	_, err := e.New(nn.NewScope(1).Shapes(), s.Config(options))
	return err
}

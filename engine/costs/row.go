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

// Sizes are those for which costs are told.
type Sizes struct {
	Length    int `json:"length" doc:"N, positions of the text"`
	Width     int `json:"width" doc:"d"`
	Heads     int `json:"heads" doc:"H"`
	Positions int `json:"positions" doc:"L, for which parameters are made that belong to positions"`
}

// MechanismCost is what one mechanism costs.
type MechanismCost struct {
	ID         string   `json:"id"`
	Claimed    string   `json:"claimed" doc:"Time as its paper says"`
	Growth     float64  `json:"growth" doc:"Exponent of N in what its paper says"`
	Parameters Count    `json:"parameters" doc:"Trained numbers"`
	Untrained  int      `json:"untrained,omitempty" doc:"Numbers that are stored besides"`
	Operations Count    `json:"operations" doc:"Multiplications and additions of a pass of one layer’s mixer, in its products of matrices"`
	State      *Count   `json:"state,omitempty" doc:"Numbers that a layer keeps of N words to write the next; absent where all words are needed anew"`
	Counted    float64  `json:"counted" doc:"Exponent of N in the operations, from 2048 to 4096 positions"`
	Measured   *float64 `json:"measured,omitempty" doc:"Exponent of N in the measured times, from 256 positions"`
	At         *Point   `json:"at,omitempty" doc:"Time and bytes at N: on the line between the lengths that were measured"`
	Fewer      *int     `json:"fewer,omitempty" doc:"From how many positions on it takes fewer operations than dot product, up to 16384; 0: never"`
	Faster     *int     `json:"faster,omitempty" doc:"From which measured length on it was faster than dot product; 0: at none"`
}

// Count is a number with the formula that gives it, which is that of the default options and absent for others.
type Count struct {
	Formula string `json:"formula,omitempty"`
	Value   int64  `json:"value"`
}

// Config is that of a mixer of these sizes.
func (s Sizes) Config(options map[string]string) attention.Config {
	return attention.Config{Width: s.Width, Heads: s.Heads, Length: max(s.Positions, s.Length), Options: options}
}

// Of tells what a mechanism costs. The options are those that Check allows; points are what was measured so far, of
// the default ones.
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

// text is a formula as plain text.
func text(f string) string {
	read, err := formula.Parse(f)
	if err != nil {
		panic(err) // the catalogue's tests read all formulas
	}
	return read.Text()
}

// measured adds what the points say.
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

// PointsOf are the points of one mechanism.
func PointsOf(points []Point, id string) (own []Point) {
	for _, p := range points {
		if p.Mechanism == id {
			own = append(own, p)
		}
	}
	return own
}

// fitted is the length from which a growth is measured: before, what is done once counts for much.
const fitted = 256

// Growth is the exponent of the measured times; ok says that there are three points to tell it from.
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

// growth is the exponent of the counted operations.
func growth(e *attention.Entry, c attention.Config) float64 {
	const n = 2048
	c.Length = max(c.Length, 2*n)
	return math.Log2(float64(e.FLOPs(c, 2*n)) / float64(e.FLOPs(c, n)))
}

// Between is the point of n positions on the line between its neighbours, where time and bytes are powers of the
// length; ok is false outside of what was measured.
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

// longest is up to how many positions operations are compared.
const longest = 1 << 14

// fewer is from how many positions on a mechanism takes fewer operations than dot product: 0 never.
func fewer(e *attention.Entry, c attention.Config) *int {
	positions, plain := c.Length, c
	plain.Options = nil
	less := func(n int) bool {
		c.Length = max(positions, n)
		return e.FLOPs(c, n) < attention.DotProduct.FLOPs(plain, n)
	}
	from := 0
	for n := longest; n > 0 && less(n); n /= 2 { // from the end, for a short text may be an exception
		from = n
	}
	if from > 1 {
		from = from/2 + 1 + sort.Search(from-from/2-1, func(i int) bool { return less(from/2 + 1 + i) })
	}
	return &from
}

// faster is from which measured length on a mechanism was faster than another: 0 at none; nil where the two have no
// length in common.
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

// Most of what sizes may be: beyond, counts say nothing that is used.
const (
	MostLength = 1 << 16
	MostWidth  = 4096
	MostHeads  = 64
)

// CheckSizes refuses sizes that no mixer has, or that are beyond reason.
func CheckSizes(s Sizes) error {
	switch {
	case s.Length < 1 || s.Positions > MostLength || s.Length > s.Positions:
		return messages.Errorf("cost.error.length", "length", s.Length, "positions", s.Positions, "most", MostLength)
	case s.Width < 1 || s.Width > MostWidth || s.Heads < 1 || s.Heads > MostHeads || s.Width%s.Heads != 0:
		return messages.Errorf("cost.error.width", "width", s.Width, "heads", s.Heads, "most", MostWidth)
	}
	return nil
}

// OptionsOf are options as people write them, NAME=VALUE, by their names.
func OptionsOf(options map[string]string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		all = append(all, name+"="+options[name])
	}
	return all
}

// Check refuses options and sizes that no mixer has. It makes one of shapes alone, which takes no memory for weights.
func Check(e *attention.Entry, s Sizes, options map[string]string) error {
	_, err := e.New(nn.NewScope(1).Shapes(), s.Config(options))
	return err
}

package figure

import "math"

// Norm is a normalisation: how a cell's value becomes a place on the colour scale. The formulas are
// in the package comment.
type Norm uint8

// The normalisations. The zero value is Absolute.
const (
	Absolute Norm = iota // 0…1, the value itself
	PerMap               // 0…the map's largest value
	PerRow               // 0…the row's largest value
	Log                  // log₁₀ from 1/(1000·columns) to 1
	Uniform              // value · keys allowed in the row, in log₂ around 1
	Shared               // 0…a maximum that the caller gives
)

var normNames = []string{"absolute", "map", "row", "log", "uniform", "shared"}

// Norms returns the normalisations in the order of a page's list.
func Norms() []Norm { return []Norm{Absolute, PerMap, PerRow, Log, Uniform, Shared} }

// String returns the name of the normalisation, as in URLs.
func (n Norm) String() string { return normNames[n] }

// MarshalText returns the name of the normalisation.
func (n Norm) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// Octaves is the number of doublings above and below 1 on the Uniform scale.
const Octaves = 4

// Steps is the number of hues for class numbers; the hues repeat after it.
const Steps = 8

// guard is added before a scaled value is truncated to an index. It puts values exactly on a
// boundary on the same side, whatever the last bit of a logarithm.
const guard = 1e-9

// Scale turns values into indices of a table. The map's numbers and the normalisation determine it.
// A program needs all its fields to repeat the computation.
type Scale struct {
	Norm     Norm      `json:"norm"`     // as computed: Log and Uniform become PerMap when Signed
	Signed   bool      `json:"signed"`   // symmetric around 0
	Category bool      `json:"category"` // whole numbers that name classes
	Max      float64   `json:"max"`      // largest |value|, or the shared maximum
	RowMax   []float64 `json:"rowMax"`   // largest |value| of each row
	RowKeys  []int     `json:"rowKeys"`  // keys allowed in each row
	Columns  int       `json:"columns"`
}

// Diverging reports whether the middle of the table is a neutral value.
func (s *Scale) Diverging() bool { return s.Signed || s.Norm == Uniform }

// PaletteTable is the name of the table that the reader chooses.
const PaletteTable = "palette"

// Table returns the name of the table that colours the cells: the chosen palette, "diverging" or
// "categorical".
func (s *Scale) Table() string {
	switch {
	case s.Category:
		return "categorical"
	case s.Diverging():
		return "diverging"
	}
	return PaletteTable
}

// Place returns the place of a finite value of a row on the scale: 0…1 if it is within the scale's
// ends. Other cells affect it only through the fields of s.
func (s *Scale) Place(v float64, row int) float64 {
	switch s.Norm {
	case Log:
		if v <= 0 {
			return 0
		}
		floor := 1000 * float64(s.Columns) // of 1/value
		return math.Log(v*floor) / math.Log(floor)
	case Uniform:
		if v <= 0 {
			return 0
		}
		return 0.5 + math.Log2(v*float64(s.RowKeys[row]))/(2*Octaves)
	}
	top := s.Top(row)
	if top == 0 {
		v, top = 0, 1
	}
	if s.Signed {
		return 0.5 + 0.5*(v/top)
	}
	return v / top
}

// Top returns the value at the upper end of the scale in a row.
func (s *Scale) Top(row int) float64 {
	switch s.Norm {
	case Absolute, Log:
		return 1
	case PerRow:
		return s.RowMax[row]
	case Uniform:
		return math.Exp2(Octaves) / float64(max(1, s.RowKeys[row]))
	}
	return s.Max
}

// Index returns the entry of the table for a finite value of a row.
func (s *Scale) Index(v float64, row int) uint8 {
	if s.Category {
		class := math.Mod(math.Trunc(v), Steps)
		if class < 0 {
			class += Steps
		}
		return uint8(class)*(256/Steps) + 256/Steps/2
	}
	return cut(s.Place(v, row))
}

// cut turns a place on the scale into an index. Entry i covers [i/256, (i+1)/256). Places outside
// the scale get the colour of its end.
func cut(place float64) uint8 {
	scaled := float64(place*256) + guard // the conversion forbids a fused multiply-add
	switch {
	case !(scaled >= 0):
		return 0
	case scaled >= 255:
		return 255
	}
	return uint8(scaled)
}

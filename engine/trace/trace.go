// Package trace holds the record of a forward pass: maps, which are arrays with named axes, in the
// order of the mechanism's equations. It is pure data and does not depend on how a map is computed
// or drawn.
package trace

import (
	"fmt"
	"slices"

	"attnatlas/engine/tensor"
)

// Role is the kind of thing that an axis of a map runs over, such as heads or queries.
type Role uint8

const (
	Batch       Role = iota // sequences of a batch; absent if there is only one
	Layer                   // layers of a stack
	Head                    // attention heads
	Query                   // positions that attend: always rows
	Key                     // positions attended to: always columns
	Token                   // positions, without regard to attending or being attended to
	Slot                    // compressed or pooled positions (Linformer, Poolingformer)
	Round                   // hash rounds (Reformer)
	Stage                   // switch layers (Shuffle-Exchange)
	Ponder                  // recurrent steps of adaptive computation (ACT)
	Channel                 // features
	HeadChannel             // features of all heads, head after head
)

var roleNames = [...]string{"batch", "layer", "head", "query", "key", "token", "slot", "round", "stage", "ponder",
	"channel", "head-channel"}

// String returns the name of the role.
func (r Role) String() string { return roleNames[r] }

// MarshalText returns the role's lower-case name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText sets the role from its name.
func (r *Role) UnmarshalText(name []byte) error {
	i := slices.Index(roleNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("trace: there is no role %q", name)
	}
	*r = Role(i)
	return nil
}

// Kind is the kind of numbers that a map holds, such as probabilities or counts.
type Kind uint8

const (
	Activation  Kind = iota // any real number: scores, projections
	Probability             // ≥ 0; sums to 1 over the last axis
	Weight                  // signed or unsigned weight without a sum rule
	Gate                    // 0…1, no sum rule
	Category                // whole numbers that name classes: buckets, partners
	Count                   // whole numbers that count
	Length                  // ≥ 0: Euclidean lengths of vectors
)

var kindNames = [...]string{"activation", "probability", "weight", "gate", "category", "count", "length"}

// String returns the name of the kind.
func (k Kind) String() string { return kindNames[k] }

// MarshalText returns the kind's lower-case name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText sets the kind from its name.
func (k *Kind) UnmarshalText(name []byte) error {
	i := slices.Index(kindNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("trace: there is no kind %q", name)
	}
	*k = Kind(i)
	return nil
}

// Axis is one dimension of a map.
type Axis struct {
	Role   Role
	Name   string   // name of the role on this map, such as "place"; empty: the role's own name
	Labels []string // one per position, or nil for 1, 2, 3, …; can have fewer entries than there are positions
	Text   bool     // the positions are the tokens of the text, and Labels holds these tokens
	First  int      // number of the first position, from 0, if the map is a part of a larger one
	Each   int      // positions that share a place on the axis; 0: 1
	Seam   int      // position, from 0, at which the second of two texts begins; 0: there is only one
}

// Number returns the number of a place, from 1, or of the first of the positions that share it.
func (a Axis) Number(i int) int { return a.First + i*max(a.Each, 1) + 1 }

// Map is an array that a forward pass records.
type Map struct {
	Name  string // name in the API, such as "weights" or "alpha"
	Tex   string // formula that computes it, in TeX
	Axes  []Axis // one per dimension of Value
	Kind  Kind
	Value *tensor.T
	// Calls are the function calls that recorded the map, the innermost first. Nil unless the pass
	// explains.
	Calls []uintptr
	// Classes names the classes 0, 1, 2, … of a Category. An empty name marks cells that are not
	// computed. Nil means that the numbers serve as names.
	Classes []string
	// Reach reports which cells the attention mask and the mechanism's own pattern permit; nil
	// means all. Other cells were not computed or are masked out: their zeros are not measurements.
	Reach func(q, k int) bool
	// HeadReach is the reach of head h if heads differ. Reach is then the union over the heads.
	HeadReach func(h, q, k int) bool
}

// Roles lists the roles of the map's axes.
func (m Map) Roles() []Role {
	roles := make([]Role, len(m.Axes))
	for i, a := range m.Axes {
		roles[i] = a.Role
	}
	return roles
}

// Labelled returns the axes of the map. Axes over the words of a text that have no labels yet take
// the labels of text, if it has as many positions.
func (m Map) Labelled(text Axis) []Axis {
	axes := slices.Clone(m.Axes) // mechanisms can share them
	for i := range axes {
		a := &axes[i]
		if a.Labels != nil || m.Value == nil || m.Value.Dim(i) != len(text.Labels) {
			continue
		}
		switch a.Role {
		case Query, Key, Token:
			a.Labels, a.Text, a.Seam = text.Labels, true, text.Seam
		}
	}
	return axes
}

// Has reports whether the map has an axis with this role, and returns its index.
func (m Map) Has(r Role) (axis int, ok bool) {
	for i, a := range m.Axes {
		if a.Role == r {
			return i, true
		}
	}
	return -1, false
}

// Reaches reports whether cell (q,k) of a map of pairs is within reach.
func (m Map) Reaches(q, k int) bool { return m.Reach == nil || m.Reach(q, k) }

// Only returns the map restricted to the tokens kept, in this order, out of the number of tokens of.
// It restricts the axes that run over all tokens; at holds the positions that each axis keeps. The
// map must have one or two axes. If the tokens are out of order, the axes have no seam of two texts.
func (m Map) Only(kept []int, of int) (only Map, at [][]int) {
	only = m
	only.Axes = slices.Clone(m.Axes)
	var shape []int
	for i := range only.Axes {
		a, all := &only.Axes[i], make([]int, m.Value.Dim(i))
		for j := range all {
			all[j] = j
		}
		if a.Text && len(all) == of && len(a.Labels) == of {
			labels := a.Labels
			all, a.Labels = kept, nil
			for _, j := range kept {
				a.Labels = append(a.Labels, labels[j])
			}
			if slices.IsSorted(kept) {
				a.Seam, _ = slices.BinarySearch(kept, a.Seam)
			} else {
				a.Seam = 0
			}
		}
		at, shape = append(at, all), append(shape, len(all))
	}
	only.Value = tensor.New(shape...)
	cols := at[len(at)-1]
	for i := range only.Value.Data {
		from := cols[i%len(cols)]
		if len(at) == 2 {
			from += at[0][i/len(cols)] * m.Value.Dim(1)
		}
		only.Value.Data[i] = m.Value.Data[from]
	}
	if m.Reach != nil && len(at) == 2 {
		only.Reach = func(q, k int) bool { return m.Reach(at[0][q], at[1][k]) }
	}
	return only, at
}

// Head returns the map of head h, counted from 0, without the head axis. A map without a head axis
// is returned unchanged.
func (m Map) Head(h int) (Map, error) {
	if axis, ok := m.Has(Head); !ok {
		return m, nil
	} else if axis != 0 {
		return Map{}, fmt.Errorf("trace: map %s has its head axis at %d, not first", m.Name, axis)
	}
	if h < 0 || h >= m.Value.Dim(0) {
		return Map{}, fmt.Errorf("trace: map %s has heads 0…%d, not %d", m.Name, m.Value.Dim(0)-1, h)
	}
	if apart := m.HeadReach; apart != nil {
		m.Reach, m.HeadReach = func(q, k int) bool { return apart(h, q, k) }, nil
	}
	m.Axes, m.Value = m.Axes[1:], m.Value.Sub(h)
	return m, nil
}

// Plane returns the map at position i of the first axis, without that axis.
func (m Map) Plane(i int) Map {
	m.Axes, m.Value = m.Axes[1:], m.Value.Sub(i)
	return m
}

// Features reports whether the map holds features of each head. Such features have different
// meanings in different heads.
func (m Map) Features() bool {
	_, apart := m.Has(Head)
	_, features := m.Has(Channel)
	return apart && features
}

// HeadMean returns the mean over the heads, without the head axis. Categories have no mean. For
// categories of pairs, HeadMean takes the largest, so that a cell is marked if any head attends to
// it. For other categories, such as buckets, and for features, it takes the map of the first head.
func (m Map) HeadMean() Map {
	axis, ok := m.Has(Head)
	if !ok || axis != 0 {
		return m
	}
	if _, pairs := m.Has(Query); m.Kind == Category && !pairs || m.Features() {
		return m.Plane(0)
	}
	heads := m.Value.Dim(0)
	mean := tensor.New(m.Value.Shape[1:]...)
	for i := range mean.Data {
		sum, top := 0.0, m.Value.Data[i] // summed in float64, so that the mean of equal values is that value
		for h := range heads {
			v := m.Value.Data[h*mean.Len()+i]
			sum, top = sum+float64(v), max(top, v)
		}
		mean.Data[i] = tensor.Elem(sum / float64(heads))
		if m.Kind == Category {
			mean.Data[i] = top
		}
	}
	m.Axes, m.Value, m.HeadReach = m.Axes[1:], mean, nil
	return m
}

// Without returns the map without the heads that are ablated. If all are, one head of zeros
// remains. A map without a head axis is returned unchanged.
func (m Map) Without(cut []bool) Map {
	axis, ok := m.Has(Head)
	if !ok || axis != 0 || !slices.Contains(cut, true) {
		return m
	}
	var kept []int
	var values []tensor.Elem
	for h, gone := range cut {
		if !gone {
			kept, values = append(kept, h), append(values, m.Value.Sub(h).Data...)
		}
	}
	if len(kept) == 0 { // every head is ablated
		kept, values = []int{0}, make([]tensor.Elem, m.Value.Sub(0).Len())
	}
	if apart := m.HeadReach; apart != nil {
		m.HeadReach = func(h, q, k int) bool { return apart(kept[h], q, k) }
	}
	m.Value = tensor.From(values, append([]int{len(kept)}, m.Value.Shape[1:]...)...)
	return m
}

// Run holds the maps that one forward pass recorded, in the order of the equations.
type Run struct {
	Name  string   // name of a part, such as "layer 1"
	Only  []string // names of the maps to record; empty: all
	Steps []Map
	Parts []*Run // in the order in which they ran
	Since int    // for a part: the number of steps that the whole had recorded when the part began
	// Lent means that maps are in the memory of the pass, and valid until it is reset. The layers of the model must not
	// overwrite a map that they have recorded.
	Lent bool
	// Hand, unless nil, receives every map in place of Steps. Its value can be in the memory of the pass.
	Hand func(m Map)
}

// Wants reports whether the run records maps with this name.
func (r *Run) Wants(name string) bool { return len(r.Only) == 0 || slices.Contains(r.Only, name) }

// In adds a part to the run and returns it.
func (r *Run) In(name string) *Run {
	part := &Run{Name: name, Only: r.Only, Since: len(r.Steps), Lent: r.Lent, Hand: r.Hand}
	r.Parts = append(r.Parts, part)
	return part
}

// Nth returns map number n, counted from 0, among the maps with this name. It does not search
// parts.
func (r *Run) Nth(name string, n int) (Map, bool) {
	for _, m := range r.Steps {
		if m.Name != name {
			continue
		}
		if n == 0 {
			return m, true
		}
		n--
	}
	return Map{}, false
}

// Find returns the last map with this name. It does not search parts.
func (r *Run) Find(name string) (Map, bool) {
	for i := len(r.Steps) - 1; i >= 0; i-- {
		if r.Steps[i].Name == name {
			return r.Steps[i], true
		}
	}
	return Map{}, false
}

// Package trace says what a forward pass shows: maps, which are arrays whose
// axes have names, in the order of the mechanism's equations. It is pure data;
// how a map was computed or will be drawn is not its business.
package trace

import (
	"fmt"
	"slices"

	"attnatlas/engine/tensor"
)

// Role names what an axis of a map runs over.
type Role uint8

const (
	Batch       Role = iota // sequences of a batch; absent when there is one
	Layer                   // layers of a stack
	Head                    // attention heads
	Query                   // positions that read: always rows
	Key                     // positions that are read: always columns
	Token                   // positions, where neither reading nor being read is meant
	Slot                    // compressed or pooled positions (Linformer, Poolingformer)
	Round                   // hash rounds (Reformer)
	Stage                   // switch layers (Shuffle-Exchange)
	Ponder                  // steps of adaptive computation (ACT)
	Channel                 // features
	HeadChannel             // features of all heads, those of one beside those of the next
)

var roleNames = [...]string{"batch", "layer", "head", "query", "key", "token", "slot", "round", "stage", "ponder",
	"channel", "head-channel"}

// String returns the name of the role.
func (r Role) String() string { return roleNames[r] }

// MarshalText gives the role's lower-case name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the name.
func (r *Role) UnmarshalText(name []byte) error {
	i := slices.Index(roleNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("trace: there is no role %q", name)
	}
	*r = Role(i)
	return nil
}

// Kind says what the numbers of a map are.
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

// MarshalText gives the kind's lower-case name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name.
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
	Name   string   // what the role is called here: "place"; empty: as the role
	Labels []string // one per position, or nil for 1, 2, 3, …; there may be fewer than positions
	Text   bool     // the positions are the tokens of the text, and Labels theirs
	Seam   int      // the position, from 0, at which the second of two texts begins; 0: there is one
}

// Map is an array that a pass shows.
type Map struct {
	Name  string // the name it has in the API: "weights", "alpha"
	Tex   string // the formula that made it, in TeX
	Axes  []Axis // one per dimension of Value
	Kind  Kind
	Value *tensor.T
	// Calls are those that showed it, the innermost first, of a pass that explains; else nil.
	Calls []uintptr
	// Classes names the classes 0, 1, 2, … of a Category; an empty name stands for
	// nothing: the cell is out of reach. Nil: the numbers are names enough.
	Classes []string
	// Reach says which cells the mask and the mechanism's own pattern permit;
	// nil means all. Cells out of reach were not computed or were forbidden:
	// they are not zeros that somebody measured.
	Reach func(q, k int) bool
	// HeadReach is the reach of head h where heads differ; Reach is then what
	// any head reaches.
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

// Labelled are the axes of the map, where those that run over the words of a text, and have no labels yet, take them
// over from an axis of as many positions.
func (m Map) Labelled(text Axis) []Axis {
	axes := slices.Clone(m.Axes) // mechanisms may share them
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

// Has says whether the map has an axis of this role, and which.
func (m Map) Has(r Role) (axis int, ok bool) {
	for i, a := range m.Axes {
		if a.Role == r {
			return i, true
		}
	}
	return -1, false
}

// Reaches says whether a cell of a map of pairs is in reach.
func (m Map) Reaches(q, k int) bool { return m.Reach == nil || m.Reach(q, k) }

// Only is the map of these tokens alone, in this order, on the axes that are of all tokens, of which there are so many;
// at are the positions that its axes keep. The map has one or two axes. Tokens out of order have no seam of two texts.
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

// Head is the map of one head h (from 0), without the head axis. A map without
// a head axis is returned as it is.
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

// Plane is the map at position i of the first axis, without that axis.
func (m Map) Plane(i int) Map {
	m.Axes, m.Value = m.Axes[1:], m.Value.Sub(i)
	return m
}

// Features says that the map is of features of each head, which are not the same ones in
// any two heads.
func (m Map) Features() bool {
	_, apart := m.Has(Head)
	_, features := m.Has(Channel)
	return apart && features
}

// HeadMean is the mean over heads, without the head axis. Categories have no mean:
// of those of pairs it has the largest, which is what any head reads, and of others, such
// as buckets, what the first head says. Nor have features, of which it has the first head's.
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
		sum, top := 0.0, m.Value.Data[i] // summed in float64: the mean of equal values is that value
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

// Without is the map without the heads that are cut; where all are, one of nothing but zeros. A map without a head axis
// is returned as it is.
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
	if len(kept) == 0 { // nothing is left of it
		kept, values = []int{0}, make([]tensor.Elem, m.Value.Sub(0).Len())
	}
	if apart := m.HeadReach; apart != nil {
		m.HeadReach = func(h, q, k int) bool { return apart(kept[h], q, k) }
	}
	m.Value = tensor.From(values, append([]int{len(kept)}, m.Value.Shape[1:]...)...)
	return m
}

// Run is what one pass showed, in the order of the equations.
type Run struct {
	Name  string   // of a part: "layer 1"
	Only  []string // names of the maps that are wanted; empty: all
	Steps []Map
	Parts []*Run // in the order in which they ran
	Since int    // of a part: how many steps the whole had shown when it began
}

// Wants says whether a map of this name is wanted.
func (r *Run) Wants(name string) bool { return len(r.Only) == 0 || slices.Contains(r.Only, name) }

// In adds a part to the run.
func (r *Run) In(name string) *Run {
	part := &Run{Name: name, Only: r.Only, Since: len(r.Steps)}
	r.Parts = append(r.Parts, part)
	return part
}

// Nth returns map number n, from 0, of those of a name; parts are not searched.
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

// Find returns the last map of this name; parts are not searched.
func (r *Run) Find(name string) (Map, bool) {
	for i := len(r.Steps) - 1; i >= 0; i-- {
		if r.Steps[i].Name == name {
			return r.Steps[i], true
		}
	}
	return Map{}, false
}

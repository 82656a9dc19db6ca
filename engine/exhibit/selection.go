package exhibit

import (
	"math"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/method"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Selection holds the maps of a report that one request shows. It is not safe for concurrent use.
type Selection struct {
	Report *engine.Report
	Choice Choice

	maps        map[mapKey]*Exhibit
	exhibits    map[exhibitKey]*Exhibit
	largest     map[unit]float64  // of the maps on screen
	orders      map[string][]int  // indices of the tokens that a mechanism shows, by its id
	distinctive map[*tensor.T]int // heads of layers, by their first maps
	beside      []*Selection
}

type mapKey struct{ id, name string }

type exhibitKey struct {
	mapKey
	plane int
}

// Select returns a new selection.
func Select(r *engine.Report, c Choice) *Selection {
	return &Selection{Report: r, Choice: c, maps: map[mapKey]*Exhibit{}, exhibits: map[exhibitKey]*Exhibit{},
		distinctive: map[*tensor.T]int{}, orders: map[string][]int{}}
}

// Result returns the result of a mechanism, or nil.
func (s *Selection) Result(id string) *engine.Result {
	for i := range s.Report.Mechanisms {
		if s.Report.Mechanisms[i].ID == id {
			return &s.Report.Mechanisms[i]
		}
	}
	return nil
}

// Exhibit returns a map of a mechanism; the empty name stands for the main map. In a stack of planes, plane is the
// number of the plane, from 1; 0 stands for the first.
func (s *Selection) Exhibit(id, name string, plane int) (*Exhibit, error) {
	f, err := s.find(id, name)
	if err != nil {
		return nil, err
	}
	key := exhibitKey{mapKey{id, f.Name}, max(plane, 1)}
	if x, ok := s.exhibits[key]; ok && (plane == 0 || f.Layout.Planes > 0) {
		return x, nil
	}
	x, err := s.show(f, plane)
	if err != nil {
		return nil, err
	}
	s.exhibits[key] = x
	return x, nil
}

// Card holds the maps of a mechanism: its main map and the strips under it, which are drawn at once, and its other
// maps, which are drawn on demand.
type Card struct {
	Main   *Exhibit
	Strips []*Exhibit
	More   []*Exhibit
}

// Shown returns the maps that are drawn at once.
func (c *Card) Shown() []*Exhibit { return append([]*Exhibit{c.Main}, c.Strips...) }

// Card selects the maps of a mechanism's card.
func (s *Selection) Card(res *engine.Result) (*Card, error) {
	if res.Err != nil {
		return nil, res.Err
	}
	if res.Entry == nil || len(res.Entry.Views) == 0 {
		return nil, fault.Errorf(fault.Internal, "error.no-views", "id", res.ID)
	}
	c := &Card{}
	for i, v := range s.Choice.Show.views(res.Entry) {
		x, err := s.Exhibit(res.ID, v.Map, 0)
		switch {
		case err != nil && i > 0 && s.Choice.Show != Maps:
			continue // not every model has all maps of a method
		case err != nil:
			return nil, err
		case i == 0:
			c.Main = x
		case x.strip():
			c.Strips = append(c.Strips, x)
		default:
			c.More = append(c.More, x)
		}
	}
	if res.Stack == nil || s.Choice.Show != Maps {
		return c, nil
	}
	for _, v := range res.Stack.Views {
		if _, ok := (&trace.Run{Steps: res.Maps}).Find(v.Map); !ok {
			continue // a model can lack a map, for example if its classifiers use a single position
		}
		x, err := s.Exhibit(res.ID, v.Map, 0)
		if err != nil {
			return nil, err
		}
		c.More = append(c.More, x)
	}
	return c, nil
}

// strip reports whether a map has one share for each token. Such strips stand under the main map. The scores
// behind the shares are among the other maps.
func (x *Exhibit) strip() bool { return isStrip(x.Map) }

// AtOnce names the maps of a mechanism that are drawn at once: the main map and its strips. For a recording of an
// encoder–decoder, these are its parts.
func AtOnce(res *engine.Result) (names []string) {
	if recordedParts(res) {
		for _, part := range res.Parts {
			names = append(names, part.Name)
		}
		return names
	}
	if res.Entry == nil || len(res.Layers) == 0 {
		return nil
	}
	for i, v := range res.Entry.Views {
		if m, ok := res.Layers[0].Find(v.Map); ok && (i == 0 || isStrip(m.HeadMean())) {
			names = append(names, v.Map)
		}
	}
	return names
}

func isStrip(t trace.Map) bool {
	return len(t.Axes) == 1 && t.Axes[0].Role == trace.Token && t.Kind != trace.Activation
}

// unit is the unit of a map's values. Maps of one unit can share a colour range.
type unit struct {
	kind    trace.Kind
	derived string // the name of a map that is derived from other maps
}

func unitOf(t trace.Map) unit {
	u := unit{kind: t.Kind}
	if m, _ := method.Of(t.Name); m != nil && t.Kind != trace.Gate {
		u.derived = m.Name
	}
	return u
}

// sharedMax returns the largest |value| of a map and of all maps on screen with its unit: the end of their shared
// colour range. On screen are the cards, or the parts of an encoder–decoder.
func (s *Selection) sharedMax(f *Exhibit) float64 {
	if f.Part == "" {
		if s.largest == nil {
			s.largest = map[unit]float64{}
			s.measure()
		}
		return atLeast(max(s.largest[unitOf(f.Map)], s.largestShown(f.Map, f.tokens())))
	}
	top := 0.0
	for _, part := range f.Result.Parts {
		if other, err := s.find(f.Result.ID, part.Name); err == nil && unitOf(other.Map) == unitOf(f.Map) {
			top = max(top, s.largestShown(other.Map, other.tokens()))
		}
	}
	return atLeast(top)
}

// ShareScaleWith adds selections that are on screen, too. They take part in the shared colour range.
func (s *Selection) ShareScaleWith(others ...*Selection) { s.beside = append(s.beside, others...) }

// measure finds the largest value of every unit on screen.
func (s *Selection) measure() {
	for _, sel := range append([]*Selection{s}, s.beside...) {
		for i := range sel.Report.Mechanisms {
			s.measureCard(sel, &sel.Report.Mechanisms[i])
		}
	}
}

// measureCard measures the maps of a card of a selection.
func (s *Selection) measureCard(sel *Selection, res *engine.Result) {
	if res.Err != nil || res.Entry == nil {
		return
	}
	for i, v := range sel.Choice.Show.views(res.Entry) {
		f, err := sel.find(res.ID, v.Map)
		if err == nil && (i == 0 || isStrip(f.Map)) {
			u := unitOf(f.Map)
			s.largest[u] = max(s.largest[u], sel.largestShown(f.Map, f.tokens()))
		}
	}
}

// largestShown returns the largest finite |value| of the cells that are within reach and not excluded.
func (s *Selection) largestShown(t trace.Map, tokens []tokenizer.Token) float64 {
	if len(t.Axes) > 2 && s.Choice.Filter != (Filter{}) {
		top := 0.0
		for i := range t.Value.Dim(0) {
			top = max(top, s.largestShown(t.Plane(i), tokens))
		}
		return top
	}
	return largest(t, s.Choice.Filter.apply(t, tokens))
}

func largest(t trace.Map, set *filteredCells) float64 {
	top := 0.0
	pairs := t.Value.Rank() == 2
	for i, v := range t.Value.Data {
		a := math.Abs(float64(v))
		if math.IsNaN(a) || math.IsInf(a, 0) || pairs && !t.Reaches(i/t.Value.Dim(1), i%t.Value.Dim(1)) || set != nil &&
			set.cells[i] {
			continue
		}
		top = max(top, a)
	}
	return top
}

// norm returns the normalisation of a map and, if it is shared, the end of its colour range.
func (s *Selection) norm(f *Exhibit) (figure.Norm, float64) {
	switch n := usable(s.Choice.Norm, f.Map); {
	case f.Name == HeadSheet:
		return figure.PerMap, 0 // it is already scaled
	case n == figure.Shared:
		return n, s.sharedMax(f)
	case n == figure.PerMap && f.Layout.Planes > 0:
		return figure.Shared, atLeast(s.largestShown(f.Map, f.tokens())) // the planes can be compared
	default:
		return n, 0
	}
}

// UnsharedNorm returns the normalisation of a map that shares its colour range with no other map.
func UnsharedNorm(chosen figure.Norm, t trace.Map) figure.Norm {
	if n := usable(chosen, t); n != figure.Shared {
		return n
	}
	return figure.PerMap
}

// usable returns the chosen normalisation, or its replacement if that one is not defined for a map.
func usable(chosen figure.Norm, t trace.Map) figure.Norm {
	switch role := t.Axes[0].Role; {
	case !meaningful(chosen, t):
		return figure.PerMap
	case (role == trace.Ponder || role == trace.Layer) && chosen != figure.Absolute:
		return figure.PerMap // rows are steps or layers, which are compared with each other
	case chosen == figure.PerRow && len(t.Axes) == 1 && (t.Kind == trace.Gate || t.Kind == trace.Count):
		return figure.PerMap // it has one row: the colours are the same, but the legend gives true numbers
	}
	return chosen
}

// atLeast returns a maximum that can end a colour range. If all values are 0, any positive number will do.
func atLeast(top float64) float64 {
	if top == 0 {
		return 1
	}
	return top
}

// meaningful reports whether a normalisation is defined for the values of a map.
func meaningful(n figure.Norm, t trace.Map) bool {
	if n != figure.Absolute && n != figure.Log && n != figure.Uniform {
		return true
	}
	if method.IsLengths(t) {
		return false
	}
	switch t.Kind {
	case trace.Count:
		return false
	case trace.Gate:
		return n != figure.Uniform
	case trace.Activation:
		return n == figure.Absolute
	}
	return true
}

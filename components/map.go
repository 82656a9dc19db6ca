package components

import (
	"fmt"
	"math"
	"strconv"
)

// Map is one map with its surroundings, on a card, below one, or by itself. Its form is that of
// figure.LayoutOf, by name.
type Map struct {
	Mechanism string // id
	Name      string // in URLs: "weights"
	Symbol    string // "P"
	Caption   string // what one cell is
	Arcs      Arcs   // instead of the map
	Unit      string // unit: values with the same unit can be compared
	Of        string // unit after a value: "of its row"; can be empty
	Saying    string // id of the message for a value with its unit; empty: the value alone
	Form      string // "heatmap", "rectangle", "strip", "strips", "pattern", "buckets", "order", "wiring"
	Rows      Axis   // of one plane; for a wiring the slots, with stages as columns
	Cols      Axis
	Stack     string  // what the planes are: "round"; empty: no planes
	Planes    []Plane // planes, one of which is drawn large; empty: one map
	Image     Image   // of the map, or of the first plane; none for wirings
	Legend    Legend
	Wiring    [][]int // by stage and slot: the slot from which it takes its value; nil for other forms
	Note      string  // a sentence on the map, such as its head; can be empty
	Tall      bool    // every row has room for its label
	Marked    int     // a row, from 1, that is marked; 0: none
	Seam      Seam
	Export    Link // the figure, of the first plane if there are planes
}

// Axis is the axis of a view's rows or columns.
type Axis struct {
	Role   string   // trace.Role as text
	Title  string   // "attends", "slot"
	Count  int      // positions
	Labels []string // names of the positions; nil: numbers from 1
	Words  bool     // the positions are those of the text
}

// Plane is one map of a stack.
type Plane struct {
	Label  string // "round 1"
	Image  Image
	Export Link
}

// roomy is the width in CSS pixels of a map with much room.
const roomy = 320

// viewID returns the id of a map. No two maps of a page have the same mechanism and name.
func (v Map) viewID() string { return "view-" + v.Mechanism + "-" + Slug(v.Name) }

// Slug converts a name to an id.
func Slug(name string) string {
	b := []byte(name)
	for i, c := range b {
		if c == ' ' {
			b[i] = '-'
		}
	}
	return string(b)
}

// Box returns the view box, which gives a map its proportions. It is 100 wide.
func (v Map) Box() string {
	var high float64
	switch v.Form {
	case "heatmap", "pattern", "rectangle":
		rows := float64(v.Rows.Count)
		high = max(100*rows/float64(max(v.Cols.Count, 1)), 25)
		if room := 100 * rows * labelPitch / 2 / nominal; v.Rows.Words && room <= 130 {
			high = max(high, room) // room for every second label
		}
		if v.Tall && v.Rows.Words {
			high = max(high, 100*rows*labelPitch/roomy)
		}
		high = min(high, 130)
	case "wiring":
		w, h := wiringSize(v.Wiring)
		return fmt.Sprintf("0 0 %d %d", w, h)
	case "order":
		high = min(18*float64(v.Rows.Count), 130)
	default:
		high = min(8*float64(v.Rows.Count), 110)
	}
	return "0 0 100 " + strconv.FormatFloat(math.Round(high), 'f', -1, 64)
}

// Classes returns the CSS classes of a map.
func (v Map) Classes() string {
	class := "view view-" + v.Form
	if v.Cols.Words || v.Cols.Labels != nil && !v.Cols.level() {
		class += " named-cols"
	}
	return class
}

// level reports whether the columns are wide enough for horizontal names.
func (a Axis) level() bool { return !a.Words && a.Labels != nil && a.Count*levelFrom <= nominal }

// upright reports whether the title of the rows is horizontal above their labels instead of next to
// them.
func (a Axis) upright() bool { return a.Words || a.Role == "query" && a.Labels != nil }

// colTicks returns the labels above the columns. Stages have none, because the title counts them.
func (v Map) colTicks() []tick {
	switch {
	case v.Wiring != nil:
		return nil
	case v.Cols.level():
		return levelTicks(v.Cols.Labels)
	}
	return v.Cols.ticks()
}

// ticks returns the labels of an axis.
func (a Axis) ticks() []tick {
	switch {
	case a.Labels != nil:
		return labelTicks(a.Labels)
	case a.Count <= 1:
		return nil
	}
	return numberTicks(a.Count)
}

// Dimensions of a wiring, in units of its view box.
const (
	stagePitch = 48
	switchAt   = 8  // distance of a stage's switches from its left edge
	wireFrom   = 12 // where its wires begin
	lastStage  = 20 // width of the last stage, which has no wires
)

// mostTraced is the most slots with wires as single elements, which scripts can highlight.
const mostTraced = 128

// wiringSize returns the size of a wiring's view box.
func wiringSize(from [][]int) (width, height int) {
	if len(from) == 0 {
		return 100, 100
	}
	width = stagePitch*(len(from)-1) + lastStage
	return width, placePitch(from) * len(from[0])
}

// placePitch returns the distance of slots that suits their labels on a card, within limits.
func placePitch(from [][]int) int {
	places, width := len(from[0]), stagePitch*(len(from)-1)+lastStage
	high := min(max(float64(places)*labelPitch/nominal, 0.5), 1.5) * float64(width)
	return max(int(high)/places, 2)
}

// wireStage is one stage of a drawn wiring.
type wireStage struct {
	wires    []string // one path per slot, or one for all
	switches []string // one path per pair
}

// wireStages draws switches between paired slots, and a curve from the source of each slot. The
// last stage has no curves.
func wireStages(from [][]int) []wireStage {
	stages := make([]wireStage, len(from))
	if len(from) == 0 {
		return nil
	}
	pitch := placePitch(from)
	y := func(place int) int { return place*pitch + pitch/2 }
	for s, takes := range from {
		x := s * stagePitch
		end := x + stagePitch
		if s == len(from)-1 {
			end = x + lastStage
		}
		for to, at := range takes {
			lead := fmt.Sprintf("M%d %dH%d", x, y(at), x+wireFrom)
			if at == to {
				stages[s].wires = append(stages[s].wires, fmt.Sprintf("M%d %dH%d", x, y(at), end))
				continue
			}
			mid := (x + wireFrom + end) / 2
			stages[s].wires = append(stages[s].wires, fmt.Sprintf("%sC%d %d %d %d %d %d", lead, mid, y(at), mid, y(to),
				end, y(to)))
		}
		for t := 0; t+1 < len(takes); t += 2 {
			stages[s].switches = append(stages[s].switches, fmt.Sprintf("M%d %dV%d", x+switchAt, y(t), y(t+1)))
		}
		if len(takes) > mostTraced {
			stages[s].wires, stages[s].switches = joined(stages[s].wires), joined(stages[s].switches)
		}
	}
	return stages
}

// joined returns many paths as one.
func joined(paths []string) []string {
	all := ""
	for _, p := range paths {
		all += p
	}
	return []string{all}
}

// id returns the id of a control's element.
func (s Select) id() string { return "c-" + s.Name }

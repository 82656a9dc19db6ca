package components

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
)

// narrowest is the width in CSS pixels of the narrowest colour bar. tickGap is the minimum distance
// of two labels under it.
const (
	narrowest = 212
	tickGap   = 3
)

// places returns the labels of all ticks, for screen readers.
func (l Legend) places(ctx context.Context) string {
	labels := make(messages.List, len(l.Ticks))
	for i, t := range l.Ticks {
		labels[i] = t.Label
	}
	return T(ctx, "list.all", "items", labels)
}

// labelled returns the ticks whose labels fit under the narrowest bar: the ends, the middle, and
// others that do not overlap earlier ones.
func (l Legend) labelled() []Tick {
	n := len(l.Ticks)
	if n == 0 {
		return nil
	}
	order := []int{0, n - 1}
	if n%2 == 1 {
		order = append(order, n/2)
	}
	for i := range n {
		order = append(order, i)
	}
	var kept []int
	for _, i := range order {
		touches := func(j int) bool { return l.Ticks[i].touches(l.Ticks[j]) }
		if !slices.ContainsFunc(kept, touches) {
			kept = append(kept, i)
		}
	}
	slices.Sort(kept)
	var ticks []Tick
	for _, i := range kept {
		ticks = append(ticks, l.Ticks[i])
	}
	return ticks
}

// touches reports whether two labels overlap under the narrowest bar.
func (t Tick) touches(other Tick) bool {
	from, to := t.span()
	begin, end := other.span()
	return from < end+tickGap && begin < to+tickGap
}

// span returns the extent of a tick's label under the narrowest bar.
func (t Tick) span() (from, to float64) {
	at, width := t.Place*narrowest, t.width()
	switch t.anchor() {
	case "start":
		return at, at + width
	case "end":
		return at - width, at
	}
	return at - width/2, at + width/2
}

// anchor returns the text anchor that keeps a tick's label within the bar.
func (t Tick) anchor() string {
	half := t.width() / 2 / narrowest
	switch {
	case t.Place < half:
		return "start"
	case t.Place > 1-half:
		return "end"
	}
	return "middle"
}

// width estimates the width of a label in CSS pixels.
func (t Tick) width() float64 {
	width := 0.0
	for _, r := range t.Label {
		if strings.ContainsRune(" ./·⁻⁰¹²³⁴⁵⁶⁷⁸⁹", r) {
			width += 4.8
		} else {
			width += 7.5
		}
	}
	return width
}

// tickWidth is the width of a tick mark, in percent of the bar.
const tickWidth = 0.4

// dashes draws all tick marks as dashes of one line below the bar, in percent. Marks at the ends
// lie within the bar.
func (l Legend) dashes() string {
	var b strings.Builder
	end := 0.0 // end of the previous mark
	for _, t := range l.Ticks {
		from := max(end, min(100-tickWidth, 100*t.Place-tickWidth/2))
		if b.Len() == 0 {
			fmt.Fprintf(&b, "0")
		}
		fmt.Fprintf(&b, " %.2f %.2f", from-end, tickWidth)
		end = from + tickWidth
	}
	return b.String() + " 100"
}

// at returns the place along the bar.
func (t Tick) at() string { return strconv.FormatFloat(100*t.Place, 'g', 4, 64) + "%" }

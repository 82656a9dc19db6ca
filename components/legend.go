package components

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
)

// narrowest is the width in CSS pixels of the narrowest colour bar, and tickGap the least
// distance of two labels under it.
const (
	narrowest = 212
	tickGap   = 3
)

// places are the labels of all ticks, for those who do not see where they stand.
func (l Legend) places(ctx context.Context) string {
	labels := make(messages.List, len(l.Ticks))
	for i, t := range l.Ticks {
		labels[i] = t.Label
	}
	return T(ctx, "list.all", "items", labels)
}

// labelled are the ticks whose labels have room under the narrowest bar: the ends, the
// middle, and of the others those that touch none of the ones before.
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

// touches says that two labels have no room beside each other under the narrowest bar.
func (t Tick) touches(other Tick) bool {
	from, to := t.span()
	begin, end := other.span()
	return from < end+tickGap && begin < to+tickGap
}

// span is where a tick's label stands under the narrowest bar.
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

// anchor is how a tick's label stands at its place: within the bar's ends.
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

// width is about how wide a label is, in CSS pixels.
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

// tickWidth is how wide a mark is, in hundredths of the bar.
const tickWidth = 0.4

// dashes draws the marks of all ticks as the dashes of one line below the bar, in hundredths of it: those at its ends
// lie within.
func (l Legend) dashes() string {
	var b strings.Builder
	end := 0.0 // of the mark before
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

// at is the place along the bar.
func (t Tick) at() string { return strconv.FormatFloat(100*t.Place, 'g', 4, 64) + "%" }

package components

import "strconv"

// nominal is the size in CSS pixels that a map probably has; the script lays
// the labels out again when it knows the true size.
const nominal = 250

// Smallest cells, in CSS pixels, that carry a label of their own, and that
// carry labels at all; below it there is a ruler of positions.
const (
	labelPitch = 11
	rulerBelow = 4
)

// levelFrom is the narrowest column over which a name is written level, and
// letterWidth the room for one of its letters.
const (
	levelFrom   = 60
	letterWidth = 7
)

// labelRunes is the room for one label.
const labelRunes = 9

// tick is one label of an axis: at the centre of cell index of count.
type tick struct {
	index, count int
	text, title  string
	ruler        bool
	level        bool // over a column: not upright
}

// at is the place along the axis in percent.
func (t tick) at() string {
	return strconv.FormatFloat(100*(float64(t.index)+0.5)/float64(t.count), 'f', 3, 64) + "%"
}

// ticks chooses the labels of an axis of tokens.
func ticks(tokens []TokenChip) []tick {
	labels := make([]string, len(tokens))
	for i, t := range tokens {
		labels[i] = t.Label
	}
	return labelTicks(labels)
}

// labelTicks chooses from labels: all, each k-th, or a ruler instead.
func labelTicks(labels []string) []tick {
	n := len(labels)
	if n == 0 {
		return nil
	}
	cell := nominal / float64(n)
	if cell < rulerBelow {
		return ruler(n)
	}
	step := 1
	for cell*float64(step) < labelPitch {
		step++
	}
	var all []tick
	for i := 0; i < n; i += step {
		all = append(all, tick{index: i, count: n, text: Shorten(labels[i], labelRunes), title: labels[i]})
	}
	return all
}

// levelTicks write labels over columns that are wide enough for them.
func levelTicks(labels []string) []tick {
	all := make([]tick, len(labels))
	for i, l := range labels {
		all[i] = tick{index: i, count: len(labels), text: Shorten(l, nominal/letterWidth/len(labels)), title: l, level: true}
	}
	return all
}

// numberTicks number the positions of an axis without names, from 1.
func numberTicks(n int) []tick {
	all := marks(n, 1)
	for i := range all {
		all[i].level = true
	}
	return all
}

// ruler marks positions in steps of a round number.
func ruler(n int) []tick { return marks(n, 8) }

// marks numbers positions, counted from 1, in steps of step or a multiple of it: 1, 8, 16.
func marks(n, step int) []tick {
	for nominal/float64(n)*float64(step) < 2*labelPitch {
		step *= 2
	}
	all := []tick{{index: 0, count: n, text: "1", ruler: true}}
	for i := step; i <= n; i += step {
		if i > 1 {
			all = append(all, tick{index: i - 1, count: n, text: strconv.Itoa(i), ruler: true})
		}
	}
	return all
}

package components

import "strconv"

// nominal is the probable size of a map in CSS pixels. The script lays out the labels again when it
// knows the actual size.
const nominal = 250

// Smallest cells, in CSS pixels, with their own labels, and with any labels. Below the second size
// there is a ruler of positions.
const (
	labelPitch = 11
	rulerBelow = 4
)

// levelFrom is the narrowest column with a horizontal label, in CSS pixels. letterWidth is the
// width of a letter.
const (
	levelFrom   = 60
	letterWidth = 7
)

// labelRunes is the most characters of a label.
const labelRunes = 9

// tick is one label of an axis: at the centre of cell index of count.
type tick struct {
	index, count int
	text, title  string
	ruler        bool
	level        bool // horizontal above a column, not rotated
}

// at returns the place along the axis in percent.
func (t tick) at() string {
	return strconv.FormatFloat(100*(float64(t.index)+0.5)/float64(t.count), 'f', 3, 64) + "%"
}

// ticks returns the labels of an axis of tokens.
func ticks(tokens []TokenChip) []tick {
	labels := make([]string, len(tokens))
	for i, t := range tokens {
		labels[i] = t.Label
	}
	return labelTicks(labels)
}

// labelTicks selects labels: all, each k-th, or a ruler instead.
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

// levelTicks returns labels for columns that are wide enough for them.
func levelTicks(labels []string) []tick {
	all := make([]tick, len(labels))
	for i, l := range labels {
		all[i] = tick{index: i, count: len(labels), text: Shorten(l, nominal/letterWidth/len(labels)), title: l, level: true}
	}
	return all
}

// numberTicks numbers the positions of an axis without names, from 1.
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

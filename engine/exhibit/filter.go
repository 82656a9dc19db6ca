package exhibit

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Filter selects cells to exclude. Excluded cells are hatched, counted in words, and do not affect the colour
// range. Their values stay the same. Mass and Top choose among the columns that Sinks leaves. The zero Filter
// shows all cells.
type Filter struct {
	Sinks Sinks
	Mass  float64 // keep the fewest cells of each row that hold this share of it; 0: all
	Top   int     // keep this number of the largest cells of each row; 0: all
}

// Sinks selects how attention sinks are shown: columns that get attention when there is nothing to look for.
type Sinks uint8

// Ways to show sinks.
const (
	SinksShown Sinks = iota
	SinksAside
)

// String returns the value of the setting, as in addresses.
func (s Sinks) String() string { return [...]string{"shown", "aside"}[s] }

// A column is a sink if it belongs to [CLS] or [SEP]. It is also a sink if the other rows give it at least sinkShare
// of their attention, and sinkTimes its share under uniform attention (Xiao et al. 2023, arXiv:2309.17453, sec. 3.1,
// on first tokens).
const (
	sinkShare = 0.3
	sinkTimes = 2
)

// filteredCells are the cells of one plane that a filter excludes.
type filteredCells struct {
	cells    []bool // row by row
	sinks    []int  // columns, ascending
	held     float64
	kept     float64 // mean share of the rows that the shown cells hold
	shown    int     // cells
	all      int     // cells that are not forbidden
	filtered bool    // by Mass or Top
}

// applies reports whether a filter is defined for a map: its columns are words, and its values are amounts. Mass
// also requires values that are not negative, so that they can be added up.
func (f Filter) applies(t trace.Map) bool {
	if f == (Filter{}) || len(t.Axes) > 2 || !t.Axes[len(t.Axes)-1].Text {
		return false
	}
	if len(t.Axes) == 2 && t.Axes[0].Role != trace.Query {
		return false
	}
	return amounts(t.Kind) && (f.Mass == 0 || !slices.ContainsFunc(t.Value.Data,
		func(v tensor.Elem) bool { return v < 0 }))
}

// Amounts reports whether the values are amounts: probabilities, weights or lengths.
func (x *Exhibit) Amounts() bool { return amounts(x.Map.Kind) }

// Arched reports whether the map can be drawn as arcs: its values are amounts from words to words.
func (x *Exhibit) Arched() bool { return x.Layout.Form == figure.Heatmap && x.Amounts() }

func amounts(k trace.Kind) bool {
	return k == trace.Probability || k == trace.Weight || k == trace.Length
}

// apply returns the excluded cells of a map. It returns nil if there is no filter, or if the filter is not defined
// for the map.
func (f Filter) apply(t trace.Map, tokens []tokenizer.Token) *filteredCells {
	if !f.applies(t) {
		return nil
	}
	m := shares(t)
	a := &filteredCells{cells: make([]bool, len(m.share)), filtered: f.Mass > 0 || f.Top > 0}
	if f.Sinks == SinksAside {
		a.sinks = m.sinks(tokens)
	}
	for r := range m.rows {
		row, left := m.share[r*m.cols:(r+1)*m.cols], m.left(r, a.sinks)
		shown := f.choose(row, left)
		for _, c := range left[shown:] {
			a.cells[r*m.cols+c] = true
		}
		for _, c := range a.sinks {
			if m.within[r*m.cols+c] {
				a.cells[r*m.cols+c], a.held = true, a.held+row[c]
				a.all++
			}
		}
		for _, c := range left[:shown] {
			a.kept += row[c]
		}
		a.shown, a.all = a.shown+shown, a.all+len(left)
	}
	a.held, a.kept = a.held/float64(max(m.spent, 1)), a.kept/float64(max(m.spent, 1))
	return a
}

// choose returns how many of a row's cells are shown, the largest first.
func (f Filter) choose(row []float64, left []int) int {
	n, total := len(left), 0.0
	for _, c := range left {
		total += row[c]
	}
	if f.Mass > 0 {
		n = 0
		for held := 0.0; n < len(left) && held < f.Mass*total*(1-1e-12); n++ {
			held += row[left[n]]
		}
	}
	if f.Top > 0 {
		n = min(n, f.Top)
	}
	return n
}

// rowShares holds the magnitudes of a map's cells as shares of their rows.
type rowShares struct {
	rows, cols int
	share      []float64
	within     []bool // neither forbidden nor not a number
	spent      int    // rows that are not all 0
}

func shares(t trace.Map) rowShares {
	m := rowShares{rows: 1, cols: t.Value.Dim(-1), share: make([]float64, t.Value.Len()),
		within: make([]bool, t.Value.Len())}
	m.rows = t.Value.Len() / max(m.cols, 1)
	for r := range m.rows {
		total := 0.0
		for c := range m.cols {
			i := r*m.cols + c
			v := math.Abs(float64(t.Value.Data[i]))
			m.within[i] = (len(t.Axes) < 2 || t.Reaches(r, c)) && !math.IsNaN(v) && !math.IsInf(v, 0)
			if m.within[i] {
				m.share[i], total = v, total+v
			}
		}
		for c := range m.cols {
			if total > 0 {
				m.share[r*m.cols+c] /= total
			}
		}
		if total > 0 {
			m.spent++
		}
	}
	return m
}

// left returns the columns of a row without sinks, the largest first.
func (m rowShares) left(row int, sinks []int) []int {
	var list []int
	for c := range m.cols {
		if m.within[row*m.cols+c] && !slices.Contains(sinks, c) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(m.share[row*m.cols+b], m.share[row*m.cols+a]) })
	return list
}

// sinks returns the columns that are sinks.
func (m rowShares) sinks(tokens []tokenizer.Token) []int {
	alike := 0.0 // the mean weight of a column within reach under uniform attention
	for r := range m.rows {
		reach := 0
		for c := range m.cols {
			if m.within[r*m.cols+c] {
				reach++
			}
		}
		alike += 1 / float64(max(reach, 1)*m.rows)
	}
	var list []int
	for c := range m.cols {
		got := 0.0
		for r := range m.rows {
			if r != c {
				got += m.share[r*m.cols+c] / float64(max(m.rows-1, 1))
			}
		}
		if c < len(tokens) && tokens[c].IsBoundary() || m.rows > 1 && got >= max(sinkShare, sinkTimes*alike) {
			list = append(list, c)
		}
	}
	return list
}

// ofAll names the whole that a share refers to.
func ofAll(unit string) messages.Message {
	switch unit {
	case "length", method.Influence, method.Rollout:
		return messages.New("filter.of." + unit)
	}
	return messages.New("filter.of.reading")
}

// remark says what a filter excluded from a map, or that the filter is not defined for it.
func (s *Selection) remark(x *Exhibit, a *filteredCells) messages.Message {
	f := s.Choice.Filter
	if f == (Filter{}) {
		return messages.Message{}
	}
	if a == nil {
		return messages.New("filter.nothing", "noun", messages.New("noun.plural."+x.unitName()))
	}
	var sinks, kept messages.Message
	of := ofAll(x.unitName())
	if f.Sinks == SinksAside {
		sinks = messages.New("filter.sinks", "count", len(a.sinks), "words", wordsOf(a.sinks, x.tokens()), "share",
			messages.Number(a.held), "of", of)
		if len(a.sinks) == 0 {
			sinks = messages.New("filter.no-sinks")
		}
	}
	if a.filtered {
		kept = messages.New("filter.kept", "shown", a.shown, "all", a.all, "share", messages.Number(a.kept), "of", of)
	}
	return messages.Join("; ", sinks, kept)
}

// mostNamed is the largest number of sinks that a sentence names.
const mostNamed = 4

// wordsOf names columns: "[CLS], [SEP]".
func wordsOf(columns []int, tokens []tokenizer.Token) string {
	var words []string
	for _, c := range columns[:min(len(columns), mostNamed)] {
		words = append(words, tokens[c].Label())
	}
	if len(columns) > mostNamed {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}

// Aside returns the share, from 0 to 1, that a row gives to excluded sinks, and the words of these sinks. Words is
// empty if none are excluded.
func (x *Exhibit) Aside(row int) (words string, share float64) {
	if x.aside == nil || len(x.aside.sinks) == 0 || row >= x.Grid().Rows {
		return "", 0
	}
	m := shares(x.Map)
	for _, c := range x.aside.sinks {
		share += m.share[row*m.cols+c]
	}
	return wordsOf(x.aside.sinks, x.tokens()), share
}

// SinkColumns returns the columns, from 0, that are excluded as sinks.
func (x *Exhibit) SinkColumns() []int {
	if x.aside == nil {
		return nil
	}
	if !x.rearranged {
		return x.aside.sinks
	}
	var columns []int
	for i, from := range x.positions[len(x.positions)-1] {
		if slices.Contains(x.aside.sinks, from) {
			columns = append(columns, i)
		}
	}
	return columns
}

// Cells returns a digit for each cell of a map, row by row and head by head: 1 if it is excluded, else 0. It
// returns an empty string if the filter is not defined for the map.
func (f Filter) Cells(t trace.Map, tokens []tokenizer.Token) string {
	if len(t.Axes) > 2 {
		var b strings.Builder
		for i := range t.Value.Dim(0) {
			b.WriteString(f.Cells(t.Plane(i), tokens))
		}
		return b.String()
	}
	a := f.apply(t, tokens)
	if a == nil {
		return ""
	}
	digits := make([]byte, len(a.cells))
	for i, set := range a.cells {
		digits[i] = '0'
		if set {
			digits[i] = '1'
		}
	}
	return string(digits)
}

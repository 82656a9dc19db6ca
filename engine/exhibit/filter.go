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

// Filter says which cells are set aside: hatched, counted in words, and no part of the
// colour scale. Numbers stay what they are. Of sinks, mass and top each says more: mass and
// top choose among what is left without sinks. The zero Filter shows all.
type Filter struct {
	Sinks Sinks
	Mass  float64 // of each row only the fewest cells are shown that hold this share of it; 0: all
	Top   int     // of each row only so many of the largest; 0: all
}

// Sinks says what becomes of the columns that words read when there is nothing to look for.
type Sinks uint8

// The things to do with sinks.
const (
	SinksShown Sinks = iota
	SinksAside
)

// String returns the value of the setting, as in addresses.
func (s Sinks) String() string { return [...]string{"shown", "aside"}[s] }

// A column is a sink if it is that of [CLS] or [SEP], which stand for no word, or if the
// other rows spend at least sinkShare of themselves on it, and sinkTimes as much as if all
// that is in reach were read alike (Xiao et al. 2023, arXiv:2309.17453, sec. 3.1, of first
// tokens).
const (
	sinkShare = 0.3
	sinkTimes = 2
)

// filteredCells are the cells that a filter sets aside of a map of one plane.
type filteredCells struct {
	cells    []bool // row by row
	sinks    []int  // columns, ascending
	held     float64
	kept     float64 // mean share of the rows that the shown cells hold
	shown    int     // cells
	all      int     // cells that are not forbidden
	filtered bool    // by mass or top
}

// applies says whether a filter means something for a map: columns are words, values are
// amounts of which there can be more or less. Mass needs that they can be added up.
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

// Amounts says that the values are amounts, of which there can be more or less.
func (x *Exhibit) Amounts() bool { return amounts(x.Map.Kind) }

// Arched says that the map can be drawn as arcs: of amounts, from words to words.
func (x *Exhibit) Arched() bool { return x.Layout.Form == figure.Heatmap && x.Amounts() }

func amounts(k trace.Kind) bool {
	return k == trace.Probability || k == trace.Weight || k == trace.Length
}

// apply sets cells of a map aside; nil: the filter means nothing for it, or there is none.
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

// choose is how many of a row's cells, the largest first, are shown.
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

// rowShares are the sizes of a map's cells as shares of their rows.
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

// left are the columns of a row without sinks, the largest first.
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

// sinks are the columns that are sinks.
func (m rowShares) sinks(tokens []tokenizer.Token) []int {
	alike := 0.0 // what a column in reach would get of a row on average
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

// ofAll is all of which a share is told.
func ofAll(unit string) messages.Message {
	switch unit {
	case "length", method.Influence, method.Rollout:
		return messages.New("filter.of." + unit)
	}
	return messages.New("filter.of.reading")
}

// remark says what a filter set aside of a map, or that it means nothing for it.
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

// mostNamed is how many sinks a sentence names.
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

// Aside is what a row spends on the sinks that are set aside: its share, from 0 to 1, and
// their words; empty: none are.
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

// SinkColumns are the columns, from 0, that are set aside as sinks.
func (x *Exhibit) SinkColumns() []int {
	if x.aside == nil {
		return nil
	}
	if !x.rearranged {
		return x.aside.sinks
	}
	var columns []int
	for i, from := range x.columns {
		if slices.Contains(x.aside.sinks, from) {
			columns = append(columns, i)
		}
	}
	return columns
}

// Cells says of each cell of a map, row by row and head by head, whether it is set aside: 1,
// or 0; empty where the filter means nothing for it.
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

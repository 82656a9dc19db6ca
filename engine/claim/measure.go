package claim

import (
	"math"
	"slices"

	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Measure is the quantity of a claim.
type Measure uint8

// The measures. Measures of pairs need maps whose rows and columns are the tokens of the text.
const (
	Share     Measure = iota // weight of rows on all columns, mean over rows; for one row the sum of the columns
	Previous                 // weight of words on the word before, mean
	Next                     // weight of words on the word after, mean
	Itself                   // weight of words on themselves, mean
	Same                     // weight of words on other words of the same spelling, in multiples of uniform attention
	Marks                    // weight of words on [CLS] and [SEP], mean
	Most                     // number of rows whose largest weight is on the columns
	Changed                  // half of Σ|A − A′| between two texts, mean over rows: 0 if equal, 1 if disjoint
	Rows                     // number of rows that differ between two texts
	Reachable                // fraction of cells within the mask and pattern
	Classes                  // number of classes of the words named by the columns
	Cell                     // value of one cell: of the row and the column, or in a map of one row of the column
	Columns                  // number of columns of the map
	Right                    // number of words that an encoder–decoder wrote correctly
	Guess                    // probability of the class named by the columns
	Hidden                   // probability, at the row, of the word named by the columns, if it is a top prediction
	Predicted                // the same, if it is the first prediction
	Listed                   // 1 if the columns name one of the most probable words at the row, else 0
)

// seen is the input of a measure.
type seen struct {
	m, other   trace.Map
	tokens     []tokenizer.Token
	rows, cols []int
}

// measures are the names of the measures, as in viz find, and their functions. A function returns
// false if the measure is not defined for the map.
var measures = [...]struct {
	name string
	of   func(seen) (float64, bool)
}{
	Share: {"share", share}, Previous: {"previous", offset(-1)}, Next: {"next", offset(1)}, Itself: {"itself", offset(0)},
	Same: {"same", sameWord}, Marks: {"marks", marks}, Most: {"most", mostRead}, Changed: {"changed", changed},
	Rows:      {"rows", rows},
	Reachable: {"reachable", reachable}, Classes: {"classes", classes}, Cell: {"cell", cell},
	Columns: {"columns", columns}, Right: {name: "right"}, Guess: {name: "guess"}, Hidden: {name: "hidden"},
	Predicted: {name: "predicted"}, Listed: {name: "listed"},
}

// String returns the name of the measure.
func (m Measure) String() string { return measures[m].name }

// compares reports whether a measure compares two texts.
func (m Measure) compares() bool { return m == Changed || m == Rows }

// pairs reports whether rows and columns are the tokens of the text, and values are amounts between
// tokens.
func (s seen) pairs() bool {
	given := s.m.Kind == trace.Probability || s.m.Kind == trace.Weight || s.m.Kind == trace.Length
	return given && s.square()
}

// square reports whether rows and columns are the tokens of the text.
func (s seen) square() bool {
	n := len(s.tokens)
	return len(s.m.Axes) == 2 && s.m.Value.Dim(0) == n && s.m.Value.Dim(1) == n
}

// mean returns the mean of gives over rows.
func mean(rows []int, gives func(row int) float64) (float64, bool) {
	sum := 0.0
	for _, i := range rows {
		sum += gives(i)
	}
	return sum / float64(len(rows)), len(rows) > 0
}

func share(s seen) (float64, bool) {
	if len(s.m.Axes) == 1 && s.m.Value.Len() == len(s.tokens) && len(s.rows) == 0 {
		sum := 0.0
		for _, j := range s.cols {
			sum += float64(s.m.Value.Data[j])
		}
		return sum, len(s.cols) > 0
	}
	if !s.pairs() || len(s.cols) == 0 {
		return 0, false
	}
	return mean(s.rows, func(i int) float64 { return s.given(i, s.cols) })
}

// given returns the amount of a row on the columns. Lengths do not have a fixed row sum, so it
// returns their fraction of the row sum.
func (s seen) given(row int, cols []int) float64 {
	m := s.m
	if method.IsLengths(m) {
		m = metrics.RowShares(m)
	}
	sum := 0.0
	for _, j := range cols {
		sum += float64(m.Value.At(row, j))
	}
	return sum
}

// offset returns the measure of the weight on the word by positions further.
func offset(by int) func(seen) (float64, bool) {
	return func(s seen) (float64, bool) {
		if !s.pairs() {
			return 0, false
		}
		all := words(s.tokens)
		has := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return !slices.Contains(all, i+by) })
		return mean(has, func(i int) float64 { return s.given(i, []int{i + by}) })
	}
}

func sameWord(s seen) (float64, bool) {
	if !s.pairs() {
		return 0, false
	}
	alike := map[int][]int{}
	var has []int
	for _, i := range words(s.tokens) {
		for _, j := range words(s.tokens) {
			if i != j && s.tokens[i].ID == s.tokens[j].ID {
				alike[i] = append(alike[i], j)
			}
		}
		if alike[i] != nil {
			has = append(has, i)
		}
	}
	given, found := mean(has, func(i int) float64 { return s.given(i, alike[i]) })
	uniform, _ := mean(has, func(i int) float64 { return float64(len(alike[i])) / float64(len(s.tokens)) })
	return given / uniform, found
}

func marks(s seen) (float64, bool) {
	if !s.pairs() {
		return 0, false
	}
	var at []int
	for j, t := range s.tokens {
		if t.IsBoundary() {
			at = append(at, j)
		}
	}
	return mean(words(s.tokens), func(i int) float64 { return s.given(i, at) })
}

func mostRead(s seen) (float64, bool) {
	if !s.pairs() || len(s.rows) == 0 {
		return 0, false
	}
	n := 0.0
	for _, i := range s.rows {
		row := s.m.Value.Sub(i).Data
		best := slices.Index(row, slices.Max(row))
		if slices.Contains(s.cols, best) {
			n++
		}
	}
	return n, true
}

// alike reports whether the maps of two texts have the same shape.
func (s seen) alike() bool {
	return s.m.Value.Rank() == s.other.Value.Rank() && s.m.Value.Len() == s.other.Value.Len()
}

func changed(s seen) (float64, bool) {
	if !s.alike() {
		return 0, false
	}
	sum := 0.0
	for i, v := range s.m.Value.Data {
		sum += math.Abs(float64(v) - float64(s.other.Value.Data[i]))
	}
	n := 1
	if s.m.Value.Rank() == 2 {
		n = s.m.Value.Dim(0)
	}
	return sum / 2 / float64(n), true
}

func rows(s seen) (float64, bool) {
	if !s.alike() || s.m.Value.Rank() != 2 {
		return 0, false
	}
	n := 0.0
	for i := range s.m.Value.Dim(0) {
		if !slices.Equal(s.m.Value.Sub(i).Data, s.other.Value.Sub(i).Data) {
			n++
		}
	}
	return n, true
}

func reachable(s seen) (float64, bool) {
	if !s.square() {
		return 0, false
	}
	n := 0.0
	for i := range s.tokens {
		for j := range s.tokens {
			if s.m.Reaches(i, j) {
				n++
			}
		}
	}
	return n / float64(len(s.tokens)*len(s.tokens)), true
}

// classes counts the classes of the words. In a map of several rows, such as rounds, it uses the
// first row.
func classes(s seen) (float64, bool) {
	if s.m.Kind != trace.Category || s.m.Value.Dim(s.m.Value.Rank()-1) < len(s.tokens) {
		return 0, false
	}
	found := map[float64]bool{}
	for _, j := range s.cols {
		found[float64(s.m.Value.Data[j])] = true
	}
	return float64(len(found)), len(s.cols) > 0
}

func cell(s seen) (float64, bool) {
	switch {
	case len(s.cols) != 1:
		return 0, false
	case len(s.m.Axes) == 1 && s.m.Value.Len() == len(s.tokens):
		return float64(s.m.Value.Data[s.cols[0]]), true
	case s.square() && len(s.rows) == 1:
		return float64(s.m.Value.At(s.rows[0], s.cols[0])), true
	}
	return 0, false
}

func columns(s seen) (float64, bool) {
	return float64(s.m.Value.Dim(s.m.Value.Rank() - 1)), true
}

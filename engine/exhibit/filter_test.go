package exhibit_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// filtered returns an exhibit of a map from words to words, and the text of its legend.
func filtered(t *testing.T, m trace.Map, text string, c exhibit.Choice) (*exhibit.Exhibit, string) {
	t.Helper()
	r := &engine.Report{Text: text, Tokens: tokenizer.Default().Encode(text),
		Mechanisms: []engine.Result{result("dense", []trace.Map{m})}}
	r.LabelAxes()
	c.Head, c.Norm = 1, figure.PerRow
	x := show(t, exhibit.Select(r, c), "dense", m.Name)
	return x, x.Legend().Text.String()
}

func pairsOf(k trace.Kind, rows ...[]float64) trace.Map {
	v := tensor.New(len(rows), len(rows[0]))
	for i, row := range rows {
		for j, x := range row {
			v.Set(tensor.Elem(x), i, j)
		}
	}
	return trace.Map{Name: "weights", Kind: k, Value: v, Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
}

// classes writes the cells: . for excluded, x for forbidden, # for all others.
func classes(x *exhibit.Exhibit) string {
	var b strings.Builder
	for i, class := range x.Grid().Class {
		if i > 0 && i%x.Grid().Cols == 0 {
			b.WriteByte('|')
		}
		switch class {
		case figure.Aside:
			b.WriteByte('.')
		case figure.Forbidden:
			b.WriteByte('x')
		default:
			b.WriteByte('#')
		}
	}
	return b.String()
}

// TestFilter: on a map of [CLS] cat sat [SEP].
func TestFilter(t *testing.T) {
	m := pairsOf(trace.Probability, []float64{0.1, 0.2, 0.3, 0.4}, []float64{0.7, 0.1, 0.15, 0.05},
		[]float64{0.5, 0.25, 0.125, 0.125}, []float64{0.25, 0.25, 0.25, 0.25})
	causal := m
	causal.Reach = func(q, k int) bool { return k <= q }
	stages, lengths := m, m
	stages.Kind, lengths.Kind = trace.Count, trace.Length
	signed := pairsOf(trace.Weight, []float64{-1, 2, 3, 4}, []float64{1, 2, 3, 4}, []float64{1, 2, 3, 4},
		[]float64{1, 2, 3, 4})
	aside := exhibit.SinksAside
	for name, c := range map[string]struct {
		m     trace.Map
		f     exhibit.Filter
		cells string
		says  string
	}{
		"nothing": {m, exhibit.Filter{}, "####|####|####|####", "probability ÷ row maximum"},
		"sinks": {m, exhibit.Filter{Sinks: aside}, ".##.|.##.|.##.|.##.",
			"largest shown in its row; [CLS], [SEP] hold 0.594 of all attention; excluded"},
		"mass": {m, exhibit.Filter{Mass: 0.75}, ".###|#.#.|##..|###.",
			"10 of 16 cells are drawn, which hold 0.812 of all attention; the others are excluded"},
		"mass alike": {m, exhibit.Filter{Mass: 0.5}, "..##|#...|#...|##..", "6 of 16 cells"},
		"top":        {m, exhibit.Filter{Top: 2}, "..##|#.#.|##..|##..", "8 of 16 cells"},
		"top of left": {m, exhibit.Filter{Sinks: aside, Top: 1}, "..#.|..#.|.#..|.#..",
			"[CLS], [SEP] hold 0.594 of all attention; excluded; 4 of 16 cells"},
		"mass of left": {m, exhibit.Filter{Sinks: aside, Mass: 0.6}, "..#.|..#.|.#..|.##.",
			"5 of 16 cells are drawn, which hold 0.300 of all attention"},
		"both":    {m, exhibit.Filter{Mass: 0.99, Top: 3}, ".###|###.|###.|###.", "12 of 16 cells"},
		"causal":  {causal, exhibit.Filter{Top: 1}, "#xxx|#.xx|#..x|#...", "4 of 10 cells"},
		"lengths": {lengths, exhibit.Filter{Sinks: aside}, ".##.|.##.|.##.|.##.", "of all lengths; excluded"},
		"stages": {stages, exhibit.Filter{Top: 1}, "####|####|####|####",
			"attention sinks, top-p share and top-k cells are not defined for counts: all cells are drawn"},
		"signed, a mass": {signed, exhibit.Filter{Mass: 0.5}, "####|####|####|####",
			"are not defined for weights of either sign"},
		"signed, a top": {signed, exhibit.Filter{Top: 1}, "...#|...#|...#|...#", "4 of 16 cells"},
	} {
		x, says := filtered(t, c.m, "cat sat", exhibit.Choice{Filter: c.f})
		if got := classes(x); got != c.cells || !strings.Contains(says, c.says) {
			t.Errorf("%s: %s, want %s; says %q, want %q", name, got, c.cells, says, c.says)
		}
	}
}

// TestFilterLeavesNumbers: excluded cells do not affect the colour range, and keep their numbers.
func TestFilterLeavesNumbers(t *testing.T) {
	m := pairsOf(trace.Probability, []float64{0.1, 0.2, 0.3, 0.4}, []float64{0.8, 0.05, 0.1, 0.05},
		[]float64{0.5, 0.25, 0.125, 0.125}, []float64{0.25, 0.25, 0.25, 0.25})
	x, _ := filtered(t, m, "cat sat", exhibit.Choice{Filter: exhibit.Filter{Sinks: exhibit.SinksAside}})
	if got := x.Grid().Index[4*1+2]; got != 255 {
		t.Errorf("the largest that is shown in its row has the colour %d", got)
	}
	if said := x.Reading(1, 0); said.Exact != "0.8" || !said.Aside {
		t.Errorf("what is set aside reads %+v", said)
	}
	if said := x.Reading(1, 2); said.Exact != "0.1" || said.Aside {
		t.Errorf("what is shown reads %+v", said)
	}
	if words, share := x.Aside(1); words != "[CLS], [SEP]" || math.Abs(share-0.85) > 1e-6 {
		t.Errorf("the row spends %v on %q", share, words)
	}
	if most := x.Most(1, 9); len(most) != 2 || most[0].Col != 2 || most[1].Col != 1 {
		t.Errorf("the row reads most %+v", most)
	}
}

// TestSinksByMeasure: a word that all others attend to is a sink. A word that few others attend to, or that
// attends to itself, is not. In a text of two words, only [CLS] and [SEP] are sinks.
func TestSinksByMeasure(t *testing.T) {
	const n = 14
	spend := func(by func(i int) bool, share float64) trace.Map {
		m := trace.Map{Name: "weights", Kind: trace.Probability, Value: tensor.New(n, n),
			Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
		for i := range n {
			on := 0.0
			if by(i) {
				on = share
			}
			for j := range n {
				m.Value.Set(tensor.Elem((1-on)/(n-1)), i, j)
			}
			m.Value.Set(tensor.Elem(on), i, 3)
		}
		return m
	}
	for name, c := range map[string]struct {
		m     trace.Map
		sinks int
	}{
		"all":    {spend(func(int) bool { return true }, 0.31), 3},
		"less":   {spend(func(int) bool { return true }, 0.29), 2},
		"few":    {spend(func(i int) bool { return i < 3 }, 0.9), 2},
		"itself": {spend(func(i int) bool { return i == 3 }, 1), 2},
	} {
		x, _ := filtered(t, c.m, restful, exhibit.Choice{Filter: exhibit.Filter{Sinks: exhibit.SinksAside}})
		if got := x.SinkColumns(); len(got) != c.sinks {
			t.Errorf("%s: sinks %v", name, got)
		}
	}
	even := pairsOf(trace.Probability, []float64{0.25, 0.25, 0.25, 0.25}, []float64{0.25, 0.25, 0.25, 0.25},
		[]float64{0.1, 0.4, 0.4, 0.1}, []float64{0.1, 0.4, 0.4, 0.1})
	if x, _ := filtered(t, even, "cat sat", exhibit.Choice{Filter: exhibit.Filter{Sinks: exhibit.SinksAside}}); len(x.SinkColumns()) != 2 {
		t.Errorf("of few words all are read much: %v", x.SinkColumns())
	}
}

// TestMassIsTheFewestCells tries all sets: no smaller set of cells of a row holds the share.
func TestMassIsTheFewestCells(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		const n = 6
		row, rows := make([]float64, n), [][]float64{}
		for j := range n {
			row[j] = math.Trunc(16*r.Float64()) / 16 // exact in float32, often equal
		}
		for range n {
			rows = append(rows, row)
		}
		mass := math.Trunc(9999*r.Float64()+1) / 10000
		if r.IntN(2) == 0 {
			mass = float64(r.IntN(16)+1) / 16 // which some cells often hold exactly
		}
		x, _ := filtered(t, pairsOf(trace.Weight, rows...), "a cat sat on",
			exhibit.Choice{Filter: exhibit.Filter{Mass: mass}})
		shown := strings.Count(strings.Split(classes(x), "|")[0], "#")
		total, fewest := 0.0, n
		for _, v := range row {
			total += v
		}
		for set := range 1 << n {
			held, size := 0.0, 0
			for j := range n {
				if set>>j&1 == 1 {
					held, size = held+row[j], size+1
				}
			}
			if held >= mass*total {
				fewest = min(fewest, size)
			}
		}
		if shown != fewest {
			t.Fatalf("%v, %v: %d cells are shown, %d hold the share", row, mass, shown, fewest)
		}
	}
}

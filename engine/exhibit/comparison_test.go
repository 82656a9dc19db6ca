package exhibit_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// reading returns a map in which all words attend to the first column, except one. That word gives the share to a
// column and the rest to the first.
func reading(row, col int, share float64) trace.Map {
	m := pairs("weights", trace.Probability, 1)
	for i := range m.Value.Data {
		m.Value.Data[i] = 1. / n
	}
	for h := range heads {
		for j := range n {
			m.Value.Set(0, h, row, j)
		}
		m.Value.Set(tensor.Elem(1-share), h, row, 0)
		m.Value.Set(tensor.Elem(share), h, row, col)
	}
	return m
}

// compare compares the main maps of the first head of two results.
func compare(t *testing.T, a, b engine.Result) *exhibit.Comparison {
	t.Helper()
	return exhibit.Compare(show(t, first(report(a), figure.PerRow), a.ID, ""),
		show(t, first(report(b), figure.PerRow), b.ID, ""))
}

// TestCompare: two maps of one cell that differs.
func TestCompare(t *testing.T) {
	c := compare(t, result("dot-product", []trace.Map{reading(1, 3, 0.75)}),
		result("dense", []trace.Map{reading(1, 3, 0.25)}))
	if d := c.Difference; d == nil || d.Map.Value.At(1, 3) != 0.5 || d.Map.Value.At(1, 0) != -0.5 ||
		d.Map.Value.At(2, 2) != 0 || d.Grid().Scale.Table() != "diverging" {
		t.Fatalf("the difference is %+v", c.Difference)
	}
	// p = (¼, ¾), q = (¾, ¼), m = (½, ½): 1 − H(¼)
	want := 1 - (0.25*2 + 0.75*math.Log2(4./3))
	if math.Abs(c.Rows[1]-want) > 1e-6 || c.Rows[0] != 0 || math.Abs(c.Divergence()-want/n) > 1e-6 {
		t.Errorf("divergences %v, want %v in row 1", c.Rows, want)
	}
	if math.Abs(c.Changed-1./(2*n)) > 1e-6 || c.Same { // ½ + ½ of 2n
		t.Errorf("changed %v", c.Changed)
	}
	list := c.Contrasts(exhibit.Maps)
	if len(list) != 2 || list[0].A != 0.25 || list[0].B != 0.75 ||
		list[1].Text.String() != "“one” attends to “three”: 0.750 in Dot product, 0.250 in Dense synthesizer" {
		t.Errorf("%+v", list)
	}
	back := exhibit.Compare(c.B, c.A)
	if back.Rank != c.Rank || !slices.Equal(back.Rows, c.Rows) || back.Changed != c.Changed ||
		back.Difference.Map.Value.At(1, 3) != -0.5 {
		t.Errorf("%+v is not the reverse of %+v", back, c)
	}
}

// TestDifferenceIsWhole: cells that a filter excludes from two maps are part of their difference.
func TestDifferenceIsWhole(t *testing.T) {
	var both []*exhibit.Exhibit
	for id, share := range map[string]float64{"dot-product": 0.75, "dense": 0.25} {
		res := result(id, []trace.Map{reading(1, 3, share)})
		s := exhibit.Select(report(res), exhibit.Choice{Layer: 1, Head: 1, Filter: exhibit.Filter{Sinks: exhibit.SinksAside}})
		x, err := s.Exhibit(id, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, x)
	}
	d := exhibit.Compare(both[0], both[1]).Difference
	words, _ := d.Aside(1)
	if both[0].SinkColumns() == nil || d.SinkColumns() != nil || words != "" ||
		!strings.HasSuffix(d.Alt().String(), " 0.500") {
		t.Errorf("of the difference %v are set aside, %q: %s", d.SinkColumns(), words, d.Alt())
	}
}

// TestCompareSame: a map compared with itself.
func TestCompareSame(t *testing.T) {
	one := result("dense", []trace.Map{reading(2, 4, 0.6)})
	c := compare(t, one, one)
	number, words := c.Change()
	if !c.Same || c.Changed != 0 || c.Divergence() != 0 || c.Rank != 1 || c.Contrasts(exhibit.Maps) != nil ||
		number.String() != "0, bit-identical" || words.IsZero() {
		t.Errorf("%+v %s", c, number)
	}
	if a, b := c.Names(); a.String() != "A" || b.String() != "B" {
		t.Errorf("called %s and %s", a, b)
	}
}

// TestCompareOutOfReach: a cell that one map cannot reach counts as 0 in the difference and is not ranked. A cell
// that neither can reach has no value.
func TestCompareOutOfReach(t *testing.T) {
	far, near := reading(1, 3, 0.75), reading(1, 3, 0.25)
	far.Value.Set(0, 0, 1, 3)
	far.Reach = func(row, col int) bool { return row != 1 || col < 3 }
	near.Reach = func(row, col int) bool { return row != 1 || col < 4 }
	c := compare(t, result("longformer", []trace.Map{far}), result("dense", []trace.Map{near}))
	class := c.Difference.Grid().Class
	if class[1*n+3] == figure.Forbidden || class[1*n+4] != figure.Forbidden || c.Difference.Map.Value.At(1, 3) != -0.25 {
		t.Errorf("classes %v", class)
	}
	if c.Rank != 1 { // all cells that both maps reach have the same order
		t.Errorf("correlation %v", c.Rank)
	}
	if text := c.Contrasts(exhibit.Maps)[1].Text.String(); !strings.Contains(text,
		"masked out in Longformer, 0.250 in Dense") {
		t.Errorf("says %q", text)
	}
}

// TestCompareRefuses: maps without common cells, units or ranks say why, and have the measures that are still
// defined.
func TestCompareRefuses(t *testing.T) {
	weights := func(id string) engine.Result { return result(id, []trace.Map{reading(1, 3, 0.5)}) }
	slots := result("linformer", []trace.Map{over("implied", trace.Weight, 1, trace.Head, trace.Query, trace.Slot)})
	deep := result("linformer", []trace.Map{over("implied", trace.Weight, 1, trace.Head, trace.Query, trace.Slot)})
	deep.Layers[0].Number = 2
	lengths := result("fastformer", []trace.Map{pairs("contribution", trace.Length, 3)})
	flat := pairs("weights", trace.Probability, 0)
	for _, c := range []struct {
		a, b             engine.Result
		why              string
		rank, rows, same bool
	}{
		{weights("dense"), slots, "Dense synthesizer has the axes words that attend × words that are attended to, Linformer has words that attend × slots", false, false, false},
		{slots, slots, "", true, false, true},
		{weights("dense"), lengths, "probabilities, the other lengths", true, false, false},
		{weights("dense"), result("random", []trace.Map{flat}), "", false, true, false},
	} {
		got := compare(t, c.a, c.b)
		if says := got.NoDifference.String(); (c.why == "") != (got.Difference != nil) || !strings.Contains(says, c.why) {
			t.Errorf("%s and %s: %q", c.a.ID, c.b.ID, says)
		}
		if !math.IsNaN(got.Rank) != c.rank || c.rank == !got.NoRank.IsZero() || (got.Rows != nil) != c.rows ||
			c.rows == !got.NoRows.IsZero() || got.Same != c.same {
			t.Errorf("%s and %s: %+v", c.a.ID, c.b.ID, got)
		}
	}
	x := exhibit.Select(report(deep), exhibit.Choice{Layer: 2, Head: 1})
	if got := exhibit.Compare(show(t, first(report(slots), figure.PerRow), "linformer", ""),
		show(t, x, "linformer", "")); got.Difference != nil {
		t.Error("slots of one layer are compared with those of another")
	}
}

// TestCompareTexts: two texts of the same length have their own words on the axes. Texts of different lengths are
// not compared.
func TestCompareTexts(t *testing.T) {
	of := func(text string) *exhibit.Exhibit {
		share := 0.25
		if text == "one two three" {
			share = 0.75
		}
		r := &engine.Report{Text: text, Tokens: tokenizer.Default().Encode(text),
			Mechanisms: []engine.Result{result("dense", []trace.Map{reading(1, 3, share)})}}
		r.LabelAxes()
		return show(t, first(r, figure.PerRow), "dense", "")
	}
	c := exhibit.Compare(of("one two three"), of("four two six"))
	if text := c.Contrasts(exhibit.Maps)[1].Text.String(); text != "“one” attends to “three” in the first text (0.750); "+
		"in the same cell, “four” attends to “six” in the second text (0.250)" {
		t.Errorf("says %q", text)
	}
	if number, words := c.Change(); number.String() != "0.100" ||
		words.String() != "about a tenth of the attention changed" {
		t.Errorf("%s: %s", number, words)
	}
	if c := exhibit.Compare(of("one two three"), of("one two")); c.Difference != nil ||
		!strings.Contains(c.NoDifference.String(), "5 tokens, the second 4 tokens") {
		t.Errorf("%s", c.NoDifference)
	}
}

// TestChangeInWords: a number is described by the nearest named fraction.
func TestChangeInWords(t *testing.T) {
	for share, want := range map[float64]string{0.01: "almost none", 0.05: "about a hundredth", 0.1: "about a fiftieth",
		0.25: "about a twentieth", 0.7: "about a tenth"} {
		// reading has four rows of three columns, and the third column of the second row has the share
		one, other := result("dense", []trace.Map{reading(1, 3, 0.25)}), result("dense",
			[]trace.Map{reading(1, 3, 0.25+share)})
		if number, words := compare(t, one, other).Change(); words.String() != want+" of the attention changed" {
			t.Errorf("%s: %s, want %s", number, words, want)
		}
	}
}

// TestBeside: a colour range that is shared with another selection ends at the largest value of both.
func TestBeside(t *testing.T) {
	a, b := first(report(result("dense", []trace.Map{reading(1, 3, 0.9)})),
		figure.Shared), first(report(result("random", []trace.Map{reading(1, 3, 0.6)})), figure.Shared)
	a.ShareScaleWith(b)
	b.ShareScaleWith(a)
	if got, want := show(t, b, "random", "").Figure.SharedMax, show(t, a, "dense", "").Figure.SharedMax; got != want {
		t.Errorf("the scales end at %v and %v", want, got)
	}
}

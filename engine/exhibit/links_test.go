package exhibit_test

import (
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// linked has words of one token each: [CLS] the girl saw her dog and not the bird [SEP].
const linked = "the girl saw her dog and not the bird"

// weights returns a map of one head that is uniform except in the cells that a test sets.
func weights(cells map[[2]int]float64) trace.Map {
	m := evenly(11)
	for i := range m.Value.Data {
		m.Value.Data[i] = 0.01
	}
	for at, v := range cells {
		m.Value.Set(tensor.Elem(v), at[0], at[1])
	}
	return m
}

// linkIn returns the strongest link of results for a text, as reader>read, or an empty string.
func linkIn(text string, results ...engine.Result) (string, exhibit.Link, *exhibit.Selection) {
	r := &engine.Report{Text: text, Mechanisms: results}
	r.Tokens, _ = tokenizer.Default().EncodePair(text)
	r.LabelAxes()
	s := exhibit.Select(r, exhibit.Choice{})
	link, ok := s.StrongestLink(func(tokens []tokenizer.Token) []tokenizer.Cell { return tokenizer.Default().Words(text, tokens) })
	if !ok {
		return "", link, s
	}
	return text[link.Reader.Start:link.Reader.End] + ">" + text[link.Read.Start:link.Read.End], link, s
}

// TestStrongestLink: among content words that are not neighbours, the strongest link is the weight that neither
// the column nor the distance explains.
func TestStrongestLink(t *testing.T) {
	diagonal, column := map[[2]int]float64{}, map[[2]int]float64{}
	for i := 4; i < 10; i++ {
		diagonal[[2]int{i, i - 3}] = 0.8 // every word attends to the one three words before it
	}
	diagonal[[2]int{5, 2}] = 0.95
	for i := 1; i < 10; i++ {
		column[[2]int{i, 9}] = 0.7 // and to bird
	}
	column[[2]int{3, 9}] = 0.95
	for name, c := range map[string]struct {
		cells map[[2]int]float64
		want  string
	}{
		"nothing":           {nil, ""},
		"content words":     {map[[2]int]float64{{3, 9}: 0.5}, "saw>bird"},
		"weak":              {map[[2]int]float64{{3, 9}: 0.19}, ""},
		"neighbours":        {map[[2]int]float64{{3, 2}: 0.9}, ""},
		"function words":    {map[[2]int]float64{{6, 1}: 0.9, {2, 8}: 0.9, {7, 2}: 0.9}, ""},
		"special tokens":    {map[[2]int]float64{{3, 0}: 0.9, {10, 3}: 0.9}, ""},
		"pronoun first":     {map[[2]int]float64{{4, 2}: 0.5, {3, 9}: 0.6}, "her>girl"},
		"much stronger":     {map[[2]int]float64{{4, 2}: 0.3, {3, 9}: 0.9}, "saw>bird"},
		"to a pronoun":      {map[[2]int]float64{{2, 4}: 0.9}, ""},
		"a distance":        {diagonal, ""},
		"a column":          {column, ""},
		"out of reach only": {map[[2]int]float64{{2, 5}: 0.9}, ""},
	} {
		m := weights(c.cells)
		m.Reach = func(q, k int) bool { return q != 2 || k != 5 }
		if got, _, _ := linkIn(linked, result("dense", []trace.Map{m})); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got, link, _ := linkIn(linked, result("dense",
		[]trace.Map{weights(map[[2]int]float64{{3, 9}: 0.5, {1, 9}: 0.09})})); got != "saw>bird" || link.Row != 3 ||
		link.Col != 9 || link.Value != 0.5 ||
		!near(link.Column, (0.09+7*0.01-0.01)/7) || !near(link.Distance, 0.01) {
		t.Errorf("%s: %+v", got, link)
	}
}

func near(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }

// TestColumnIsOfOtherWords: the weight of a word for itself does not count in its column.
func TestColumnIsOfOtherWords(t *testing.T) {
	got, link, _ := linkIn(linked, result("dense", []trace.Map{weights(map[[2]int]float64{{3, 9}: 0.5, {9, 9}: 0.9})}))
	_, alone, _ := linkIn(linked, result("dense", []trace.Map{weights(map[[2]int]float64{{3, 9}: 0.5})}))
	if got != "saw>bird" || link.Column != alone.Column {
		t.Errorf("%s: the others give %v, and %v where the word does not attend to itself", got, link.Column, alone.Column)
	}
}

// TestStrongestLinkIsWhereAllHaveLayers: the link is not in maps of positions, nor in a layer that a card lacks if
// another layer has one.
func TestStrongestLinkIsWhereAllHaveLayers(t *testing.T) {
	strong, weak, none := map[[2]int]float64{{3, 9}: 0.9}, map[[2]int]float64{{2, 9}: 0.3}, map[[2]int]float64(nil)
	layers := func(id string, cells ...map[[2]int]float64) engine.Result {
		var all [][]trace.Map
		for _, c := range cells {
			all = append(all, []trace.Map{weights(c)})
		}
		return result(id, all...)
	}
	for _, c := range []struct {
		results []engine.Result
		want    string
		layer   int
	}{
		{[]engine.Result{layers("dense", none, strong)}, "saw>bird", 2},
		{[]engine.Result{layers("dense", weak, strong), layers("dot-product", none)}, "girl>bird", 1},
		{[]engine.Result{layers("dense", none, strong), layers("dot-product", weak)}, "girl>bird", 1},
		{[]engine.Result{layers("dense", none, strong), layers("dot-product", none)}, "saw>bird", 2},
		{[]engine.Result{layers("random", strong)}, "", 0},
		{[]engine.Result{{ID: "nobody", Err: stopped}, layers("dense", strong)}, "saw>bird", 1},
	} {
		got, link, _ := linkIn(linked, c.results...)
		if got != c.want || link.Layer.Number != c.layer {
			t.Errorf("%s in layer %d, want %s in %d", got, link.Layer.Number, c.want, c.layer)
		}
	}
}

var stopped = fault.Errorf(fault.Internal, "error.no-layers", "id", "nobody")

// TestWeightOf: the weight that another card gives to the same words in any layer and head.
func TestWeightOf(t *testing.T) {
	cells := func(v float64) []trace.Map { return []trace.Map{weights(map[[2]int]float64{{3, 9}: v})} }
	_, link, s := linkIn(linked, result("dense", cells(0.9)), result("dot-product", cells(0.4), cells(0.2)),
		result("linear", nil))
	if v, ok := s.WeightOf(s.Result("dot-product"), link.Reader, link.Read); !ok || !near(v, 0.4) {
		t.Errorf("%v, %v", v, ok)
	}
	if _, ok := s.WeightOf(s.Result("linear"), link.Reader, link.Read); ok {
		t.Error("a card without weights has one")
	}
}

// TestMostAttended: the content word that others attend to most.
func TestMostAttended(t *testing.T) {
	m := weights(map[[2]int]float64{{1, 8}: 0.9, {2, 8}: 0.9, {3, 5}: 0.5, {9, 9}: 0.9, {4, 2}: 0.3})
	_, _, s := linkIn(linked, result("dense", []trace.Map{m}),
		result("random", []trace.Map{weights(map[[2]int]float64{{1, 2}: 0.9, {3, 2}: 0.9})}))
	words := func(tokens []tokenizer.Token) []tokenizer.Cell { return tokenizer.Default().Words(linked, tokens) }
	if word, ok := s.MostAttended(words); !ok || linked[word.Start:word.End] != "dog" {
		t.Errorf("%v, %v", word, ok)
	}
	_, _, s = linkIn("it is not", result("dense", []trace.Map{evenly(5)}))
	if _, ok := s.MostAttended(func(tokens []tokenizer.Token) []tokenizer.Cell { return tokenizer.Default().Words("it is not", tokens) }); ok {
		t.Error("a function word is offered")
	}
}

// TestWordClasses: lists have function words, pronouns and negations; all other words of letters are content words.
func TestWordClasses(t *testing.T) {
	text := "The dog did not see 12 🙂 trophies , x 我 喜 不 [MASK]"
	tokens, _ := tokenizer.Default().EncodePair(text)
	var content, negations []string
	for _, w := range tokenizer.Default().Words(text, tokens) {
		word := text[w.Start:w.End]
		if exhibit.IsContent(text, w) {
			content = append(content, word)
		}
		if exhibit.IsNegation(text, w) {
			negations = append(negations, word)
		}
	}
	if got := strings.Join(content, " "); got != "dog see trophies 喜" {
		t.Error(got)
	}
	if got := strings.Join(negations, " "); got != "not 不" {
		t.Error(got)
	}
}

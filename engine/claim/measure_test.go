package claim

import (
	"math"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// hand returns a map of [CLS] the cat the [SEP] whose rows are easy to add up.
func hand(t *testing.T, change float32) seen {
	t.Helper()
	tokens := tokensOf("the cat the")
	value := tensor.From([]tensor.Elem{
		0.2, 0.2, 0.2, 0.2, 0.2,
		0.4, 0.1, 0.1, 0.3, 0.1,
		0.1, 0.5, 0.1, 0.2, 0.1,
		0.1, 0.2, 0.6, 0.1, 0.0,
		0.2, 0.2, 0.2, 0.2, 0.2,
	}, 5, 5)
	other := value.Clone()
	other.Data[5], other.Data[6] = other.Data[5]-tensor.Elem(change), other.Data[6]+tensor.Elem(change)
	axes := []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}
	return seen{
		m:      trace.Map{Kind: trace.Probability, Axes: axes, Value: value, Reach: func(q, k int) bool { return k <= q }},
		other:  trace.Map{Kind: trace.Probability, Axes: axes, Value: other},
		tokens: tokens,
	}
}

func tokensOf(text string) []tokenizer.Token { return tokenizer.Default().Encode(text) }

// TestMeasuresByHand: every measure of a map of tokens gives the sum computed by hand.
func TestMeasuresByHand(t *testing.T) {
	for _, c := range []struct {
		what     Measure
		row, col string
		change   float32
		want     float64
	}{
		{Share, "cat", "the", 0, 0.7},
		{Share, "the", "cat", 0, 0.35},
		{Share, "the.2", "cat the.1", 0, 0.8},
		{Previous, "", "", 0, (0.5 + 0.6) / 2},
		{Next, "", "", 0, (0.1 + 0.2) / 2},
		{Itself, "", "", 0, 0.1},
		{Same, "", "", 0, (0.3 + 0.2) / 2 * 5},
		{Marks, "", "", 0, (0.5 + 0.2 + 0.1) / 3},
		{Most, "*", "the.1", 0, 1},
		{Most, "*", "[CLS] the.1 cat", 0, 3},
		{Changed, "", "", 0.25, 0.25 / 5},
		{Changed, "", "", 0, 0},
		{Rows, "", "", 0.25, 1},
		{Reachable, "", "", 0, 15.0 / 25},
		{Cell, "cat", "the.1", 0, 0.5},
		{Columns, "", "", 0, 5},
	} {
		s := hand(t, c.change)
		var err error
		if s.rows, err = wordsOf(s.tokens, c.row); err != nil {
			t.Fatal(err)
		}
		if s.cols, err = wordsOf(s.tokens, c.col); err != nil {
			t.Fatal(err)
		}
		got, ok := measures[c.what].of(s)
		if !ok || math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%v %q %q: %v, %v; want %v", c.what, c.row, c.col, got, ok, c.want)
		}
	}
}

// TestMeasuresThatAMapDoesNotHave: undefined measures give no number.
func TestMeasuresThatAMapDoesNotHave(t *testing.T) {
	strip := seen{m: trace.Map{Kind: trace.Probability, Axes: []trace.Axis{{Role: trace.Token}}, Value: tensor.New(5)},
		tokens: hand(t, 0).tokens, cols: []int{1}}
	strip.other = trace.Map{Value: tensor.New(4)} // of a longer text
	counts := hand(t, 0)
	counts.m.Kind, counts.rows, counts.cols = trace.Count, []int{1}, []int{1}
	none := hand(t, 0) // no words are named
	for _, c := range []struct {
		what Measure
		of   seen
	}{
		{Previous, strip}, {Same, strip}, {Marks, strip}, {Most, strip}, {Reachable, strip}, {Rows, strip}, {Changed, strip},
		{Classes, strip},
		{Share, counts}, {Previous, counts}, {Share, none}, {Most, none}, {Cell, none},
	} {
		if got, ok := measures[c.what].of(c.of); ok {
			t.Errorf("%v: %v", c.what, got)
		}
	}
}

// TestWordsThatAreNotThere: missing words are an error, and so is a fifth cat of two.
func TestWordsThatAreNotThere(t *testing.T) {
	tokens := tokensOf("the cat the")
	for _, list := range []string{"dog", "the.3", "the.0", "the.x", ".1", "cat dog"} {
		if all, err := wordsOf(tokens, list); err == nil {
			t.Errorf("%s: %v", list, all)
		}
	}
}

package exhibit_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// written returns a report of a text whose only mechanism has one head with these weights.
func written(t *testing.T, text string, weight func(row, col int) float64) *engine.Report {
	t.Helper()
	tokens := tokenizer.Default().Encode(text)
	m := trace.Map{Name: "weights", Kind: trace.Probability, Value: tensor.New(len(tokens), len(tokens)),
		Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
	for row := range tokens {
		for col := range tokens {
			m.Value.Set(tensor.Elem(weight(row, col)), row, col)
		}
	}
	r := &engine.Report{Text: text, Tokens: tokens, Mechanisms: []engine.Result{result("dense", []trace.Map{m})}}
	r.LabelAxes()
	return r
}

func shown(r *engine.Report, c exhibit.Choice) []int {
	return exhibit.Select(r, c).Shown(&r.Mechanisms[0])
}

// TestSimilarTokensStandSideBySide: of two kinds of alternating tokens, each kind stands together, the kind of the
// first token first.
func TestSimilarTokensStandSideBySide(t *testing.T) {
	r := written(t, "one two three four five", func(row, col int) float64 {
		return 0.1 + 0.8*float64((row+col+1)%2) + 0.01*float64(row)
	})
	got := shown(r, exhibit.Choice{Order: exhibit.Similarity})
	kinds := make([]int, len(got))
	for i, token := range got {
		kinds[i] = token % 2
	}
	if !slices.Equal(kinds, []int{0, 0, 0, 0, 1, 1, 1}) && !slices.Equal(kinds, []int{1, 1, 1, 0, 0, 0, 0}) {
		t.Errorf("the order is %v", got)
	}
	if words := shown(r, exhibit.Choice{Order: exhibit.Similarity, Words: true}); len(words) != 5 ||
		slices.Contains(words, 0) || slices.Contains(words, 6) {
		t.Errorf("without [CLS] and [SEP] it is %v", words)
	}
	if words := shown(r, exhibit.Choice{Words: true}); !slices.Equal(words, []int{1, 2, 3, 4, 5}) {
		t.Errorf("the words alone are %v", words)
	}
	if all := shown(r, exhibit.Choice{}); all != nil {
		t.Errorf("the order of the text is %v", all)
	}
}

// TestArranged: whatever the weights are, an arranged map has every token once, the same cells, and neighbours
// that are at least as similar as in the text.
func TestArranged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		kind := random.IntN(4)
		noise := make([]float64, 400)
		for i := range noise {
			noise[i] = random.Float64()
		}
		r := written(t, "The cat sat on the mat because it was tired.", func(row, col int) float64 {
			switch v := noise[(row*17+col)%400]; {
			case kind == 0:
				return 0
			case kind == 1:
				return math.Floor(3*v) / 3
			case kind == 2 && col == 3:
				return math.NaN()
			default:
				return v
			}
		})
		plain, err := exhibit.Select(r, exhibit.Choice{}).Exhibit("dense", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		choice := exhibit.Choice{Order: exhibit.Similarity}
		x, err := exhibit.Select(r, choice).Exhibit("dense", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		order := shown(r, choice)
		if order == nil { // the order is that of the text
			order = make([]int, len(r.Tokens))
			for i := range order {
				order[i] = i
			}
		}
		if sorted := slices.Sorted(slices.Values(order)); len(slices.Compact(sorted)) != len(r.Tokens) {
			t.Fatalf("%d tokens in the order %v", len(r.Tokens), order)
		}
		for row, from := range order {
			if got := x.Map.Axes[0].Labels[row]; got != r.Tokens[from].Label() {
				t.Fatalf("row %d is called %q, want %q", row, got, r.Tokens[from].Label())
			}
			for col, of := range order {
				got, want := x.Map.Value.At(row, col), plain.Map.Value.At(from, of)
				if got != want && !(math.IsNaN(float64(got)) && math.IsNaN(float64(want))) {
					t.Fatalf("cell %d, %d is %v, want %v", row, col, got, want)
				}
			}
		}
	}
}

// TestLongTextsKeepTheirOrder: the time to order tokens is bounded.
func TestLongTextsKeepTheirOrder(t *testing.T) {
	text := "a"
	for range engine.MostArranged {
		text += " b"
	}
	r := written(t, text, func(row, col int) float64 { return float64((row + col) % 3) })
	if order := shown(r, exhibit.Choice{Order: exhibit.Similarity}); order != nil {
		t.Errorf("%d tokens are ordered", len(r.Tokens))
	}
}

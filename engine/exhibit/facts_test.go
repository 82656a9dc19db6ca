package exhibit_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// TestRowSums: the badge of a card reports on the probabilities on screen.
func TestRowSums(t *testing.T) {
	even := func(m trace.Map, v float64) trace.Map {
		for i := range m.Value.Data {
			m.Value.Data[i] = tensor.Elem(v)
		}
		return m
	}
	alike := even(pairs("weights", trace.Probability, 1), 1./n)
	for _, c := range []struct {
		res         engine.Result
		rule, holds bool
		says        string
	}{
		{result("dense", []trace.Map{alike, even(pairs("scores", trace.Probability, 1), 7)}), true, true,
			"rows Σ = 1, max deviation "},
		{result("dense", []trace.Map{pairs("weights", trace.Probability, 0.5)}), true, false, "rows Σ = 1, max deviation 1"},
		{result("dense", []trace.Map{pairs("weights", trace.Probability, math.NaN())}), true, false, "deviation NaN"},
		{result("fastformer", []trace.Map{pairs("contribution", trace.Weight, 3), even(strip("alpha", 1), 1./n),
			strip("beta", 1)}), false, true, "α, β: Σ = 1, max deviation "},
		{result("fastformer", []trace.Map{pairs("contribution", trace.Weight, 3), strip("alpha", 0.5), strip("beta", 1)}),
			false, false, "α, β: Σ = 1, max deviation 0.500; rows of ‖C‖ do not sum to 1, by design"},
		{result("dense", []trace.Map{pairs("weights", trace.Gate, 3)}), false, true, "rows of A do not sum to 1, by design"},
	} {
		for _, name := range []string{"scores", "logits", "hidden", "contribution of all heads", "alpha scores",
			"beta scores", "global query", "global key"} {
			if _, ok := c.res.Layers[0].Find(name); !ok {
				c.res.Layers[0].Maps = append(c.res.Layers[0].Maps, over(name, trace.Activation, 1, trace.Token))
			}
		}
		s := first(report(c.res), figure.PerRow)
		card, err := s.Card(&s.Report.Mechanisms[0])
		if err != nil {
			t.Fatal(err)
		}
		sums := card.RowSums()
		if sums.Rule != c.rule || sums.Holds != c.holds || !strings.Contains(sums.Text.String(), c.says) {
			t.Errorf("%+v: %s", sums, sums.Text)
		}
	}
}

// TestFacts: measurements of the maps on screen, and of the pass.
func TestFacts(t *testing.T) {
	stack := result("universal", []trace.Map{pairs("weights", trace.Probability, 1), pairs("scores", trace.Activation, 1),
		over(method.Influence, trace.Weight, 1, trace.Query, trace.Key)})
	stack.Model = &engine.ModelInfo{Stack: "universal", Mechanism: "dot-product", Layers: 6, Params: 12345}
	stack.Charges = []engine.Charge{{Name: "ponder", Value: 0.0025}}
	stack.Maps = []trace.Map{over("updates", trace.Count, 15, trace.Token)}
	r := report(stack)
	weights := stack.Layers[0].Maps[0].Value.Sub(0)
	for shown, want := range map[exhibit.Show][]string{
		exhibit.Maps: {
			"entropy " + messages.Number(metrics.Entropy(trace.Map{Value: weights})) + " bits", "mean distance " +
				messages.Number(metrics.MeanDistance(trace.Map{Value: weights})) + " tokens",
			"steps 3.00 of 6", "ponder cost 0.00250",
		},
		exhibit.Influence: {"mean distance 0.400 tokens", "diagonal 0 %"},
	} {
		card, err := exhibit.Select(r, exhibit.Choice{Head: 1, Show: shown}).Card(&r.Mechanisms[0])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range card.Facts() {
			got = append(got, f.Label.String()+" "+f.Value.String())
			if f.Help.String() == f.Help.ID {
				t.Errorf("%s has no help", f.Label)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", shown, got, want)
		}
	}
}

// TestNotes: what readers of the maps of this text should know, by mechanism.
func TestNotes(t *testing.T) {
	note := func(change func(*engine.Result), id, text string, shown exhibit.Show) string {
		res := result(id, []trace.Map{pairs("weights", trace.Probability, 1)})
		res.Model = &engine.ModelInfo{Stack: id, Mechanism: "dot-product", Layers: 6, Width: 16, Heads: heads, Length: 64}
		if change != nil {
			change(&res)
		}
		r := report(res)
		r.Tokens, _ = tokenizer.Default().EncodePair(text)
		return exhibit.Select(r, exhibit.Choice{Show: shown}).CardNote(&res).String()
	}
	steps := func(res *engine.Result) { res.Layers = numbered("step", res.Layers[0].Maps, res.Layers[0].Maps) }
	for _, c := range []struct{ got, want string }{
		{note(nil, "gpt2", "a cat", exhibit.Maps), "Always causal: this model was trained to predict the next word, so no word attends to later words, whatever the attention mask."},
		{note(nil, "gpt2", "a [MASK]", exhibit.Maps), "This model never saw [MASK] in training"},
		{note(steps, "universal", "a cat", exhibit.Maps), "This text stopped after 2 of at most 6 steps."},
		{note(nil, "bert", "a cat", exhibit.Maps), ""},
		{note(steps, "universal", "a cat", exhibit.Show(method.Rollout)), "This text stopped after 2 of at most 6 steps. "},
		{note(func(res *engine.Result) { res.Generated = &predict.Generation{Text: "cat a"} }, "encoder-decoder", "a cat",
			exhibit.Maps), "Its decoder then writes “cat a”; the page of this model shows"},
	} {
		if !strings.Contains(c.got, c.want) || c.want == "" && c.got != "" {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

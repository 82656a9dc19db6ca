package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/predict"
	"attnatlas/engine/trace"
)

// cutsOf parses a list of cuts.
func cutsOf(t *testing.T, list string) (cuts []ablation.Cut) {
	t.Helper()
	for one := range strings.SplitSeq(list, ",") {
		c, ok := ablation.ParseCut(one)
		if !ok {
			t.Fatalf("%q is no cut", one)
		}
		cuts = append(cuts, c)
	}
	return cuts
}

// answered returns the answers of a model other than its maps.
func answered(m engine.Result) string { return fmt.Sprint(m.Predictions, m.Guesses) }

// others returns the predictions except the one at a blocked word, whose position still has its own state.
func others(m engine.Result, at int) (list []predict.Prediction) {
	for _, p := range m.Predictions {
		if p.At != at {
			list = append(list, p)
		}
	}
	return list
}

// TestCutWordsChangeNoGuess: with a word blocked, every model's other predictions and classes are the same for any
// word there, to the last digit. Without the cut they differ.
func TestCutWordsChangeNoGuess(t *testing.T) {
	e, ids := everything(t)
	ask := func(text string, cuts ablation.Cuts) []engine.Result {
		return inspect(t, e, engine.Request{Text: text, Mechanisms: ids, Cuts: cuts}).Mechanisms
	}
	const a, b, place = "the cat sat on [MASK] mat", "the dog sat on [MASK] mat", 3
	word := ablation.Cuts{All: cutsOf(t, "word:3")}
	whole, other := ask(a, ablation.Cuts{}), ask(b, ablation.Cuts{})
	cutA, cutB := ask(a, word), ask(b, word)
	for i, m := range cutA {
		if m.Err != nil {
			t.Errorf("%s: %v", m.ID, m.Err)
			continue
		}
		if answered(whole[i]) == answered(other[i]) {
			t.Errorf("%s answers the same for both texts anyway", m.ID)
		}
		if got, want := fmt.Sprint(others(m, place-1), m.Guesses), fmt.Sprint(others(cutB[i], place-1),
			cutB[i].Guesses); got != want {
			t.Errorf("%s: the word is cut, yet it says\n%s\n%s", m.ID, got, want)
		}
		if answered(m) == answered(whole[i]) {
			t.Errorf("%s: the cut changes nothing", m.ID)
		}
		if ablation.JoinCuts(m.Cut) != "word:3" {
			t.Errorf("%s says that %q is cut", m.ID, ablation.JoinCuts(m.Cut))
		}
	}
}

// TestCutsOfOneMechanism: a cut of one card leaves the others unchanged, to the bit.
func TestCutsOfOneMechanism(t *testing.T) {
	e, ids := everything(t)
	ask := func(cuts ablation.Cuts) []engine.Result {
		return inspect(t, e, engine.Request{Text: "the cat sat on [MASK] mat", Mechanisms: ids, Cuts: cuts}).Mechanisms
	}
	whole, cut := ask(ablation.Cuts{}), ask(ablation.Cuts{Own: map[string][]ablation.Cut{"dense": cutsOf(t,
		"head:1.2,cell:2.1.5.3")}})
	for i, m := range cut {
		same := answered(m) == answered(whole[i])
		if m.ID == "dense" == same || (len(m.Cut) > 0) == same {
			t.Errorf("%s answers the same: %v", m.ID, same)
		}
		if m.ID == "dense" && (!slices.Equal(m.Layers[0].CutHeads, []bool{false, true, false, false}) ||
			m.Layers[1].CutHeads != nil) {
			t.Errorf("heads %v and %v are cut", m.Layers[0].CutHeads, m.Layers[1].CutHeads)
		}
	}
}

// TestCutsAreRefusedWithAReason: a mechanism refuses exactly the cuts that are not defined for it, with the reason.
func TestCutsAreRefusedWithAReason(t *testing.T) {
	e, ids := everything(t)
	for list, why := range map[string]func(m engine.Result) messages.Message{
		"word:2":            func(m engine.Result) messages.Message { return m.Entry.Masks.NoPadding },
		"head:2.1":          func(m engine.Result) messages.Message { return m.Entry.NoHeads },
		"cell:4.2":          func(m engine.Result) messages.Message { return m.Entry.Masks.NoPairs },
		"cell:1.all.4.2":    func(m engine.Result) messages.Message { return m.Entry.Masks.NoPairs },
		"word:2,cell:4.2":   func(m engine.Result) messages.Message { return m.Entry.Masks.NoPairs },
		"cell:2.3.4.2":      func(m engine.Result) messages.Message { return m.Entry.Masks.NoPairs },
		"head:1.1,head:1.2": func(m engine.Result) messages.Message { return m.Entry.NoHeads },
	} {
		for _, m := range inspect(t, e, engine.Request{Text: "a cat sat", Mechanisms: ids,
			Cuts: ablation.Cuts{All: cutsOf(t, list)}}).Mechanisms {
			refused(t, m, why(m))
		}
	}
	for list, want := range map[string]string{
		"word:9": "has 5 tokens, and no word 9", "cell:9.1": "no word 9", "head:3.1": "has 2 layers, and no layer 3",
		"head:1.5":     "has 4 heads, and no head 5",
		"cell:3.1.2.2": "no layer 3", "cell:1.7.2.2": "no head 7", "word:1,word:2,word:3,word:4,word:5": "Keep at least one",
	} {
		m := inspect(t, e, engine.Request{Text: "a cat sat", Mechanisms: []string{"dense"},
			Cuts: ablation.Cuts{All: cutsOf(t, list)}}).Mechanisms[0]
		if m.Err == nil || !strings.Contains(m.Err.Error(), want) {
			t.Errorf("%s: %v", list, m.Err)
		}
	}
}

// TestCutRows: rows of weights sum to 1, or to 0 if nothing is left to attend to; ablated cells are 0.
func TestCutRows(t *testing.T) {
	e, ids := everything(t)
	list := cutsOf(t, "word:1,word:4")
	for _, m := range inspect(t, e, engine.Request{Text: "a cat sat on it", Mechanisms: ids,
		Cuts: ablation.Cuts{All: list}}).Mechanisms {
		for _, layer := range m.Layers {
			for _, shown := range layer.Maps {
				_, keys := shown.Has(trace.Key)
				if !keys || shown.Kind != trace.Probability || shown.Axes[len(shown.Axes)-1].Role != trace.Key {
					continue
				}
				n := shown.Value.Dim(-1)
				for row := range shown.Value.Len() / n {
					values, sum := shown.Value.Data[row*n:][:n], 0.0
					for _, v := range values {
						sum += float64(v)
					}
					backwards := m.Stack != nil && m.Stack.ID == "gpt2" && row%n == 0
					if values[0] != 0 && m.Entry.Masks.EmptyRow.Pairs != "itself" || !(sum > 0.9999 && sum < 1.0001) &&
						!(backwards && sum == 0) {
						t.Fatalf("%s, %s, row %d: %v", m.ID, shown.Name, row, values)
					}
				}
			}
		}
	}
}

// TestRolloutWithoutHeads: weights of ablated heads do not count in rollout. Without any head, each word comes from
// itself alone.
func TestRolloutWithoutHeads(t *testing.T) {
	e, _ := everything(t)
	ask := func(list string) trace.Map {
		r := engine.Request{Text: "a cat sat", Mechanisms: []string{"dot-product"},
			Method: method.Measurement{Name: method.Rollout}}
		if list != "" {
			r.Cuts.All = cutsOf(t, list)
		}
		m, _ := inspect(t, e, r).Mechanisms[0].Layers[0].Find(method.Rollout)
		return m
	}
	if slices.Equal(ask("").Value.Data, ask("head:1.2").Value.Data) {
		t.Error("a head that is cut still counts")
	}
	for i, v := range ask("head:1.1,head:1.2,head:1.3,head:1.4").Value.Data {
		if want := i/5 == i%5; want != (v == 1) || !want && v != 0 {
			t.Errorf("without heads, %d is %v", i, v)
		}
	}
}

// TestCutsInARace: masked words are predicted without the ablated parts. With the word before blocked, every model's
// prediction is the same for any word there, also that of the causal model.
func TestCutsInARace(t *testing.T) {
	e, ids := everything(t)
	guess := func(word string, cuts ablation.Cuts) []engine.Result {
		text := "the " + word + " sat on [MASK] mat"
		return inspect(t, e, engine.Request{Text: text, Mechanisms: ids, Cuts: cuts,
			Race: predict.HiddenWords{Truth: strings.Replace(text, "[MASK]", "the", 1)}}).Mechanisms
	}
	cut := ablation.Cuts{All: cutsOf(t, "word:3,word:8")}
	whole, a, b := guess("cat", ablation.Cuts{}), guess("cat", cut), guess("dog", cut)
	for i, m := range a {
		if m.Err != nil || len(m.Attempts) != 1 {
			t.Fatalf("%s: %v, %d words", m.ID, m.Err, len(m.Attempts))
		}
		if fmt.Sprint(m.Attempts) != fmt.Sprint(b[i].Attempts) {
			t.Errorf("%s guesses otherwise when another word is cut", m.ID)
		}
		if fmt.Sprint(m.Attempts) == fmt.Sprint(whole[i].Attempts) {
			t.Errorf("%s guesses the same without the cut", m.ID)
		}
	}
}

// TestCutsOfTwoStacks: cuts of an encoder–decoder's text apply to its encoder. The decoder does not attend to a
// blocked word either, so nothing that is written depends on it.
func TestCutsOfTwoStacks(t *testing.T) {
	const id = "encoder-decoder"
	e := writer(t)
	ask := func(text, list string) engine.Result {
		cuts := ablation.Cuts{}
		if list != "" {
			cuts.Own = map[string][]ablation.Cut{id: cutsOf(t, list)}
		}
		m := inspect(t, e, engine.Request{Text: text, Mechanisms: []string{id}, Cuts: cuts}).Mechanisms[0]
		if m.Err != nil {
			t.Fatalf("%s: %v", list, m.Err)
		}
		return m
	}
	const a, b = "the old cat sat here", "the old dog sat here"
	steps := func(m engine.Result) string { return fmt.Sprint(m.Generated.Text, m.Generated.Steps) }
	weights := func(l engine.Layer) trace.Map {
		m, ok := l.Find("weights")
		if !ok {
			t.Fatal("no weights")
		}
		return m
	}
	whole := ask(a, "")
	if steps(whole) == steps(ask(b, "")) {
		t.Error("both texts are written alike anyway")
	}
	cut := ask(a, "word:4")
	if steps(cut) != steps(ask(b, "word:4")) || steps(cut) == steps(whole) {
		t.Errorf("with the word cut it writes\n%s\n%s", steps(cut), steps(ask(b, "word:4")))
	}
	cross, _ := cut.Part(engine.CrossPart)
	for _, l := range append(slices.Clone(cut.Layers), cross.Layers...) {
		m := weights(l).Value
		for row := range m.Len() / m.Dim(-1) {
			if v := m.Data[row*m.Dim(-1)+3]; v != 0 {
				t.Fatalf("layer %d, row %d: the cut word has %v", l.Number, row, v)
			}
		}
	}
	cell := ask(a, "cell:1.2.3.2")
	before, after := weights(whole.Layers[0]).Value, weights(cell.Layers[0]).Value
	for i, v := range after.Data {
		n := after.Dim(-1)
		col, row, head := i%n, i/n%n, i/n/n
		switch {
		case head != 1 || row != 2:
			if v != before.Data[i] {
				t.Fatalf("head %d, row %d, column %d is %v, was %v", head, row, col, v, before.Data[i])
			}
		case (v == 0) != (col == 1):
			t.Errorf("column %d of the row with the cut is %v", col, v)
		}
	}
	if steps(cell) == steps(whole) || !slices.Equal(weights(cell.Layers[1]).Value.Data,
		weights(ask(a, "cell:1.2.3.2").Layers[1]).Value.Data) {
		t.Error("the cell makes no difference, or not the same each time")
	}
	head := ask(a, "head:2.3")
	if !slices.Equal(head.Layers[1].CutHeads, []bool{false, false, true, false}) || head.Layers[0].CutHeads != nil ||
		steps(head) == steps(whole) {
		t.Errorf("heads %v and %v are cut", head.Layers[0].CutHeads, head.Layers[1].CutHeads)
	}
	for list, want := range map[string]string{"head:9.1": "no layer 9", "word:99": "no word 99", "head:1.7": "no head 7"} {
		m := inspect(t, e, engine.Request{Text: a, Mechanisms: []string{id},
			Cuts: ablation.Cuts{All: cutsOf(t, list)}}).Mechanisms[0]
		if m.Err == nil || !strings.Contains(m.Err.Error(), want) {
			t.Errorf("%s: %v", list, m.Err)
		}
	}
}

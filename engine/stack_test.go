package engine_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// stacks returns small untrained models by their ids.
func stacks(t *testing.T, ids ...string) (engine.CheckpointFinder, map[string]*encoder.Model) {
	t.Helper()
	files, models := map[string][]byte{}, map[string]*encoder.Model{}
	for _, id := range ids {
		stack, mechanism, err := encoder.Parse(id)
		if err != nil {
			t.Fatal(err)
		}
		entry, _ := encoder.FindStack(stack)
		c := encoder.Config{Stack: stack, Mechanism: mechanism, Layers: 3, Width: 16, Heads: 4, Inner: 16, Length: length,
			Vocab: tokenizer.Default().Size(), Objective: entry.Objective}
		entry.Defaults(&c)
		m, err := encoder.New(c, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range m.Params { // far enough from 0 that every parameter matters
			for i := range p.Value.Data {
				p.Value.Data[i] += tensor.Elem(math.Sin(float64(i*7+len(p.Name)))) / 5
			}
		}
		meta, err := checkpoint.Metadata(c, checkpoint.Info{Mechanism: mechanism, Stack: stack, Length: length,
			Score: scores(c)})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := checkpoint.Write(&b, checkpoint.Arrays(m.Params), meta, checkpoint.All(checkpoint.Single)); err != nil {
			t.Fatal(err)
		}
		files[id], models[id] = b.Bytes(), m
	}
	return func(id string) ([]byte, bool) { data, ok := files[id]; return data, ok }, models
}

// TestStacksAnswerLikeMechanisms: name and paper are the architecture's, the maps of a layer its mixer's.
func TestStacksAnswerLikeMechanisms(t *testing.T) {
	ids := []string{"encoder", "bert", "albert", "albert.linformer", "gpt2"}
	from, _ := stacks(t, ids...)
	rep := inspect(t, engine.NewFrom(from), engine.Request{Text: "The cat sat on the mat.", Mechanisms: ids})
	for i, m := range rep.Mechanisms {
		if m.Err != nil || len(m.Layers) != 3 || m.Heads != 4 || m.Stack == nil {
			t.Fatalf("%s: %+v", m.ID, m)
		}
		if m.Entry.ID != ids[i] || m.Entry.Paper.Title != m.Stack.Paper.Title ||
			!strings.HasPrefix(m.Entry.Name.String(), m.Stack.Name.String()) {
			t.Errorf("%s is called %s, by %s", m.ID, m.Entry.Name, m.Entry.Paper.Title)
		}
		for _, l := range m.Layers {
			for _, v := range m.Entry.Views {
				if shown, ok := l.Find(v.Map); !ok {
					t.Errorf("%s %s: no map %s", m.ID, l.Name, v.Map)
				} else if err := fits(shown, len(rep.Tokens), 4, false); err != nil {
					t.Errorf("%s %s: %v", m.ID, v.Map, err)
				}
			}
		}
	}
	weights, _ := rep.Mechanisms[4].Layers[2].Find("weights")
	if weights.Value.At(0, 2, 3) != 0 || weights.Value.At(0, 3, 2) == 0 || weights.Reach == nil || weights.Reach(2, 3) ||
		!weights.Reach(3, 2) {
		t.Error("gpt2 reads what comes later, or does not say that it cannot")
	}
	if name := rep.Mechanisms[3].Entry.Name; name.String() != "ALBERT with "+attention.Linformer.Name.String() {
		t.Errorf("a combination is called %q", name)
	}
}

// TestPairs: both texts stand between their own special tokens. The tokens know their positions in the text, and the
// model gets their segments.
func TestPairs(t *testing.T) {
	const text = "The cat sat. ||| It was tired."
	from, models := stacks(t, "bert", "gpt2")
	e := engine.NewFrom(from)
	rep := inspect(t, e, engine.Request{Text: text, Mechanisms: []string{"bert", "gpt2"}})
	var pieces []string
	ids, separators := []int{}, 0
	for i, token := range rep.Tokens {
		pieces, ids = append(pieces, token.Piece), append(ids, token.ID)
		if token.Start < token.End && text[token.Start:token.End] != token.Text {
			t.Errorf("%q comes from %q", token.Text, text[token.Start:token.End])
		}
		if rep.Segments[i] != min(separators, 1) {
			t.Errorf("token %d, %s, is in segment %d", i, token.Piece, rep.Segments[i])
		}
		if token.ID == e.Vocabulary().SEP() {
			separators++
		}
	}
	if got := strings.Join(pieces, " "); got != "[CLS] the cat sat . [SEP] it was tired . [SEP]" {
		t.Fatal(got)
	}
	p := nn.NewPass(ad.NewFrozen())
	x := models["bert"].Run(p, encoder.Input{IDs: ids, Types: rep.Segments, Count: 1})
	scores := models["bert"].Classify(p, x, 0).Value.Data
	want := 1 / (1 + math.Exp(float64(scores[1]-scores[0])))
	guess := rep.Mechanisms[0].Guesses
	if len(guess) != 1 || guess[0].Task != "next sentence" {
		t.Fatalf("%+v", guess)
	}
	for _, c := range guess[0].Classes {
		if c.Name == "follows" && math.Abs(c.P-want) > 1e-5 {
			t.Errorf("B follows A with %v, not %v", c.P, want)
		}
	}
	weights, _ := rep.Mechanisms[0].Layers[0].Find("weights")
	for _, a := range weights.Axes[1:] {
		if !slices.Equal(a.Labels, tokenizer.Labels(rep.Tokens)) || !a.Text || a.Seam != 6 {
			t.Errorf("an axis has the labels %v, and the second text begins at %d", a.Labels, a.Seam)
		}
	}
	if len(rep.Mechanisms[1].Guesses) != 0 || rep.Mechanisms[1].Err != nil {
		t.Errorf("gpt2: %+v", rep.Mechanisms[1])
	}
	for one, words := range map[string]int{"The cat sat.": 4, "The cat sat. |||": 4, "||| It was": 2, "|||": 0,
		"a ||| b ||| c": 6} {
		tokens, segments := e.Vocabulary().EncodePair(one)
		marks := 2
		if segments != nil {
			marks = 3
		}
		if pair := one == "a ||| b ||| c"; (segments != nil) != pair || !pair && len(tokens)-marks != words {
			t.Errorf("%q: %d tokens, segments %v", one, len(tokens), segments)
		}
	}
	if rep := inspect(t, e, engine.Request{Text: "The cat sat.",
		Mechanisms: []string{"bert"}}); len(rep.Mechanisms[0].Guesses) != 0 {
		t.Error("one text is judged as a pair")
	}
	if _, err := e.Inspect(context.Background(), engine.Request{Text: " ||| "}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("an empty pair: %v", err)
	}
}

// TestPredictions: the most probable words at every [MASK], or after every token, have the largest of the model's
// scores.
func TestPredictions(t *testing.T) {
	from, models := stacks(t, "bert", "albert", "gpt2")
	e := engine.NewFrom(from)
	rep := inspect(t, e, engine.Request{Text: "The [MASK] sat on [MASK].", Mechanisms: []string{"bert", "albert", "gpt2"}})
	var ids []int
	for _, token := range rep.Tokens {
		ids = append(ids, token.ID)
	}
	for _, m := range rep.Mechanisms {
		at := []int{2, 5}
		if m.ID == "gpt2" {
			at = []int{0, 1, 2, 3, 4, 5, 6}
		}
		if len(m.Predictions) != len(at) {
			t.Fatalf("%s: %d predictions", m.ID, len(m.Predictions))
		}
		p := nn.NewPass(ad.NewFrozen())
		scores := models[m.ID].Words(p, models[m.ID].Encode(p, ids, 1), at).Value
		for i, got := range m.Predictions {
			if got.At != at[i] || got.Next != (m.ID == "gpt2") || len(got.Words) != predict.TopWords {
				t.Fatalf("%s: %+v", m.ID, got)
			}
			probs := make([]tensor.Elem, scores.Dim(1))
			tensor.SoftmaxRows(probs, scores.Sub(i).Data, len(probs))
			best := 0
			for w, v := range probs {
				if v > probs[best] {
					best = w
				}
			}
			if got.Words[0].Piece != e.Vocabulary().Piece(best) || math.Abs(got.Words[0].P-float64(probs[best])) > 1e-6 {
				t.Errorf("%s at %d: %+v, not %s with %v", m.ID, at[i], got.Words[0], e.Vocabulary().Piece(best), probs[best])
			}
			for k := range got.Words[1:] {
				if got.Words[k+1].P > got.Words[k].P {
					t.Errorf("%s: words are not sorted: %+v", m.ID, got.Words)
				}
			}
		}
	}
	plain := inspect(t, e, engine.Request{Text: "The cat sat.", Mechanisms: []string{"bert"}})
	if len(plain.Mechanisms[0].Predictions) != 0 {
		t.Error("words are guessed that nobody hid")
	}
}

// TestWhatIsNoStack: ids without a model are refused with a reason.
func TestWhatIsNoStack(t *testing.T) {
	from, _ := stacks(t, "bert")
	rep := inspect(t, engine.NewFrom(from), engine.Request{Text: "a",
		Mechanisms: []string{"gpt2.linformer", "bert.telepathy", "gpt2"}})
	for i, want := range []struct {
		kind fault.Kind
		says string
	}{{fault.Unsupported, attention.Linformer.Masks.NoCausal.String()}, {fault.NotFound, "No mechanism named"},
		{fault.NotFound, "No trained model"}} {
		if err := rep.Mechanisms[i].Err; fault.KindOf(err) != want.kind || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%s: %v", rep.Mechanisms[i].ID, err)
		}
	}
}

// TestInfluenceInStacks: influence is that of the layer's mixer with the layer's input, also if layers share the
// mixer. In gpt2, later positions have none.
func TestInfluenceInStacks(t *testing.T) {
	from, models := stacks(t, "albert", "gpt2")
	rep := inspect(t, engine.NewFrom(from), engine.Request{Text: "The cat sat on the mat.",
		Mechanisms: []string{"albert", "gpt2"}, Method: method.Measurement{Name: method.Influence, Layer: 3}})
	in := encoder.Input{Count: 1}
	for _, token := range rep.Tokens {
		in.IDs = append(in.IDs, token.ID)
	}
	mixing := func(id string, layer int) *encoder.Mixing {
		p := nn.NewPass(ad.NewFrozen())
		at := encoder.Observe(p, layer)
		models[id].Run(p, in)
		return at
	}
	for _, m := range rep.Mechanisms {
		if m.Err != nil {
			t.Fatal(m.Err)
		}
		shown, ok := m.Layers[2].Find(method.Influence)
		if !ok {
			t.Fatalf("%s: no influence", m.ID)
		}
		at := mixing(m.ID, 3)
		want := metrics.Influence(at.Mixer, at.X, at.Mask)
		for i, v := range shown.Value.Data {
			if d := math.Abs(float64(v - want.Data[i])); !(d <= 1e-4*float64(want.Data[0]+1)) {
				t.Fatalf("%s: %v, not %v", m.ID, v, want.Data[i])
			}
		}
		if later := shown.Value.At(2, 4); (later == 0) != (m.ID == "gpt2") || (shown.Reach != nil) != (m.ID == "gpt2") {
			t.Errorf("%s: what comes later has the influence %v", m.ID, later)
		}
	}
	second, third := mixing("albert", 2), mixing("albert", 3)
	if second.Mixer != third.Mixer || slices.Equal(second.X.Data, third.X.Data) {
		t.Error("layers 2 and 3 of albert are not the same mixer with other words")
	}
	if mixing("albert", 4).Mixer != nil {
		t.Error("there is a fourth layer")
	}
}

package engine_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// likelihoods returns the model's probabilities of all tokens of the vocabulary at one position of a text.
func likelihoods(m *encoder.Model, ids []int, at int) []float64 {
	p := nn.NewPass(ad.NewFrozen())
	x := m.Run(p, encoder.Input{Count: 1, IDs: ids})
	scores := m.Words(p, x, []int{at}).Value.Data
	sum, all := 0.0, make([]float64, len(scores))
	for i, v := range scores {
		all[i] = math.Exp(float64(v))
		sum += all[i]
	}
	for i := range all {
		all[i] /= sum
	}
	return all
}

// TestRace: a masked word has the probability and the rank that its model gives it; for several tokens it is the
// product of their probabilities. GPT-2 reads the text before each token, and no [MASK].
func TestRace(t *testing.T) {
	from, models := stacks(t, "bert", "gpt2")
	vocab := tokenizer.Default()
	const truth, hidden = "The recondite cat sat", "The [MASK][MASK][MASK] cat sat"
	rep := inspect(t, engine.NewFrom(from), engine.Request{Text: hidden,
		Mechanisms: []string{"bert", "gpt2", "encoder-decoder"}, Race: predict.HiddenWords{Truth: truth}})
	shown, masked := idsIn(vocab, truth), idsIn(vocab, hidden)
	for _, res := range rep.Mechanisms[:2] {
		if len(res.Attempts) != 1 || res.Attempts[0].First != 2 || res.Attempts[0].Last != 5 || len(res.Layers) != 0 {
			t.Fatalf("%s: %+v, %d layers", res.ID, res.Attempts, len(res.Layers))
		}
		a, product := res.Attempts[0], 1.0
		for i, piece := range a.Pieces {
			at, ids := 2+i, masked
			if res.ID == "gpt2" {
				at, ids = at-1, shown[:2+i]
			}
			p := likelihoods(models[res.ID], ids, at)
			id := shown[2+i]
			rank := 1
			for _, v := range p {
				if v > p[id] {
					rank++
				}
			}
			if piece.Truth.Piece != vocab.Piece(id) || math.Abs(piece.Truth.P-p[id]) > 1e-6 || piece.Rank != rank ||
				len(piece.Words) != predict.TopWords {
				t.Errorf("%s, piece %d: %+v, want %v with rank %d", res.ID, i, piece, p[id], rank)
			}
			if top := slices.Max(p); math.Abs(piece.Words[0].P-top) > 1e-6 {
				t.Errorf("%s, piece %d: the likeliest has %v, want %v", res.ID, i, piece.Words[0].P, top)
			}
			product *= p[id]
		}
		if math.Abs(a.Truth()-product) > 1e-9 || !a.Known() || a.Right() {
			t.Errorf("%s: %v, want %v; known %v, right %v", res.ID, a.Truth(), product, a.Known(), a.Right())
		}
	}
	if err := rep.Mechanisms[2].Err; err == nil {
		t.Error("a model guesses that nobody has trained")
	}
}

func idsIn(v *tokenizer.Vocabulary, text string) (ids []int) {
	for _, t := range v.Encode(text) {
		ids = append(ids, t.ID)
	}
	return ids
}

// TestRaceInTurns: every word is masked once, and predicted as if it alone were masked. Unknown words are not masked
// in turn, and their predictions have no truth.
func TestRaceInTurns(t *testing.T) {
	from, _ := stacks(t, "bert", "gpt2")
	e := engine.NewFrom(from)
	ids := []string{"bert", "gpt2"}
	const truth = "The recondite cat [MASK]."
	turns := inspect(t, e, engine.Request{Text: "The recondite [MASK] [MASK].", Mechanisms: ids,
		Race: predict.HiddenWords{Truth: truth, Turns: true}})
	one := inspect(t, e, engine.Request{Text: "The recondite [MASK] [MASK].", Mechanisms: ids,
		Race: predict.HiddenWords{Truth: truth}})
	for i, res := range turns.Mechanisms {
		var first []int
		for _, a := range res.Attempts {
			first = append(first, a.First)
		}
		if !slices.Equal(first, []int{1, 2, 5, 7}) {
			t.Fatalf("%s: words at %v", res.ID, first)
		}
		alone := one.Mechanisms[i].Attempts
		if len(alone) != 2 || alone[0].Truth() != res.Attempts[2].Truth() ||
			alone[0].Pieces[0].Words[3] != res.Attempts[2].Pieces[0].Words[3] {
			t.Errorf("%s: %+v in its turn, %+v alone", res.ID, res.Attempts[2], alone)
		}
		if g := alone[1].Pieces[0]; alone[1].Known() || alone[1].Right() || g.Rank != 0 || len(g.Words) != predict.TopWords {
			t.Errorf("%s knows what nobody does: %+v", res.ID, g)
		}
	}
}

// TestRaceRefuses: the truth of another text is refused. The cost grows with the number of masked words.
func TestRaceRefuses(t *testing.T) {
	from, _ := stacks(t, "bert")
	e := engine.NewFrom(from)
	rep := inspect(t, e, engine.Request{Text: "a [MASK]", Mechanisms: []string{"bert"},
		Race: predict.HiddenWords{Truth: "a recondite cat"}})
	if err := rep.Mechanisms[0].Err; fault.KindOf(err) != fault.Invalid {
		t.Errorf("another text: %v", err)
	}
	cost := func(r predict.HiddenWords) engine.Cost {
		return e.Cost(engine.Request{Text: "The [MASK] sat on the mat.", Mechanisms: []string{"bert"}, Race: r})
	}
	one, all := cost(predict.HiddenWords{Truth: "The cat sat on the mat."}),
		cost(predict.HiddenWords{Truth: "The cat sat on the mat.", Turns: true})
	if one.Operations <= 0 || one.Bytes <= 0 || math.Abs(all.Operations/one.Operations-7) > 1e-9 ||
		all.Bytes != 7*one.Bytes {
		t.Errorf("one word costs %+v, seven %+v", one, all)
	}
}

// TestRaceCuts: a model predicts the same on the board and on its card, with the same cuts.
func TestRaceCuts(t *testing.T) {
	from, _ := stacks(t, "bert", "gpt2")
	e := engine.NewFrom(from)
	const text = "The cat [MASK] on the mat."
	ids := []string{"bert", "gpt2"}
	seen := map[string]bool{}
	for _, cut := range []string{"", "word:3", "head:2.3", "cell:4.3", "word:6"} {
		var cuts ablation.Cuts
		if c, ok := ablation.ParseCut(cut); ok {
			cuts.All = []ablation.Cut{c}
		}
		card := inspect(t, e, engine.Request{Text: text, Mechanisms: ids, Cuts: cuts})
		board := inspect(t, e, engine.Request{Text: text, Mechanisms: ids, Cuts: cuts,
			Race: predict.HiddenWords{Truth: "The cat sat on the mat."}})
		for i, res := range board.Mechanisms {
			want := card.Mechanisms[i].Predictions[0]
			if res.ID == "gpt2" {
				want = card.Mechanisms[i].Predictions[2] // after cat
			}
			got := res.Attempts[0].Pieces[0].Words
			if got[0].Piece != want.Words[0].Piece || math.Abs(got[0].P-want.Words[0].P) > 1e-7 {
				t.Errorf("%s, %q: %+v on the board, %+v on the card", res.ID, cut, got[0], want.Words[0])
			}
			if says := fmt.Sprint(res.ID, got[0].P); seen[says] != (res.ID == "gpt2" && (cut == "word:6" || cut == "cell:4.3")) {
				t.Errorf("%s: cutting %q has an effect: %v", res.ID, cut, !seen[says])
			} else {
				seen[says] = true
			}
		}
	}
}

package exhibit_test

import (
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/enginetest"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/predict"
	"attnatlas/engine/trace"
)

// TestCutCellsAreWhatIsGone: in every mechanism's map, layer and head, a cell drawn as ablated is 0 or belongs to
// an ablated head. The column of a blocked word is drawn as ablated; no other cell is.
func TestCutCellsAreWhatIsGone(t *testing.T) {
	e := enginetest.EveryModel(t)
	ids := append(engine.IDs(), "bert", "gpt2", "reversible")
	for _, id := range ids {
		entry, _, _ := engine.Find(id)
		list := "word:3"
		if entry.NoHeads.IsZero() {
			list += ",head:1.2"
		}
		if entry.Masks.NoPairs.IsZero() {
			list += ",cell:2.1.6.2"
		}
		report, err := e.Inspect(t.Context(), engine.Request{Text: "the cat sat on it", Mechanisms: []string{id},
			Cuts: ablation.Cuts{All: ablation.ReadCuts(list)}})
		if err != nil || report.Mechanisms[0].Err != nil {
			t.Fatal(id, err, report.Mechanisms[0].Err)
		}
		for layer := 1; layer <= 2; layer++ {
			for head := exhibit.Mean; head <= 2; head++ {
				checkCut(t, exhibit.Select(report, exhibit.Choice{Layer: layer, Head: head}), id)
			}
		}
	}
}

func checkCut(t *testing.T, s *exhibit.Selection, id string) {
	t.Helper()
	x, err := s.Exhibit(id, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	g := x.Grid()
	gone := x.PerHead() && x.Number == 2 && x.Layer.Number == 1
	for i, class := range g.Class {
		row, col := i/g.Cols, i%g.Cols
		cell := row == 5 && col == 1 && x.Layer.Number == 2 && x.Number == 1
		switch v := x.Map.Value.Data[i]; {
		case class == figure.Cut && !gone && col != 2 && !cell:
			t.Errorf("%s, layer %d, head %d: cell %d.%d was not cut", id, x.Layer.Number, x.Number, row, col)
		case class == figure.Cut && v != 0 && !gone && x.Map.Kind != trace.Count:
			t.Errorf("%s, layer %d, head %d: cell %d.%d is %v and drawn as cut", id, x.Layer.Number, x.Number, row, col, v)
		case class != figure.Cut && (gone || col == 2 && v == 0):
			t.Errorf("%s, layer %d, head %d: cell %d.%d is drawn as %v", id, x.Layer.Number, x.Number, row, col, class)
		}
	}
	if !strings.Contains(x.CutNote().String(), "“cat” (3)") {
		t.Errorf("%s does not say what is cut: %s", id, x.CutNote())
	}
	card, err := s.Card(x.Result)
	if err != nil {
		t.Fatal(err)
	}
	if sums := card.RowSums(); !sums.Holds {
		t.Errorf("%s, layer %d, head %d: %s", id, x.Layer.Number, x.Number, sums.Text)
	}
}

// TestAnswerChanges: predictions before and after an ablation, with the probability that the earlier answer keeps.
func TestAnswerChanges(t *testing.T) {
	guess := func(names ...string) predict.Guess {
		g := predict.Guess{Task: "mood"}
		for i, name := range names {
			g.Classes = append(g.Classes, predict.Class{Name: name, P: 0.5 / float64(i+1)})
		}
		return g
	}
	before := &engine.Result{Guesses: []predict.Guess{guess("good", "bad")},
		Predictions: []predict.Prediction{{At: 4, Words: []predict.Word{{Piece: "mat", P: 0.3}}}}}
	after := &engine.Result{Guesses: []predict.Guess{guess("bad", "good")},
		Predictions: []predict.Prediction{{At: 4, Words: []predict.Word{{Piece: "mat", P: 0.2}}}}}
	got := exhibit.AnswerChanges(before, after, "x")
	if len(got) != 2 || got[0].Was.String() != "good" || got[0].Is.String() != "bad" || got[0].Left != 0.25 ||
		got[0].Same {
		t.Fatalf("%+v", got)
	}
	if word := got[1]; !word.Same || word.WasP != 0.3 || word.IsP != 0.2 || word.Task.String() != "word 5" {
		t.Errorf("%+v", word)
	}
	for i := range after.Predictions {
		after.Predictions[i].Next, before.Predictions[i].Next = true, true
	}
	after.Predictions = append(after.Predictions,
		predict.Prediction{At: 5, Next: true, Words: []predict.Word{{Piece: "sat", P: 0.4}}})
	before.Predictions = append(before.Predictions,
		predict.Prediction{At: 5, Next: true, Words: []predict.Word{{Piece: "ran", P: 0.4}}})
	if got := exhibit.AnswerChanges(before, after, "x"); len(got) != 2 || got[1].Task.String() != "the next word" ||
		got[1].Was.String() != "ran" {
		t.Errorf("%+v", got)
	}
}

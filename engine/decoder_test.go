package engine_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// TestStepsOfADecoder: they begin with the memory and what was written, show the maps that the card shows, name the
// words of the text where these are read and those of the answer elsewhere, and end with the word that was written.
func TestStepsOfADecoder(t *testing.T) {
	e := engine.New()
	of := engine.Request{Text: "The old cat sat on it.", Mechanisms: []string{"encoder-decoder"}}
	rep, err := e.Inspect(context.Background(), of)
	if err != nil {
		t.Fatal(err)
	}
	res := rep.Mechanisms[0]
	written := res.Generated.Labels()
	read := append([]string{"[CLS]"}, written[:len(written)-1]...)
	for n := range 2 {
		for word := 1; word <= len(read); word += 2 {
			w, err := e.Steps(context.Background(), engine.StepsRequest{Request: of, Layer: 3 + n, Word: word})
			if err != nil {
				t.Fatal(err)
			}
			if got := tokenizer.Labels(w.Tokens); !slices.Equal(got, read) || w.Word != word || !w.Next || w.List[0].Key != "memory" {
				t.Errorf("layer %d begins with %s, of %q, word %d, next %v", 3+n, w.List[0].Key, got, w.Word, w.Next)
			}
			part := fmt.Sprintf("decoder layer %d", n+1)
			for name, maps := range map[string][]trace.Map{part: res.Parts[1].Layers[n].Maps, part + ", cross": res.Parts[0].Layers[n].Maps} {
				for _, m := range maps {
					i := slices.IndexFunc(w.List, func(s engine.PassStep) bool { return s.Map.Name == m.Name && s.Part == name })
					if i < 0 || !alike(w.List[i].Map.Value, m.Value) {
						t.Errorf("%s: the map %s is not among the steps", name, m.Name)
						continue
					}
					axes, keys := w.List[i].Map.Axes, read
					if strings.HasSuffix(name, "cross") {
						keys = tokenizer.Labels(rep.Tokens)
					}
					if at, ok := m.Has(trace.Key); ok && !slices.Equal(axes[at].Labels, keys) {
						t.Errorf("%s: %s reads %q", name, m.Name, axes[at].Labels)
					}
					if at, ok := m.Has(trace.Query); ok && !slices.Equal(axes[at].Labels, read) {
						t.Errorf("%s: %s is of %q", name, m.Name, axes[at].Labels)
					}
				}
			}
			last := w.List[len(w.List)-1]
			top := res.Generated.Steps[word-1].Top[0]
			if last.Key != "word" || last.Map.Axes[1].Labels[0] != tokenizer.PieceLabel(top.Piece) || math.Abs(float64(last.Map.Value.Data[0])-top.P) > 1e-5 {
				t.Errorf("word %d ends with %s %q %v, not %v", word, last.Key, last.Map.Axes[1].Labels, last.Map.Value.Data, top)
			}
		}
	}
	_, err = e.Steps(context.Background(), engine.StepsRequest{Request: of, Layer: 3, Word: len(read) + 1})
	if err == nil || !strings.Contains(err.Error(), "There is no word") {
		t.Errorf("a word behind the last: %v", err)
	}
	x, err := e.Explain(context.Background(), engine.Question{Request: of, Layer: 4, Map: "weights", At: []int{0, 1, 1}})
	if err != nil || x.Steps[0].Array.Words[1][1] != read[1] || x.Tokens[1] == read[1] {
		t.Errorf("%v: %+v", err, x.Steps[0].Array)
	}
}

// TestToldTheRightAnswer: the rows of the maps are the right answer, whatever is written; where that is right
// the maps are the same.
func TestToldTheRightAnswer(t *testing.T) {
	const text = "The old cat sat on it."
	for e, right := range map[*engine.Engine]bool{engine.New(): true, writer(t): false} {
		r := engine.Request{Text: text, Mechanisms: []string{"encoder-decoder"}}
		wrote := inspect(t, e, r).Mechanisms[0]
		r.Told = true
		told := inspect(t, e, r).Mechanisms[0]
		g := told.Generated
		if g.Right != right || g.Text != wrote.Generated.Text || !slices.Equal(g.Labels(), wrote.Generated.Labels()) || g.Steps[0].Top != nil {
			t.Fatalf("%q: %+v, by itself %+v", text, g, wrote.Generated)
		}
		rows := append(slices.Clone(g.Answer), "[SEP]")
		for i, label := range rows {
			rows[i] = tokenizer.PieceLabel(label)
		}
		for n, part := range told.Parts[:2] { // cross and decoder
			for l, layer := range part.Layers {
				m, _ := layer.Find("weights")
				queries, keys := m.Axes[1], m.Axes[2]
				if !slices.Equal(queries.Labels, rows) || queries.Name != "told" {
					t.Errorf("%q, %s: rows %q %q, the answer is %q", text, part.Name, queries.Name, queries.Labels, rows)
				}
				if part.Name == engine.DecoderPart && !slices.Equal(keys.Labels, append([]string{"[CLS]"}, rows[:len(rows)-1]...)) {
					t.Errorf("%q: the decoder reads %q", text, keys.Labels)
				}
				if by, _ := wrote.Parts[n].Layers[l].Find("weights"); alike(by.Value, m.Value) != right {
					t.Errorf("%q, %s, layer %d: the maps are alike: %v", text, part.Name, l+1, !right)
				}
			}
		}
	}
}

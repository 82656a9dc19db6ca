package explain_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/explain"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// TestStepsOfADecoder: the steps begin with the memory and the written tokens, and show the card's
// maps. They name the tokens of the source text where these are attended to, and those of the
// answer elsewhere. They end with the predicted token.
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
			w, err := explain.New(e).Steps(context.Background(), explain.StepsRequest{Request: of, Layer: 3 + n, Word: word})
			if err != nil {
				t.Fatal(err)
			}
			if got := tokenizer.Labels(w.Tokens); !slices.Equal(got, read) || w.Word != word || !w.Next ||
				w.List[0].Key != "memory" {
				t.Errorf("layer %d begins with %s, of %q, word %d, next %v", 3+n, w.List[0].Key, got, w.Word, w.Next)
			}
			part := fmt.Sprintf("decoder layer %d", n+1)
			for name, maps := range map[string][]trace.Map{part: res.Parts[1].Layers[n].Maps, part +
				", cross": res.Parts[0].Layers[n].Maps} {
				for _, m := range maps {
					i := slices.IndexFunc(w.List, func(s explain.PassStep) bool { return s.Map.Name == m.Name && s.Part == name })
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
			if last.Key != "word" || last.Map.Axes[1].Labels[0] != tokenizer.PieceLabel(top.Piece) ||
				math.Abs(float64(last.Map.Value.Data[0])-top.P) > 1e-5 {
				t.Errorf("word %d ends with %s %q %v, not %v", word, last.Key, last.Map.Axes[1].Labels, last.Map.Value.Data, top)
			}
		}
	}
	_, err = explain.New(e).Steps(context.Background(), explain.StepsRequest{Request: of, Layer: 3, Word: len(read) + 1})
	if err == nil || !strings.Contains(err.Error(), "must be a number from 1 to") {
		t.Errorf("a word behind the last: %v", err)
	}
	x, err := explain.New(e).Explain(context.Background(),
		explain.Question{Request: of, Layer: 4, Map: "weights", At: []int{0, 1, 1}})
	if err != nil || x.Steps[0].Array.Words[1][1] != read[1] || x.Tokens[1] == read[1] {
		t.Errorf("%v: %+v", err, x.Steps[0].Array)
	}
}

package explain_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/enginetest"
	"attnatlas/engine/explain"
)

// TestStepsKnowTheirLines: steps computed in a mechanism's own file know their lines, and its main
// map is one of them.
func TestStepsKnowTheirLines(t *testing.T) {
	e := enginetest.EveryModel(t)
	ids := attention.IDs()
	for _, id := range ids {
		entry, _ := attention.Find(id)
		w, err := explain.New(e).Steps(context.Background(),
			explain.StepsRequest{Request: engine.Request{Text: "The old cat sat on the mat.",
				Mechanisms: []string{id}}, Layer: 1})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(entry.Source.Text, "\n")
		found := map[string]int{}
		for _, s := range w.List {
			if s.Line > len(lines) {
				t.Fatalf("%s: %s is in line %d of %d", id, s.Key, s.Line, len(lines))
			}
			if s.Line > 0 {
				found[s.Key] = s.Line
			}
		}
		for _, name := range []string{"v", "hidden", "logits"} { // recorded in the file itself
			if id == "dense" && (found[name] == 0 || !strings.Contains(lines[found[name]-1], `"`+name+`"`)) {
				t.Errorf("%s is not in line %d", name, found[name])
			}
		}
		main := entry.Views[0].Map
		if !strings.Contains(entry.Source.Text, ") Mix(p *nn.Pass") { // it mixes like another mechanism
			continue
		}
		if len(found) == 0 || found[main] == 0 && slices.ContainsFunc(w.List,
			func(s explain.PassStep) bool { return s.Key == main }) {
			t.Errorf("%s: no line of %s shows the map %q; lines are known of %v", id, entry.Source.Path, main, found)
		}
	}
}

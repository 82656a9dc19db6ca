package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
)

// TestStepsKnowTheirLines: every mechanism is written in a file of its own, in which the steps that only it computes
// are shown; the name of what is shown there by itself is in the line.
func TestStepsKnowTheirLines(t *testing.T) {
	e := engine.New()
	ids := attention.IDs()
	for _, id := range ids {
		entry, _ := attention.Find(id)
		if !strings.Contains(entry.Source.Text, "newEntry(Entry{") {
			t.Errorf("%s is written in %q", id, entry.Source.Path)
		}
		w, err := e.Steps(context.Background(), engine.StepsRequest{Request: engine.Request{Text: "The old cat sat on the mat.", Mechanisms: []string{id}}, Layer: 1})
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
		for _, name := range []string{"v", "hidden", "logits"} { // shown in the file itself
			if id == "dense" && (found[name] == 0 || !strings.Contains(lines[found[name]-1], `"`+name+`"`)) {
				t.Errorf("%s is not in line %d", name, found[name])
			}
		}
		main := entry.Views[0].Map
		if !strings.Contains(entry.Source.Text, ") Mix(p *nn.Pass") { // it mixes as another does
			continue
		}
		if found[main] == 0 && slices.ContainsFunc(w.List, func(s engine.PassStep) bool { return s.Key == main }) || len(found) < 5 {
			t.Errorf("%s: %s has no line: %v", id, main, found)
		}
	}
	for i := range encoder.Stacks {
		if s := &encoder.Stacks[i]; !strings.Contains(s.Source.Text, "newStack(StackEntry{") {
			t.Errorf("%s is written in %q", s.ID, s.Source.Path)
		}
	}
}

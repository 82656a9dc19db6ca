package ablation_test

import (
	"testing"

	"attnatlas/engine/ablation"
)

// TestCutsHaveOneName: ParseCut inverts String, and accepts no other names.
func TestCutsHaveOneName(t *testing.T) {
	for _, name := range []string{"word:1", "word:1000000", "head:2.3", "cell:4.7", "cell:2.3.4.7", "cell:2.all.4.7"} {
		if c, ok := ablation.ParseCut(name); !ok || c.String() != name {
			t.Errorf("%s is %v, %v", name, c, ok)
		}
	}
	for _, name := range []string{"", "word", "word:", "word:0", "word:01", "word:-1", "word:1.2", "word:1000001",
		"head:1", "head:0.1", "head:1.0", "head:1.all", "head:1.2.3",
		"cell:1", "cell:0.1", "cell:1.2.3", "cell:0.0.1.2", "cell:0.1.1.2", "cell:1.0.1.2", "cell:all.1.1.2",
		"cell:1.1.all.2", "cell:4.all", "cell:1.2.3.4.5", "word:all", "Word:1", "word:1 ", "tooth:1", "word:٣",
		"word:99999999999999999999"} {
		if c, ok := ablation.ParseCut(name); ok {
			t.Errorf("%q is %v", name, c)
		}
	}
	sorted := ablation.SortCuts(ablation.ReadCuts("cell:4.7,head:2.3,word:9,word:2,word:9,cell:2.3.4.7"))
	if got := ablation.JoinCuts(sorted); got != "word:2,word:9,head:2.3,cell:4.7,cell:2.3.4.7" {
		t.Errorf("in order they are %s", got)
	}
	cuts := ablation.Cuts{All: ablation.ReadCuts("word:3"),
		Own: map[string][]ablation.Cut{"dense": ablation.ReadCuts("word:3,head:1.1")}}
	if got := cuts.KeyFor([]string{"random", "dense"}); got != "word:3;word:3,head:1.1" {
		t.Errorf("the key is %s", got)
	}
	if (ablation.Cuts{Own: cuts.Own}).KeyFor([]string{"random"}) != "" {
		t.Error("cuts of others are part of a key")
	}
}

// FuzzParseCut: a parsed cut is written as it was read, and none of its numbers is negative.
func FuzzParseCut(f *testing.F) {
	for _, seed := range []string{"word:5", "head:2.3", "cell:4.7", "cell:2.all.4.7", "cell:2.3.4.7", "word:+5",
		"cell:1..2", "head:1.2.", "word:5,word:6"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if c, ok := ablation.ParseCut(s); ok && (c.String() != s || c.Col < 0 || c.Row < 0 || c.Layer < 0 || c.Head < 0) {
			t.Errorf("%q is %+v", s, c)
		}
	})
}

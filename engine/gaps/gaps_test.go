package gaps

import (
	"slices"
	"strings"
	"testing"
)

// TestShipped: at least 200 English sentences and 50 Chinese ones, none of them twice.
func TestShipped(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range Shipped() {
		if seen[g.Text] {
			t.Errorf("%q is there twice", g.Text)
		}
		seen[g.Text] = true
		for i, w := range g.Words {
			if w != strings.ToLower(w) || slices.Contains(g.Words[:i], w) {
				t.Errorf("%q: the word %q", g.Text, w)
			}
		}
	}
	for name, list := range map[string]string{"english": english, "chinese": chinese} {
		if n, least := strings.Count(list, "\n"), map[string]int{"english": 200, "chinese": 50}[name]; n < least {
			t.Errorf("%s has %d sentences, want at least %d", name, n, least)
		}
	}
}

func TestParse(t *testing.T) {
	all, err := Parse("A [MASK] ran.\tDog cat\n\nShe [MASK].\tsang\n")
	if err != nil || len(all) != 2 || !all[0].Accepts("dog") || all[0].Accepts("ran") || all[0].Before() != "A" {
		t.Errorf("%+v, %v", all, err)
	}
	for _, wrong := range []string{"", "no gap\tdog", "A [MASK].", "[MASK] [MASK]\ta", "ok [MASK]\ta\nbad"} {
		if all, err := Parse(wrong); err == nil {
			t.Errorf("%q is %+v", wrong, all)
		}
	}
}

// TestFilter: a sentence is found within a text with any word in its gap, whatever the case and punctuation. No
// other sentence is found.
func TestFilter(t *testing.T) {
	all, err := Parse("She opened the [MASK] and walked in.\tdoor\n[MASK] is my name.\tTom\nHow [MASK] are you? I am ten.\told\nHe sat [MASK].\tdown\n鱼在水[MASK]游。\t里\n")
	if err != nil {
		t.Fatal(err)
	}
	f := NewFilter(all)
	for text, want := range map[string]bool{
		"She opened the door and walked in.":                  true,
		`It rained. "she opened the BOX, and walked in!" Yes`: true,
		"She opened the old door and walked in.":              false,
		"She opened the door and walked in it.":               false,
		"Anna is my name":                                     true,
		"Anna is my neighbor":                                 false,
		"How tall are you?":                                   true,
		"He sat up.":                                          true,
		"He sat.":                                             false,
		"鱼在水中游。":                                              true,
		"鱼在水底下游。":                                             false,
		"":                                                    false,
	} {
		if f.Holds(text) != want {
			t.Errorf("%q: %v, want %v", text, !want, want)
		}
	}
}

package messages

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSay(t *testing.T) {
	for _, c := range []struct {
		m    Message
		want string
	}{
		{Message{}, ""},
		{Text("{{.x}}"), "{{.x}}"},
		{New("count.layer", "count", 1), "1 layer"},
		{New("count.layer", "count", 12345), "12\u202f345 layers"},
		{New("count.layer"), "<no value> layers"},
		{New("no.such.id"), "no.such.id"},
	} {
		if got := English.Say(c.m); got != c.want {
			t.Errorf("%v: got %q, want %q", c.m, got, c.want)
		}
	}
}

// TestArgumentsAreNames: only names are between braces, no other template syntax.
func TestArgumentsAreNames(t *testing.T) {
	argument := regexp.MustCompile(`{{\.\w+}}`)
	for id, texts := range English.texts {
		for _, text := range texts {
			if rest := argument.ReplaceAllString(text, ""); strings.Contains(rest, "{{") {
				t.Errorf("%s has an argument that cannot be filled in: %s", id, text)
			}
		}
	}
}

// TestOtherForms: unknown plural forms are rejected, and so are values that are not texts.
func TestOtherForms(t *testing.T) {
	for _, table := range []map[string]any{
		{"a": map[string]any{"other": "x", "few": "y"}}, {"a": map[string]any{"other": "x", "one": "y", "few": "z"}},
		{"a": map[string]any{"b": 1}},
	} {
		if err := newLanguage("en").addTable("", table); err == nil || !strings.HasPrefix(err.Error(), "a") {
			t.Errorf("%v: %v", table, err)
		}
	}
}

func TestEveryIDOnce(t *testing.T) {
	ids := slices.Clone(English.IDs())
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			t.Errorf("%s has two texts", ids[i])
		}
	}
}

// TestEveryLanguageIsComplete: the folder of each language has the same texts as English, with the
// same arguments.
func TestEveryLanguageIsComplete(t *testing.T) {
	folders, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	argument := regexp.MustCompile(`{{.*?}}`)
	arguments := func(texts map[string]string) []string {
		found := argument.FindAllString(texts["other"], -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for _, folder := range folders {
		l := open(folder.Name())
		for _, id := range l.IDs() {
			if English.texts[id] == nil {
				t.Errorf("%s has %s, which nobody says", l.Tag(), id)
			}
		}
		for id, texts := range English.texts {
			if l.texts[id]["other"] == "" {
				t.Errorf("%s has no text %s", l.Tag(), id)
			} else if got, want := arguments(l.texts[id]), arguments(texts); !slices.Equal(got, want) {
				t.Errorf("%s: %s has the arguments %v, in English %v", l.Tag(), id, got, want)
			}
		}
	}
}

// TestIDs covers the ids of parts, arguments and lists.
func TestIDs(t *testing.T) {
	m := Join(", ", New("a", "x", New("b"), "y", []Message{New("c"), Text("d")}), New("e", "z", 1))
	ids := m.IDs()
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"a", "b", "c", "e"}) {
		t.Error(ids)
	}
}

func TestOf(t *testing.T) {
	inner := Errorf("count.layer", "count", 2)
	if got := Of(fmt.Errorf("file: %w", inner)).String(); got != "2 layers" {
		t.Errorf("got %q", got)
	}
	if got := Of(errors.New("plain")).String(); got != "plain" {
		t.Errorf("got %q", got)
	}
}

func BenchmarkSay(b *testing.B) {
	m := New("count.layer", "count", 3)
	for b.Loop() {
		English.Say(m)
	}
}

// TestApostrophes: no text has a straight apostrophe.
func TestApostrophes(t *testing.T) {
	straight := regexp.MustCompile(`\pL'\pL`)
	for id, texts := range English.texts {
		for _, text := range texts {
			if straight.MatchString(text) {
				t.Errorf("%s: %s", id, text)
			}
		}
	}
}

// TestQuote: a visitor’s value gets curly quotes, escaped control characters, and at most 40 characters.
func TestQuote(t *testing.T) {
	for value, want := range map[string]string{
		"": "“”", "a": "“a”", `say "a"`: `“say "a"”`, `\`: `“\\”`, `\"`: `“\\"”`, "a\n\x00\xff": `“a\n\x00\xff”`,
		"\u202e":                `“\u202e”`,
		"a” or “b":              `“a\” or “b”`,
		strings.Repeat("é", 41): "“" + strings.Repeat("é", 40) + "…”",
	} {
		if got := Quote(value); got != want {
			t.Errorf("Quote(%q) = %s, want %s", value, got, want)
		}
	}
}

package highlight_test

import (
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/highlight"
)

// FuzzLines: the pieces of any file join to the file.
func FuzzLines(f *testing.F) {
	for _, text := range []string{"", "package a\n", "package a // b\n\n/* c\n d */ const e = `f\n\tg` + \"h\" + 'i'\n",
		"\x00\"\n'", "`", "`\n", "/*", "a\r\nb // c\r\n", "`a\r\nb`\r\n// ä"} {
		f.Add(text)
	}
	for _, id := range append(engine.IDs(), engine.StackIDs()...) {
		entry, _, _ := engine.Find(id)
		f.Add(entry.Source.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var again strings.Builder
		for i, line := range highlight.Lines(text) {
			if i > 0 {
				again.WriteByte('\n')
			}
			for _, p := range line {
				again.WriteString(p.Text)
			}
		}
		if want := strings.TrimSuffix(text, "\n"); again.String() != want {
			t.Errorf("%q became %q", want, again.String())
		}
	})
}

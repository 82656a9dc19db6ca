package mechanism_test

import (
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/mechanism"
	"attnatlas/web/webtest"
)

// FuzzPieces: the pieces of any file join to the file.
func FuzzPieces(f *testing.F) {
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
		for i, line := range mechanism.Pieces(text) {
			if i > 0 {
				again.WriteByte('\n')
			}
			for _, p := range line.Code {
				again.WriteString(p.Text)
			}
		}
		if want := strings.TrimSuffix(text, "\n"); again.String() != want {
			t.Errorf("%q became %q", want, again.String())
		}
	})
}

// TestSourcePage: every mechanism and architecture has its source file with syntax highlighting.
func TestSourcePage(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, id := range append(engine.IDs(), engine.StackIDs()...) {
		w := webtest.Get(s, "/m/"+id+"/source")
		for _, want := range []string{`id="line-1"`, `<span class="keyword">package</span>`, `<span class="comment">// `} {
			if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d without %s", id, w.Code, want)
			}
		}
	}
	if w := webtest.Get(s, "/m/dence/source"); w.Code != 404 || !strings.Contains(w.Body.String(), "/m/dense") {
		t.Errorf("unknown: %d", w.Code)
	}
}

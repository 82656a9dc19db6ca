package figure

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-text/typesetting/font"
)

func TestLabelsAreMadeVisible(t *testing.T) {
	for in, want := range map[string]string{
		"the": "the", "": "", " the": "␣the", "  ": "␣␣", "a b": "a b", "\n": "⏎", "a\tb": "a⇥b", "x\u00a0": "x␣",
		"\x00": "\uFFFD", "a\xffb": "a\uFFFDb", "\u202Eabc": "abc", "שלום": "שלום",
	} {
		if got := visible(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

func TestLongLabelsLoseTheirMiddle(t *testing.T) {
	for in, want := range map[string]string{
		"internationalization": "interna…ization", "fifteen letters": "fifteen letters",
		strings.Repeat("👩🏽‍💻", 15): strings.Repeat("👩🏽‍💻", 15),
		strings.Repeat("界", 16):    strings.Repeat("界", 7) + "…" + strings.Repeat("界", 7),
	} {
		if got := shorten(in); got != want {
			t.Errorf("%q is cut to %q, want %q", in, got, want)
		}
	}
}

// No label may vanish or show boxes in the scripts that figures promise.
func TestScriptsHaveGlyphs(t *testing.T) {
	ts := typesetters.New().(*typesetter)
	for _, label := range []string{
		"Straße", "Ελλάδα", "Жизнь", "שלום", "مرحبا", "日本語のテキスト", "注意力机制", "注意力機制", "鬱龜體", "한국어", "हिन्दी", "ภาษาไทย", "🙂🚀🌍",
		"␣⏎⇥⟨E2⟩…→↓", "₁₁×÷²⁻⁴",
	} {
		for _, bold := range []bool{false, true} {
			l := ts.line(label, 12, bold)
			if len(l.glyphs) == 0 || l.advance <= 0 {
				t.Errorf("%s vanished", label)
			}
			for _, g := range l.glyphs {
				if g.id == 0 {
					t.Errorf("%s has a character without a glyph", label)
				}
			}
		}
	}
}

// What no font has shows a box: it must not disappear.
func TestUnknownCharactersShowABox(t *testing.T) {
	ts := typesetters.New().(*typesetter)
	l := ts.line("\U00012000", 12, false)
	if len(l.glyphs) != 1 || l.glyphs[0].id != font.GID(0) || len(ts.mask(maskKey{face: sans, size: 12 * 64}).cover) == 0 {
		t.Errorf("a cuneiform sign is set as %+v", l.glyphs)
	}
}

// Hebrew runs from right to left: its first letter stands at the right.
func TestRunsAreInVisualOrder(t *testing.T) {
	ts := typesetters.New().(*typesetter)
	one := func(s string) font.GID { return ts.line(s, 12, false).glyphs[0].id }
	ids := func(s string) (out []font.GID) {
		for _, g := range ts.line(s, 12, false).glyphs {
			out = append(out, g.id)
		}
		return out
	}
	a, b, alef, bet := one("a"), one("b"), one("א"), one("ב")
	for text, want := range map[string][]font.GID{
		"אב": {bet, alef}, "ab": {a, b}, "abאב": {a, b, bet, alef}, "אבab": {a, b, bet, alef},
	} {
		got := ids(text)
		if len(got) != len(want) {
			t.Fatalf("%s has glyphs %v, want %v", text, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s has glyphs %v, want %v", text, got, want)
			}
		}
	}
}

func FuzzLabels(f *testing.F) {
	f.Add("the", "title")
	f.Add("\u202e\u0627\u0301🏽\xff", strings.Repeat("a\u0300", 300))
	f.Fuzz(func(t *testing.T, label, title string) {
		s := Spec{Title: title, Subtitle: label, Map: named(softmaxMap(2, 1, 1), []string{label, title}, []string{title}), Scale: 11}
		figure, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range Formats {
			var b bytes.Buffer
			if err := format.Encode(*figure, &b); err != nil {
				t.Errorf("%s: %v", format.Extension, err)
			}
			if d := xml.NewDecoder(&b); format.Extension == "svg" {
				for err == nil {
					_, err = d.Token()
				}
				if !errors.Is(err, io.EOF) {
					t.Error(err)
				}
			}
		}
	})
}

// TestChineseStandsUpright: over columns, signs of Chinese and emoji are not turned, and stand one over the other in their order; words
// of letters are turned.
func TestChineseStandsUpright(t *testing.T) {
	words := []string{"cat", "注意", "🙂¹", "力"}
	drawnOf(t, Spec{Map: named(softmaxMap(4, 1, 3), nil, words)}, func(p *page, d *drawing) {
		turned, last := map[string]bool{}, 0.0
		for _, x := range textsOf(d) {
			if x.y > float64(p.corner.Y) {
				continue
			}
			turned[x.text] = x.upwards
			if x.text == "注" || x.text == "意" {
				if x.y <= last {
					t.Errorf("%s stands at %g, not below %g", x.text, x.y, last)
				}
				last = x.y
			}
		}
		for _, sign := range []string{"注", "意", "🙂¹", "力"} {
			if up, drawn := turned[sign]; up || !drawn {
				t.Errorf("%s is drawn: %v, turned: %v", sign, drawn, up)
			}
		}
		if !turned["cat"] {
			t.Error("cat is not turned")
		}
	})
}

// TestCaptionsOfEveryScript: LaTeX gets every word of a description, those that its fonts lack as parts of a PDF; files are named after
// the figure, so that two archives fit into one folder.
func TestCaptionsOfEveryScript(t *testing.T) {
	f, err := New(Spec{Name: "dense-layer1-2", Map: softmaxMap(3, 1, 3), Meta: []Meta{{"Description", "attention of 注意 🙂 لأنه 50 %"}}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.TeX(&out); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, one := range archive.File {
		r, err := one.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[one.Name] = string(content)
	}
	document := files["dense-layer1-2-document.tex"]
	if n := strings.Count(document, "{dense-layer1-2-words.pdf}"); n != 4 || !strings.Contains(document, `50 \%`) {
		t.Errorf("%d words are pictures in %s", n, document)
	}
	if !strings.HasPrefix(files["dense-layer1-2-words.pdf"], "%PDF") || !strings.Contains(files["dense-layer1-2.tex"], "{dense-layer1-2-cells.pdf}") {
		t.Errorf("the files are %v", slices.Sorted(maps.Keys(files)))
	}
}

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

func FuzzLabels(f *testing.F) {
	f.Add("the", "title")
	f.Add("\u202e\u0627\u0301🏽\xff", strings.Repeat("a\u0300", 300))
	f.Fuzz(func(t *testing.T, label, title string) {
		s := Spec{Title: title, Subtitle: label, Map: named(softmaxMap(2, 1, 1), []string{label, title},
			[]string{title}), Scale: 11}
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

// TestChineseStandsUpright: in column labels, Chinese characters and emoji are not rotated and are
// stacked in order. Words of letters are rotated.
func TestChineseStandsUpright(t *testing.T) {
	words := []string{"cat", "注意", "🙂¹", "力"}
	drawnOf(t, Spec{Map: named(softmaxMap(4, 1, 3), nil, words)}, func(p *page, d *drawing) {
		turned, last := map[string]bool{}, 0.0
		for _, x := range textsOf(d) {
			if x.Y > float64(p.corner.Y) {
				continue
			}
			turned[x.Text] = x.Upwards
			if x.Text == "注" || x.Text == "意" {
				if x.Y <= last {
					t.Errorf("%s stands at %g, not below %g", x.Text, x.Y, last)
				}
				last = x.Y
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

// TestCaptionsOfEveryScript: LaTeX gets every word of a description, with words that its fonts lack
// as parts of a PDF. Files are named after the figure, so that two archives fit into one folder.
func TestCaptionsOfEveryScript(t *testing.T) {
	f, err := New(Spec{Name: "dense-layer1-2", Map: softmaxMap(3, 1, 3),
		Meta: []Meta{{"Description", "attention of 注意 🙂 لأنه 50 %"}}})
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
	if !strings.HasPrefix(files["dense-layer1-2-words.pdf"], "%PDF") ||
		!strings.Contains(files["dense-layer1-2.tex"], "{dense-layer1-2-cells.pdf}") {
		t.Errorf("the files are %v", slices.Sorted(maps.Keys(files)))
	}
}

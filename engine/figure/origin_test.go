package figure

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestOriginComesBack: for every format that carries the provenance of a figure, reading a file returns what was
// written.
func TestOriginComesBack(t *testing.T) {
	meta := []Meta{{"Software", "Attention Atlas"}, {"Source", "/export/x.png?text=a%27b"},
		{"Description", "50 % of “猫” & <b> \\ (é)"}, {"Weights", "two words"}}
	f, err := New(Spec{Title: "T", Map: softmaxMap(3, 1, 1), Meta: meta})
	if err != nil {
		t.Fatal(err)
	}
	byKey := func(a, b Meta) int { return strings.Compare(a.Key, b.Key) }
	want := slices.SortedFunc(slices.Values(meta), byKey)
	for _, format := range Formats {
		var out bytes.Buffer
		if err := format.Encode(*f, &out); err != nil {
			t.Fatal(err)
		}
		got, err := OriginOf(out.Bytes())
		got = slices.DeleteFunc(got, func(m Meta) bool { return m.Key == "Title" })
		slices.SortFunc(got, byKey)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v\ngot  %q\nwant %q", format.Extension, err, got, want)
		}
		for _, cut := range []int{9, 40, out.Len() / 2} {
			_, _ = OriginOf(out.Bytes()[:cut]) // it must not panic
		}
	}
}

// TestOriginRefuses: foreign files and files without provenance are rejected.
func TestOriginRefuses(t *testing.T) {
	for _, file := range []string{"", "hello", "{}", "{\"origin\":[]}", "%PDF-1.7\n<</Title <FEFF0041>", "PK\x03\x04",
		"\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXt", "<svg><metadata>{\"Source\": 3}</metadata></svg>"} {
		if meta, err := OriginOf([]byte(file)); err == nil ||
			!strings.Contains(err.Error(), "not written by Attention Atlas") {
			t.Errorf("%q: %v, %v", file, meta, err)
		}
	}
}

package tokenizers_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/huggingface/tokenizers"
)

// vectors are the results of the Python package for texts: NAME.cases.json.gz next to a folder
// NAME.
type vectors struct {
	Cases []vector `json:"cases"`
	Pairs []vector `json:"pairs"` // pairs of texts, without offsets
}

type vector struct {
	Text    string   `json:"text"`
	IDs     []int    `json:"ids"`
	Tokens  []string `json:"tokens"`
	Offsets [][2]int `json:"offsets"` // in characters
	Bytes   [][2]int `json:"bytes"`   // left out if equal to offsets
	Special []int    `json:"special"`

	// Not every file has these.
	Types     []int   `json:"types"`
	Decoded   *string `json:"decoded"`
	Pair      string  `json:"pair"`
	Sequences []int   `json:"sequences"`
}

// unzipped copies a folder whose files can be compressed.
func unzipped(t testing.TB, dir string) string {
	to := t.TempDir()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(to, strings.TrimSuffix(f.Name(), ".gz")),
			content(t, filepath.Join(dir, f.Name())), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// content reads a file that can be compressed.
func content(t testing.TB, path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// folders returns the folders with vectors: the small ones of testdata and the folders in
// VIZ_TOKENIZERS.
func folders(t testing.TB) []string {
	var all []string
	for _, root := range []string{"testdata", os.Getenv("VIZ_TOKENIZERS")} {
		found, err := filepath.Glob(filepath.Join(root, "*.cases.json.gz"))
		if err != nil {
			t.Fatal(err)
		}
		if root != "" {
			all = append(all, found...)
		}
	}
	for i := range all {
		all[i] = strings.TrimSuffix(all[i], ".cases.json.gz")
	}
	return all
}

// TestVectors compares ids, tokens, offsets and special tokens with the Python package.
func TestVectors(t *testing.T) {
	for _, dir := range folders(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			tokenizer, err := tokenizers.Open(unzipped(t, dir))
			if err != nil {
				t.Fatal(err)
			}
			var v vectors
			if err := json.Unmarshal(content(t, dir+".cases.json.gz"), &v); err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for _, c := range v.Cases {
				got, err := tokenizer.EncodeDeclared(c.Text)
				if err != nil {
					t.Fatalf("%.80q: %v", c.Text, err)
				}
				what := c.differs(got)
				if c.Decoded != nil && what == "" {
					if text := tokenizer.Decode(c.IDs); text != *c.Decoded {
						what = fmt.Sprintf("decoded %.200q, want %.200q", text, *c.Decoded)
					}
				}
				if what != "" {
					if wrong++; wrong <= 3 {
						t.Errorf("%.200q: %s", c.Text, what)
					}
				}
			}
			t.Logf("%d strings, %d wrong", len(v.Cases), wrong)
			for _, c := range v.Pairs {
				if got, err := tokenizer.EncodePair(c.Text, c.Pair); err != nil || c.differsAsPair(got) {
					t.Errorf("%q and %q: %v, %v, want %v", c.Text, c.Pair, got, err, c)
				}
			}
		})
	}
}

// differs describes how tokens differ from the vector.
func (v vector) differs(got []tokenizers.Token) string {
	w := v.Bytes
	if w == nil {
		w = v.Offsets
	}
	var ids, special, types []int
	var offsets [][2]int
	var texts []string
	for _, g := range got {
		ids, offsets, texts = append(ids, g.ID), append(offsets, [2]int{g.Start, g.End}), append(texts, g.Text)
		types = append(types, g.Type)
		special = append(special, map[bool]int{true: 1}[g.Special])
	}
	show := func(what string, got, want any) string {
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		return what + " " + cut(string(g)) + ", want " + cut(string(w))
	}
	switch {
	case !slices.Equal(ids, v.IDs):
		return show("ids", ids, v.IDs) + show("; tokens", texts, v.Tokens)
	case !slices.Equal(offsets, w):
		return show("offsets", offsets, w) + show("; tokens", texts, v.Tokens)
	case !slices.Equal(texts, v.Tokens):
		return show("tokens", texts, v.Tokens)
	case !slices.Equal(special, v.Special):
		return show("special", special, v.Special)
	case v.Types != nil && !slices.Equal(types, v.Types):
		return show("types", types, v.Types)
	}
	return ""
}

// differsAsPair reports whether tokens of two texts differ from the vector.
func (v vector) differsAsPair(got []tokenizers.Token) bool {
	for i, g := range got {
		if i >= len(v.IDs) || g.ID != v.IDs[i] || g.Text != v.Tokens[i] || g.Type != v.Types[i] ||
			g.Sequence != v.Sequences[i] || g.Special != (v.Special[i] == 1) {
			return true
		}
	}
	return len(got) != len(v.IDs)
}

func cut(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

package tokenizers

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// TestPatterns compares every scanner with the splits of the Python package for the same
// expression.
func TestPatterns(t *testing.T) {
	path := "testdata/patterns.json.gz"
	if more := os.Getenv("VIZ_PATTERNS"); more != "" {
		path = more
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Pattern string
		Texts   []string
		Words   [][]string
	}
	if err := json.NewDecoder(zip).Decode(&cases); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range cases {
		s, ok := newScanner(c.Pattern)
		if !ok {
			t.Errorf("no scanner for %s", c.Pattern)
			continue
		}
		seen[c.Pattern] = true
		for i, text := range c.Texts {
			var words []string
			for _, m := range s.find(nil, text) {
				words = append(words, text[m.start:m.end])
			}
			if !slices.Equal(words, c.Words[i]) {
				t.Errorf("%s splits %q into %q, want %q", c.Pattern, text, words, c.Words[i])
				break
			}
		}
	}
	for alternative := range alternatives {
		if !seen[alternative] {
			t.Errorf("nothing is known of %s", alternative)
		}
	}
}

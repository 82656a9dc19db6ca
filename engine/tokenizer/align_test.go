package tokenizer

import (
	"slices"
	"testing"
)

// TestAlign: tokens are aligned by their common characters, and boundaries with their counterparts.
func TestAlign(t *testing.T) {
	const text = "unhappy cats 😀 "
	one := func(id, start, end int) Token { return Token{ID: id, Start: start, End: end} }
	words := []Token{one(clsID, 0, 0), one(999, 0, 7), one(999, 8, 12), one(999, 13, 17), one(sepID, 18, 18)}
	pieces := []Token{one(clsID, 0, 0), one(999, 0, 2), one(999, 2, 7), one(999, 7, 11), one(999, 11, 12),
		one(999, 13, 14), one(999, 14, 17), one(sepID, 18, 18)}
	bare := pieces[1:7]
	for _, c := range []struct {
		name     string
		from, to []Token
		want     []Span
	}{
		{"words in pieces", words, pieces, []Span{{0, 1}, {1, 3}, {3, 5}, {5, 7}, {7, 8}}},
		{"pieces in words", pieces, words, []Span{{0, 1}, {1, 2}, {1, 2}, {2, 3}, {2, 3}, {3, 4}, {3, 4}, {4, 5}}},
		{"without boundaries", words, bare, []Span{{0, 0}, {0, 2}, {2, 4}, {4, 6}, {0, 0}}},
		{"with themselves", words, words, []Span{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}},
		{"with nothing", words, nil, make([]Span, 5)},
	} {
		if got := Align(c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%s of %q: %v, wanted %v", c.name, text, got, c.want)
		}
	}
}

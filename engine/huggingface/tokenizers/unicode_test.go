package tokenizers

import "testing"

// TestClasses counts the members of every class of unicode.txt, as the library has them.
func TestClasses(t *testing.T) {
	want := [...]int{1858, 2258, 31, 404, 136477, 2501, 1911, 855, 8514, 144667, 1924, 726, 137681, 1567, 2097, 135, 93}
	var got [len(want)]int
	for r := range rune(0x110000) {
		for i := range got {
			if class(1 << i).is(r) {
				got[i]++
			}
		}
	}
	if got != want {
		t.Errorf("%d, want %d", got, want)
	}
}

// TestNoCodePoint: what is no code point is in no class.
func TestNoCodePoint(t *testing.T) {
	for _, r := range []rune{-1, 0x110000, 0x7FFFFFFF} {
		if (letter | space).is(r) {
			t.Errorf("%X is in a class", r)
		}
	}
}

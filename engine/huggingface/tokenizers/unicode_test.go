package tokenizers

import "testing"

// TestClasses compares the number of members of every class in unicode.txt with the library's.
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

// TestNoCodePoint: numbers that are not code points are in no class.
func TestNoCodePoint(t *testing.T) {
	for _, r := range []rune{-1, 0x110000, 0x7FFFFFFF} {
		if (letter | space).is(r) {
			t.Errorf("%X is in a class", r)
		}
	}
}

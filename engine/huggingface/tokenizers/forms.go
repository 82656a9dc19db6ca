package tokenizers

import (
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// form is a normalization form of Unicode (UAX #15) with the characters of Unicode 9, as in the
// library. Later characters have no decomposition and do not compose.
type form struct {
	quick    norm.Form // a text in this form stays unchanged
	compat   bool      // with compatibility decompositions
	composed bool
}

// forms are the normalization forms by type.
var forms = map[string]form{
	"NFC": {norm.NFC, false, true}, "NFD": {norm.NFD, false, false},
	"NFKC": {norm.NFKC, true, true}, "NFKD": {norm.NFKD, true, false},
}

// normalize decomposes, orders marks, and composes again.
func (f form) normalize(t text) (text, error) {
	if f.quick.IsNormalString(t.s) {
		return t, nil
	}
	changes := f.decompose(t.s)
	if f.composed {
		changes = compose(changes)
	}
	return t.transform(changes, 0), nil
}

// decompose replaces every character with its parts, and orders marks by their combining classes.
func (f form) decompose(s string) []change {
	changes, marks := make([]change, 0, len(s)), 0 // changes[marks:] are unordered marks
	add := func(r rune, more int32) {
		if combining(r) == 0 {
			order(changes[marks:])
			marks = len(changes) + 1
		}
		changes = append(changes, change{r, more})
	}
	for i, r := range s {
		parts := f.parts(s[i:], r)
		if parts == nil {
			add(r, 0)
			continue
		}
		for i, part := range string(parts) {
			add(part, int32(min(i, 1)))
		}
	}
	order(changes[min(marks, len(changes)):])
	return changes
}

// parts returns the full decomposition of the first character of a text, or nil if it has none.
func (f form) parts(s string, r rune) []byte {
	switch {
	case r < utf8.RuneSelf || decomposedLater.is(r):
		return nil
	case hangul <= r && r < last:
		return syllable(r - hangul)
	}
	if f.compat {
		return norm.NFKD.PropertiesString(s).Decomposition()
	}
	return norm.NFD.PropertiesString(s).Decomposition()
}

// syllable returns the leading consonant, the vowel and the optional trailing consonant of a Hangul
// syllable.
func syllable(n rune) []byte {
	parts := utf8.AppendRune(nil, leading+n/(vowels*trailings))
	parts = utf8.AppendRune(parts, vowel+n/trailings%vowels)
	if n%trailings > 0 {
		parts = utf8.AppendRune(parts, trailing+n%trailings)
	}
	return parts
}

// order sorts marks by their combining classes.
func order(marks []change) {
	if len(marks) > 1 {
		slices.SortStableFunc(marks, func(a, b change) int { return int(combining(a.r)) - int(combining(b.r)) })
	}
}

// combining returns the combining class of a character, or 0 for characters after Unicode 9.
func combining(r rune) uint8 {
	if r < 0x300 || !oldMark.is(r) {
		return 0
	}
	var b [utf8.UTFMax]byte
	return norm.NFD.Properties(b[:utf8.EncodeRune(b[:], r)]).CCC()
}

// compose joins characters with the marks after them, if a single character represents both.
func compose(in []change) []change {
	out := in[:0]
	first, last := -1, uint8(0) // the last starter in out, and the class of the last mark after it
	for _, c := range in {
		class := combining(c.r)
		if first >= 0 && (len(out) == first+1 || last < class) {
			if joined, ok := composite(out[first].r, c.r); ok {
				out[first] = change{joined, out[first].more + c.more - 1}
				continue
			}
		}
		if class == 0 {
			first = len(out)
		}
		last = class
		out = append(out, c)
	}
	return out
}

const ( // Hangul syllables are computed: Unicode, section 3.12
	hangul, leading, vowel, trailing  = 0xAC00, 0x1100, 0x1161, 0x11A7
	leadings, vowels, trailings, last = 19, 21, 28, hangul + 19*21*28
)

// composite returns the character that represents both of two characters.
func composite(a, b rune) (rune, bool) {
	switch {
	case leading <= a && a < leading+leadings && vowel <= b && b < vowel+vowels:
		return hangul + ((a-leading)*vowels+b-vowel)*trailings, true
	case hangul <= a && a < last && (a-hangul)%trailings == 0 && trailing < b && b < trailing+trailings:
		return a + b - trailing, true
	}
	if b < 0x300 {
		return 0, false
	}
	r, ok := composites()[[2]rune{a, b}]
	return r, ok
}

// composites maps two characters to the character that represents both.
var composites = sync.OnceValue(func() map[[2]rune]rune {
	pairs := map[[2]rune]rune{}
	for r := rune(0xC0); r < 0x1D200; r++ { // none beyond the musical symbols
		whole := string(r)
		parts := norm.NFD.PropertiesString(whole).Decomposition()
		if parts == nil || norm.NFC.String(whole) != whole || hangul <= r && r < last || decomposedLater.is(r) {
			continue
		}
		b, size := utf8.DecodeLastRune(parts)
		a := []rune(norm.NFC.String(string(parts[:len(parts)-size])))
		pairs[[2]rune{a[0], b}] = r
	}
	return pairs
})

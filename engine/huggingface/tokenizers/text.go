package tokenizers

import (
	"strings"
	"unicode/utf8"
)

// span is a range of bytes [start, end) of the input.
type span struct{ start, end int32 }

// text is a piece of the input after the steps so far.
type text struct {
	s     string
	from  []span // for every byte of s, its bytes in the input
	start int32  // start of the piece in the input
}

// newText returns the input with U+FFFD in place of invalid UTF-8.
func newText(input string) text {
	t := text{s: input, from: make([]span, 0, len(input))}
	var valid []byte
	for i := 0; i < len(input); {
		r, size := utf8.DecodeRuneInString(input[i:])
		wide := size
		if r == utf8.RuneError && size == 1 {
			wide = utf8.RuneLen(r)
			if valid == nil {
				valid = append(make([]byte, 0, len(input)+wide), input[:i]...)
			}
		}
		if valid != nil {
			valid = utf8.AppendRune(valid, r)
		}
		for range wide {
			t.from = append(t.from, span{int32(i), int32(i + size)})
		}
		i += size
	}
	if valid != nil {
		t.s = string(valid)
	}
	return t
}

// slice returns the part [a, b) of a text.
func (t text) slice(a, b int) text {
	if a >= b {
		return text{start: t.start}
	}
	return text{t.s[a:b], t.from[a:b:b], t.from[a].start}
}

// span returns the bytes of the input for [a, b) of the text. b can exceed the text, because a
// model can count more bytes.
func (t text) span(a, b int) span {
	b = min(b, len(t.from))
	switch {
	case a < b:
		return span{t.from[a].start, t.from[b-1].end}
	case b > 0:
		return span{t.from[b-1].end, t.from[b-1].end}
	}
	return span{t.start, t.start}
}

// change is a character of a new text, with its relation to the old text. With more = 0 it replaces
// one character. With a negative number it replaces one and -more after it. With a positive number
// it is inserted.
type change struct {
	r    rune
	more int32
}

// transform builds a new text from changes of all its characters, after skipping the first dropped
// characters. An inserted character represents the same input as the character before it.
func (t text) transform(changes []change, dropped int) text {
	at := skip(t.s, 0, dropped)
	s, from := make([]byte, 0, len(t.s)), make([]span, 0, len(t.s))
	for _, c := range changes {
		stands := span{t.start, t.start}
		switch {
		case c.more <= 0 && at < len(t.from):
			stands = t.from[at]
		case c.more > 0 && at > 0:
			stands = t.from[at-1]
		}
		if c.more <= 0 {
			at = skip(t.s, at, 1-int(c.more))
		}
		before := len(s)
		s = utf8.AppendRune(s, c.r)
		for range len(s) - before {
			from = append(from, stands)
		}
	}
	return text{string(s), from, t.start}
}

// skip returns the place n characters after at.
func skip(s string, at, n int) int {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// filter keeps the characters for which keep returns true.
func (t text) filter(keep func(rune) bool) text {
	if strings.IndexFunc(t.s, func(r rune) bool { return !keep(r) }) < 0 {
		return t
	}
	changes := make([]change, 0, len(t.s))
	removed := 0 // number before the first kept character
	for _, r := range t.s {
		switch {
		case keep(r):
			changes = append(changes, change{r, 0})
		case len(changes) > 0:
			changes[len(changes)-1].more--
		default:
			removed++
		}
	}
	return t.transform(changes, removed)
}

// replaceEach builds a new text from the characters that with appends for each.
func (t text) replaceEach(with func([]change, rune) []change) text {
	changes := make([]change, 0, len(t.s))
	for _, r := range t.s {
		changes = with(changes, r)
	}
	return t.transform(changes, 0)
}

// mapEach replaces each character.
func (t text) mapEach(to func(rune) rune) text {
	s := strings.Map(to, t.s)
	if len(s) == len(t.s) && sameSizes(s, t.s) {
		return text{s, t.from, t.start}
	}
	return t.replaceEach(func(changes []change, r rune) []change { return append(changes, change{to(r), 0}) })
}

// sameSizes reports whether the characters of two strings of the same length have the same sizes.
func sameSizes(a, b string) bool {
	for i := range len(a) {
		if utf8.RuneStart(a[i]) != utf8.RuneStart(b[i]) {
			return false
		}
	}
	return true
}

// prepend inserts a string before the first character; it represents the input of that character.
// An empty text stays empty.
func (t text) prepend(before string) text {
	if t.s == "" {
		return t
	}
	_, size := utf8.DecodeRuneInString(t.s)
	from := make([]span, 0, len(before)+len(t.s))
	for range len(before) {
		from = append(from, t.from[size-1])
	}
	return text{before + t.s, append(from, t.from...), t.start}
}

// match is a part [start, end) of a text: a match of a pattern, or the text between two matches.
type match struct {
	start, end int
	found      bool
}

// replace replaces all matches with content, which represents the input of the match's last
// character.
func (t text) replace(matches []match, content string) text {
	s, from := make([]byte, 0, len(t.s)), make([]span, 0, len(t.s))
	for _, m := range matches {
		if !m.found {
			s, from = append(s, t.s[m.start:m.end]...), append(from, t.from[m.start:m.end]...)
			continue
		}
		s = append(s, content...)
		for range len(content) {
			from = append(from, t.from[m.end-1])
		}
	}
	return text{string(s), from, t.start}
}

package tokenizers

import (
	"strings"
	"unicode/utf8"
)

// span is a range of bytes [start, end) of the input.
type span struct{ start, end int32 }

// text is a piece of the input as the steps so far have left it.
type text struct {
	s     string
	from  []span // for every byte of s the bytes of the input that it stands for
	start int32  // where the piece begins in the input
}

// newText is the input, in which bytes that are not UTF-8 have become U+FFFD.
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

// slice is the part [a, b) of a text.
func (t text) slice(a, b int) text {
	if a >= b {
		return text{start: t.start}
	}
	return text{t.s[a:b], t.from[a:b:b], t.from[a].start}
}

// span is the part of the input that [a, b) of the text stands for. A model may count more bytes than there are.
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

// change is a character of a new text, and what it does with those of the old one: more replaces 0 or takes
// the place of one and of -more after it; positive, it is inserted.
type change struct {
	r    rune
	more int32
}

// transform makes the text anew from changes of all its characters, the first dropped of which have no
// successor. An inserted character stands for what the one before it stands for.
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

// skip is the place n characters after at.
func skip(s string, at, n int) int {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// filter keeps the characters that keep says.
func (t text) filter(keep func(rune) bool) text {
	if strings.IndexFunc(t.s, func(r rune) bool { return !keep(r) }) < 0 {
		return t
	}
	changes := make([]change, 0, len(t.s))
	removed := 0 // before the first that is kept
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

// replaceEach makes the text anew, with the characters that with appends for each.
func (t text) replaceEach(with func([]change, rune) []change) text {
	changes := make([]change, 0, len(t.s))
	for _, r := range t.s {
		changes = with(changes, r)
	}
	return t.transform(changes, 0)
}

// mapEach puts another character in the place of each.
func (t text) mapEach(to func(rune) rune) text {
	s := strings.Map(to, t.s)
	if len(s) == len(t.s) && sameSizes(s, t.s) {
		return text{s, t.from, t.start}
	}
	return t.replaceEach(func(changes []change, r rune) []change { return append(changes, change{to(r), 0}) })
}

// sameSizes says whether the characters of two strings of the same length have the same sizes.
func sameSizes(a, b string) bool {
	for i := range len(a) {
		if utf8.RuneStart(a[i]) != utf8.RuneStart(b[i]) {
			return false
		}
	}
	return true
}

// prepend puts a string before the first character, for which its bytes stand; an empty text stays empty.
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

// match is a part [start, end) of a text that a pattern has found, or that lies between two finds.
type match struct {
	start, end int
	found      bool
}

// replace puts content in the place of all that is found; it stands for the last character of that.
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

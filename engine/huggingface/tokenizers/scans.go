package tokenizers

import (
	"strings"
	"unicode/utf8"
)

// scan returns the end of the match at i, or a negative number if there is none.
type scan func(s string, i int) int

// fixed matches a string.
func fixed(f string) scan {
	return func(s string, i int) int {
		if strings.HasPrefix(s[i:], f) {
			return i + len(f)
		}
		return -1
	}
}

// one matches a character of a set.
func one(in set) scan { return upTo(1, in) }

// upTo matches one to n characters of a set, as many as possible.
func upTo(n int, in set) scan {
	return func(s string, i int) int {
		start := i
		for range n {
			r, size := utf8.DecodeRuneInString(s[i:])
			if size == 0 || !in(r) {
				break
			}
			i += size
		}
		return atLeastOne(start, i)
	}
}

// atLeastOne returns end, or -1 for an empty match.
func atLeastOne(start, end int) int {
	if end == start {
		return -1
	}
	return end
}

// zeroOrMore matches all following characters of a set, or none.
func zeroOrMore(in set) scan {
	return func(s string, i int) int { return endOf(in, s, i) }
}

// some matches one or more characters of a set.
func some(in set) scan {
	return func(s string, i int) int { return atLeastOne(i, endOf(in, s, i)) }
}

// endOf returns the end of the characters of a set from i on.
func endOf(in set, s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !in(r) {
			break
		}
		i += size
	}
	return i
}

// then matches a, then b.
func (a scan) then(b scan) scan {
	return func(s string, i int) int {
		if i = a(s, i); i < 0 {
			return i
		}
		return b(s, i)
	}
}

// maybe matches a, or nothing.
func maybe(a scan) scan {
	return func(s string, i int) int { return max(a(s, i), i) }
}

// after matches a with an optional character of a set before it.
func after(lead set, a scan) scan {
	return func(s string, i int) int {
		if r, size := utf8.DecodeRuneInString(s[i:]); size > 0 && lead(r) {
			if end := a(s, i+size); end >= 0 {
				return end
			}
		}
		return a(s, i)
	}
}

// lowerWord is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+. If no lower-case letter
// follows the capitals, the match ends after the last character in both sets.
func lowerWord(s string, i int) int {
	end, both := i, -1
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !capitals(r) {
			break
		}
		end += size
		if smalls(r) {
			both = end
		}
	}
	if last := endOf(smalls, s, end); last > end {
		return last
	}
	return both
}

// upperWord is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*.
func upperWord(s string, i int) int { return some(capitals).then(zeroOrMore(smalls))(s, i) }

// lines is \s*[\r\n]+: white space up to its last line feed.
func lines(s string, i int) int {
	last := strings.LastIndexAny(s[i:endOf(white, s, i)], "\r\n")
	return atLeastOne(i, i+last+1)
}

// spacesBefore is \s+(?!\S): white space without its last character, which belongs to the next
// word.
func spacesBefore(s string, i int) int {
	end := endOf(white, s, i)
	if end < len(s) {
		_, size := utf8.DecodeLastRuneInString(s[i:end])
		end -= size
	}
	return atLeastOne(i, end)
}

// blanksFrom2 is [ ]{2,}.
func blanksFrom2(s string, i int) int {
	if end := endOf(blank, s, i); end >= i+2 {
		return end
	}
	return -1
}

// contraction matches an apostrophe with s, t, re, ve, m, ll or d, in lower or upper case; ſ counts
// as s.
func contraction(s string, i int) int {
	if i == len(s) || s[i] != '\'' {
		return -1
	}
	if strings.HasPrefix(s[i:], "'ſ") {
		return i + len("'ſ")
	}
	var small [3]byte
	for k := range min(len(small), len(s)-i) {
		if small[k] = s[i+k]; 'A' <= small[k] && small[k] <= 'Z' {
			small[k] += 'a' - 'A'
		}
	}
	if end := smallContraction(string(small[:]), 0); end > 0 {
		return i + end
	}
	return -1
}

// smallContraction matches contractions in lower case.
func smallContraction(s string, i int) int {
	for _, c := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if strings.HasPrefix(s[i:], c) {
			return i + len(c)
		}
	}
	return -1
}

// bloom is the set [^(\s|[.,!?…。，、।۔،])].
func bloom(r rune) bool { return !white(r) && !strings.ContainsRune("(|.,!?…。，、।۔،)", r) }

package tokenizers

import (
	"strings"
	"unicode/utf8"
)

// scan returns the end of what begins at i; negative: nothing does.
type scan func(s string, i int) int

// fixed scans a string.
func fixed(f string) scan {
	return func(s string, i int) int {
		if strings.HasPrefix(s[i:], f) {
			return i + len(f)
		}
		return -1
	}
}

// one scans a character of a set.
func one(in set) scan { return upTo(1, in) }

// upTo scans one to n characters of a set, as many as there are.
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

// atLeastOne is an end that is not the start.
func atLeastOne(start, end int) int {
	if end == start {
		return -1
	}
	return end
}

// zeroOrMore scans all characters of a set that there are, also none.
func zeroOrMore(in set) scan {
	return func(s string, i int) int { return endOf(in, s, i) }
}

// some scans one character of a set or more.
func some(in set) scan {
	return func(s string, i int) int { return atLeastOne(i, endOf(in, s, i)) }
}

// endOf is where the characters of a set that begin at i end.
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

// then scans what follows.
func (a scan) then(b scan) scan {
	return func(s string, i int) int {
		if i = a(s, i); i < 0 {
			return i
		}
		return b(s, i)
	}
}

// maybe scans something that need not be there.
func maybe(a scan) scan {
	return func(s string, i int) int { return max(a(s, i), i) }
}

// after scans something, with a character of a set before it where there is one.
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

// lowerWord is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+: where no small letter follows the
// capitals, the last of those that is in both sets is the end.
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

// spacesBefore is \s+(?!\S): white space without its last character, which belongs to the word after it.
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

// contraction is an apostrophe with s, t, re, ve, m, ll or d, small or capital; ſ is an s, too.
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

// smallContraction is contraction of small letters.
func smallContraction(s string, i int) int {
	for _, c := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if strings.HasPrefix(s[i:], c) {
			return i + len(c)
		}
	}
	return -1
}

// bloom is the set of [^(\s|[.,!?…。，、।۔،])].
func bloom(r rune) bool { return !white(r) && !strings.ContainsRune("(|.,!?…。，、।۔،)", r) }

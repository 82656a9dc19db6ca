package tokenizers

import (
	"strings"
	"unicode/utf8"

	"attnatlas/engine/messages"
)

// pattern splits a text into matches and the parts between them, and appends all of them in order.
type pattern interface {
	find(out []match, s string) []match
}

// pattern reads {"String": …} or {"Regex": …}.
func (o *object) pattern(field string) pattern {
	child := o.child(field)
	if child == nil {
		o.refuse(field, "null", `{"String": …}`)
		return literal(" ")
	}
	defer child.done()
	if child.value("Regex") == nil {
		return literal(child.text("String", ""))
	}
	source := child.text("Regex", "")
	s, ok := newScanner(source)
	if !ok {
		o.file.fail(messages.Errorf("tokenizers.regex", "field", child.name("Regex"), "value", messages.Quote(source)))
	}
	return s
}

// literal matches a string. The empty string matches nothing.
type literal string

func (l literal) find(found []match, s string) []match {
	at := 0
	for l != "" {
		i := strings.Index(s[at:], string(l))
		if i < 0 {
			break
		}
		found = appendMatch(found, at, at+i, at+i+len(l))
		at += i + len(l)
	}
	return rest(found, at, len(s))
}

// characters matches each character of some classes.
type characters class

func (c characters) find(found []match, s string) []match {
	at, table := 0, classes()
	for i, r := range s {
		if table.of(r)&class(c) != 0 {
			end := i + utf8.RuneLen(r)
			found = appendMatch(found, at, i, end)
			at = end
		}
	}
	return rest(found, at, len(s))
}

// appendMatch appends the text since the last match, and the match.
func appendMatch(found []match, last, start, end int) []match {
	if last < start {
		found = append(found, match{last, start, false})
	}
	return append(found, match{start, end, true})
}

// rest appends the text after the last match.
func rest(found []match, last, end int) []match {
	if last < end {
		found = append(found, match{last, end, false})
	}
	return found
}

// scanner matches the first applicable of several alternatives, from left to right. It replaces a
// regular expression of the library that consists of these alternatives.
type scanner []scan

// newScanner returns the scanner for a regular expression, if all its alternatives are in the
// table.
func newScanner(source string) (scanner, bool) {
	var all scanner
	for _, alternative := range alternativesOf(source) {
		s, ok := alternatives[alternative]
		if !ok {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

// mustScanner returns the scanner for one of our expressions.
func mustScanner(source string) scanner {
	s, ok := newScanner(source)
	if !ok {
		panic("tokenizers: no scanner for " + source)
	}
	return s
}

// alternativesOf splits a regular expression at each | outside of parentheses and brackets.
func alternativesOf(source string) []string {
	var all []string
	depth, start := 0, 0
	for i := 0; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '|':
			if depth == 0 {
				all, start = append(all, source[start:i]), i+1
			}
		}
	}
	return append(all, source[start:])
}

func (a scanner) find(found []match, s string) []match {
	last := 0
	for i := 0; i < len(s); {
		end := a.at(s, i)
		if end <= i {
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		}
		found = appendMatch(found, last, i, end)
		i, last = end, end
	}
	return rest(found, last, len(s))
}

// at returns the end of the first alternative that matches at i.
func (a scanner) at(s string, i int) int {
	for _, scan := range a {
		if end := scan(s, i); end > i {
			return end
		}
	}
	return -1
}

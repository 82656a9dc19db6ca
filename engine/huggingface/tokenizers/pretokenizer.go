package tokenizers

import (
	"slices"
	"strings"
)

// preTokenizer splits parts of the text into words for the model.
type preTokenizer interface {
	split(out, in []text) []text // appends the words of all parts; words can be empty
}

// preTokenizers are the constructors by "type".
var preTokenizers map[string]func(*object) preTokenizer

func init() { // Sequence needs the table that contains it
	preTokenizers = map[string]func(*object) preTokenizer{
		"Sequence": func(o *object) preTokenizer {
			var s preTokenizerSequence
			for _, part := range o.parts("pretokenizers") {
				s = append(s, component(part, preTokenizers))
			}
			return s
		},
		"BertPreTokenizer":   func(*object) preTokenizer { return bertPreTokenizer },
		"ByteLevel":          newByteLevel,
		"CharDelimiterSplit": newDelimiter,
		"Digits":             newDigits,
		"Metaspace":          newMetaspace,
		"Punctuation": func(o *object) preTokenizer {
			return splitter{characters(bertPunctuation), choice(o, "behavior", "Isolated", behaviors), false}
		},
		"Split": func(o *object) preTokenizer {
			return splitter{o.pattern("pattern"), choice(o, "behavior", "", behaviors), o.boolean("invert", false)}
		},
		"Whitespace":      func(*object) preTokenizer { return splitter{scanner{wordOrSigns}, removed, true} },
		"WhitespaceSplit": func(*object) preTokenizer { return splitter{characters(space), removed, false} },
	}
}

// bertPreTokenizer splits at white space, and makes every punctuation mark a word.
var bertPreTokenizer = preTokenizerSequence{
	splitter{characters(space), removed, false}, splitter{characters(bertPunctuation), isolated, false},
}

// preTokenizerSequence applies several pre-tokenizers in order.
type preTokenizerSequence []preTokenizer

func (s preTokenizerSequence) split(out, in []text) []text {
	for _, p := range s {
		in = slices.DeleteFunc(p.split(nil, in), func(t text) bool { return t.s == "" })
	}
	return append(out, in...)
}

// splitter splits a text at the matches of a pattern.
type splitter struct {
	pattern  pattern
	behavior behavior
	invert   bool // exchanges the matches and the parts between them
}

func (p splitter) split(out, in []text) []text {
	var matches []match
	for _, t := range in {
		if matches = p.pattern.find(matches[:0], t.s); p.invert {
			for i := range matches {
				matches[i].found = !matches[i].found
			}
		}
		for _, m := range p.behavior(matches) {
			if !m.found {
				out = append(out, t.slice(m.start, m.end))
			}
		}
	}
	return out
}

// newDelimiter splits at a character and removes it.
func newDelimiter(o *object) preTokenizer {
	return splitter{literal(o.character("delimiter", 0)), removed, false}
}

// newDigits separates numbers from other text.
func newDigits(o *object) preTokenizer {
	if o.boolean("individual_digits", false) {
		return splitter{characters(numeric), isolated, false}
	}
	return splitter{characters(numeric), contiguous, false}
}

// metaspace replaces spaces with a character of SentencePiece, and adds one before the text.
type metaspace struct {
	replacement string
	prepend     func(text) bool
	words       bool // splits into words at spaces
}

// prependSchemes maps "prepend_scheme" to the pieces that get a space before them.
var prependSchemes = map[string]func(text) bool{
	"always": func(text) bool { return true },
	"first":  func(t text) bool { return t.start == 0 },
	"never":  func(text) bool { return false },
}

// newMetaspace reads a Metaspace, also in its old notation.
func newMetaspace(o *object) preTokenizer {
	scheme := choice(o, "prepend_scheme", "always", prependSchemes)
	m := metaspace{o.character("replacement", '▁'), scheme, o.boolean("split", true)}
	if !o.boolean("add_prefix_space", true) {
		m.prepend = prependSchemes["never"]
	}
	o.value("str_rep") // repeats the replacement
	return m
}

func (m metaspace) split(out, in []text) []text {
	first, matches := len(out), []match(nil)
	for _, t := range in {
		matches = literal(" ").find(matches[:0], t.s)
		t = t.replace(matches, m.replacement)
		if !strings.HasPrefix(t.s, m.replacement) && m.prepend(t) {
			t = t.prepend(m.replacement)
		}
		out = append(out, t)
	}
	if !m.words {
		return out
	}
	return splitter{literal(m.replacement), mergedWithNext, false}.split(out[:first:first], out[first:])
}

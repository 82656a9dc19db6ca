package tokenizers

import "strings"

// normalizer rewrites a text before it is split.
type normalizer interface {
	normalize(text) (text, error)
}

// normalizers are the constructors by "type".
var normalizers map[string]func(*object) normalizer

func init() { // Sequence needs the table that contains it
	normalizers = map[string]func(*object) normalizer{
		"Sequence": func(o *object) normalizer {
			return sequenceOf(o.parts("normalizers"), normalizers)
		},
		"BertNormalizer": newBertNormalizer,
		"Lowercase":      func(*object) normalizer { return normalizerFunc(lowerCase) },
		"StripAccents":   func(*object) normalizer { return kept(func(r rune) bool { return !oldMark.is(r) }) },
		"Nmt":            func(*object) normalizer { return nmt },
		"Strip":          newStrip,
		"Prepend":        newPrepend,
		"Replace":        newReplace,
		"Precompiled":    newPrecompiled,
		"ByteLevel":      func(*object) normalizer { return normalizerFunc(byteLevel) },
	}
	for name, f := range forms {
		normalizers[name] = func(*object) normalizer { return f }
	}
}

// normalizerFunc is a normalizer that cannot fail.
type normalizerFunc func(text) text

func (f normalizerFunc) normalize(t text) (text, error) { return f(t), nil }

// normalizerSequence applies several normalizers in order.
type normalizerSequence []normalizer

func (s normalizerSequence) normalize(t text) (text, error) {
	most := mostText(len(t.s))
	for _, n := range s {
		var err error
		if t, err = n.normalize(t); err != nil {
			return t, err
		}
		if len(t.s) > most {
			return t, tooLong("normalizer", most)
		}
	}
	return t, nil
}

// sequenceOf constructs the parts of a Sequence.
func sequenceOf(list []*object, table map[string]func(*object) normalizer) normalizerSequence {
	s := make(normalizerSequence, len(list))
	for i, o := range list {
		s[i] = component(o, table)
	}
	return s
}

// mapped returns a normalizer that replaces each character.
func mapped(to func(rune) rune) normalizer {
	return normalizerFunc(func(t text) text { return t.mapEach(to) })
}

// kept returns a normalizer that keeps some characters.
func kept(keep func(rune) bool) normalizer {
	return normalizerFunc(func(t text) text { return t.filter(keep) })
}

// dottedI is the only letter whose lower case is two characters.
const dottedI = 'İ'

// lowerCase converts letters to lower case.
func lowerCase(t text) text {
	if !strings.ContainsRune(t.s, dottedI) {
		return t.mapEach(toLower)
	}
	return t.replaceEach(func(changes []change, r rune) []change {
		if r == dottedI {
			return append(changes, change{'i', 0}, change{0x307, 1})
		}
		return append(changes, change{toLower(r), 0})
	})
}

// newStrip reads a Strip, which removes white space at the ends.
func newStrip(o *object) normalizer {
	left, right := o.boolean("strip_left", true), o.boolean("strip_right", true)
	return normalizerFunc(func(t text) text {
		s := t.s
		if left {
			s = strings.TrimLeftFunc(s, space.is)
		}
		cut := len(t.s) - len(s)
		if right {
			s = strings.TrimRightFunc(s, space.is)
		}
		return text{t.s[cut : cut+len(s)], t.from[cut : cut+len(s)], t.start}
	})
}

// newPrepend reads a Prepend, which puts a string before a non-empty text.
func newPrepend(o *object) normalizer {
	before := o.text("prepend", "")
	return normalizerFunc(func(t text) text { return t.prepend(before) })
}

// replaceNormalizer replaces the matches of a pattern with content.
type replaceNormalizer struct {
	pattern pattern
	content string
}

// newReplace reads a Replace.
func newReplace(o *object) normalizer {
	return replaceNormalizer{o.pattern("pattern"), o.text("content", "")}
}

func (r replaceNormalizer) normalize(t text) (text, error) {
	matches := r.pattern.find(nil, t.s)
	long, most := 0, mostText(len(t.s))
	for _, m := range matches {
		if long += m.end - m.start; m.found {
			long += len(r.content) - (m.end - m.start)
		}
	}
	if long > most {
		return t, tooLong("normalizer.content", most)
	}
	return t.replace(matches, r.content), nil
}

// nmt is SentencePiece's cleaning for neural machine translation: it removes control characters and
// replaces zero-width spaces with spaces.
var nmt = normalizerFunc(func(t text) text {
	t = t.filter(func(r rune) bool {
		return (r < 1 || r > 8) && r != 0xB && (r < 0xE || r > 0x1F) && r != 0x7F && r != 0x8F && r != 0x9F
	})
	return t.mapEach(func(r rune) rune {
		switch r {
		case '\t', '\n', '\f', '\r', 0x1680, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD:
			return ' '
		}
		return r
	})
})

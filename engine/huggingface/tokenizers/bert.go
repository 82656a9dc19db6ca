package tokenizers

import "strings"

// newBertNormalizer reads BERT's normalizer. It removes control characters, puts spaces around
// Chinese characters, removes accents, and converts to lower case, each if the file says so.
func newBertNormalizer(o *object) normalizer {
	small := o.boolean("lowercase", true)
	return bertNormalizer(bertOptions{
		clean:   o.boolean("clean_text", true),
		chinese: o.boolean("handle_chinese_chars", true),
		accents: o.boolean("strip_accents", small), // null: as lowercase
		small:   small,
	})
}

// bertOptions are the fields of a BertNormalizer.
type bertOptions struct{ clean, chinese, accents, small bool }

// bertNormalizer returns the steps of a BertNormalizer, in order.
func bertNormalizer(b bertOptions) normalizer {
	var steps normalizerSequence
	for _, step := range []struct {
		wanted bool
		of     []normalizer
	}{
		{b.clean, []normalizer{kept(func(r rune) bool { return !bertControl.is(r) }), mapped(asBlank)}},
		{b.chinese, []normalizer{normalizerFunc(spaced)}},
		{b.accents, []normalizer{forms["NFD"], kept(func(r rune) bool { return !bertAccent.is(r) })}},
		{b.small, []normalizer{normalizerFunc(lowerCase)}},
	} {
		if step.wanted {
			steps = append(steps, step.of...)
		}
	}
	return steps
}

// asBlank replaces white space with a space.
func asBlank(r rune) rune {
	if space.is(r) {
		return ' '
	}
	return r
}

// spaced puts spaces around Chinese characters.
func spaced(t text) text {
	if strings.IndexFunc(t.s, chinese) < 0 {
		return t
	}
	return t.replaceEach(func(changes []change, r rune) []change {
		if !chinese(r) {
			return append(changes, change{r, 0})
		}
		return append(changes, change{' ', 0}, change{r, 1}, change{' ', 1})
	})
}

// chinese reports whether BERT puts spaces around a character. In the library, extension E begins
// at U+2B920; in the original it begins at U+2B820.
func chinese(r rune) bool {
	if r < 0x3400 {
		return false
	}
	for _, block := range [...][2]rune{
		{0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F},
		{0x2B920, 0x2CEAF}, {0xF900, 0xFAFF}, {0x2F800, 0x2FA1F},
	} {
		if block[0] <= r && r <= block[1] {
			return true
		}
	}
	return false
}

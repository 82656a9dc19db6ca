package tokenizers

import (
	"strings"
)

// set reports whether a character belongs to a set.
type set func(rune) bool

// The sets in the alternatives.
var (
	letters       = set(letter.is)
	digits        = set(number.is)
	white         = set(space.is)
	lineFeeds     = set(lineFeed.is)
	marked        = set((letter | mark).is)
	signs         = not(space | letter | number)
	signsNoMarks  = not(space | letter | mark | number)
	punct         = set((punctuation | symbol).is)
	capitals      = set((upper | title | modifier | otherLetter | mark).is)
	smalls        = set((lower | modifier | otherLetter | mark).is)
	beforeWord    = not(lineFeed | letter | number)
	beforeMarked  = not(lineFeed | letter | punctuation | symbol)
	feedsAndSlash = set(func(r rune) bool { return r == '\r' || r == '\n' || r == '/' })
	blank         = only(' ')
)

// not returns the set of characters in none of the classes.
func not(c class) set { return func(r rune) bool { return !c.is(r) } }

// only returns the set of one character.
func only(c rune) set { return func(r rune) bool { return r == c } }

// ranges returns the set of characters from the first to the second of each pair.
func ranges(pairs ...rune) set {
	return func(r rune) bool {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] <= r && r <= pairs[i+1] {
				return true
			}
		}
		return false
	}
}

// Parts of long expressions.
const (
	beforeAny      = `[^\r\n\p{L}\p{N}]?`
	capitalAny     = `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
	smallAny       = `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
	contractionAny = `(?i:'s|'t|'re|'ve|'m|'ll|'d)`
)

// alternatives maps regular expressions to scanners with the same matches. The expressions of real
// tokenizers consist of these: GPT-2, GPT-4 (cl100k), GPT-4o (o200k), Llama 3, Qwen, Mistral,
// DeepSeek, Falcon, CLIP, BLOOM.
var alternatives = func() map[string]scan {
	decimal, asciiSign := one(ranges('0', '9')), one(ranges('!', '/', ':', '@', '[', '`', '{', '~'))
	table := map[string]scan{
		contractionAny:          contraction,
		`'(?i:[sdmt]|ll|ve|re)`: contraction,
		`'(?:[sdmt]|ll|ve|re)`:  smallContraction,

		`\p{L}+`:                               some(letters),
		`[\p{L}]+`:                             some(letters),
		` ?\p{L}+`:                             after(blank, some(letters)),
		`\s?\p{L}+`:                            after(white, some(letters)),
		`[^\r\n\p{L}\p{N}]?\p{L}+`:             after(beforeWord, some(letters)),
		`[^\r\n\p{L}\p{N}]?+\p{L}+`:            after(beforeWord, some(letters)),
		`[^\r\n\p{L}\p{N}]?+\p{L}++`:           after(beforeWord, some(letters)),
		`[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+`:      after(beforeWord, some(marked)),
		`[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+`: after(beforeMarked, some(marked)),
		"[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+": asciiSign.then(some(ranges('A', 'Z', 'a', 'z'))),

		beforeAny + capitalAny + `*` + smallAny + `+`: after(beforeWord, lowerWord),
		beforeAny + capitalAny + `+` + smallAny + `*`: after(beforeWord, upperWord),
		beforeAny + capitalAny + `*` + smallAny + `+` + contractionAny +
			`?`: after(beforeWord, lowerWord).then(maybe(contraction)),
		beforeAny + capitalAny + `+` + smallAny + `*` + contractionAny +
			`?`: after(beforeWord, upperWord).then(maybe(contraction)),

		`\p{N}`:           one(digits),
		`[\p{N}]`:         one(digits),
		`\p{N}+`:          some(digits),
		` ?\p{N}+`:        after(blank, some(digits)),
		`\p{N}{1,3}`:      upTo(3, digits),
		`[0-9][0-9][0-9]`: decimal.then(decimal).then(decimal),
		`[0-9]`:           decimal,
		`[0-9]+`:          some(ranges('0', '9')),

		` ?[^\s\p{L}\p{N}]+`:             after(blank, some(signs)),
		`[^\s\p{L}\p{N}]+`:               some(signs),
		` ?[^\s\p{L}\p{N}]+[\r\n]*`:      after(blank, some(signs).then(zeroOrMore(lineFeeds))),
		` ?[^\s\p{L}\p{N}]++[\r\n]*`:     after(blank, some(signs).then(zeroOrMore(lineFeeds))),
		` ?[^\s\p{L}\p{N}]++[\r\n]*+`:    after(blank, some(signs).then(zeroOrMore(lineFeeds))),
		` ?[^\s\p{L}\p{N}]+[\r\n/]*`:     after(blank, some(signs).then(zeroOrMore(feedsAndSlash))),
		` ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*`: after(blank, some(signsNoMarks).then(zeroOrMore(lineFeeds))),
		` ?[\p{P}\p{S}]+[\r\n]*`:         after(blank, some(punct).then(zeroOrMore(lineFeeds))),
		`\s?\p{P}+`:                      after(white, some(set(punctuation.is))),
		` ?[^(\s|[.,!?…。，、।۔،])]+`:       after(blank, some(bloom)),

		`\s*[\r\n]+`:  lines,
		`\s*[\r\n]`:   lines,
		`\s*[\r\n]++`: lines,
		`[\r\n]`:      one(lineFeeds),
		`[\r\n]+`:     some(lineFeeds),
		`\n`:          one(only('\n')),
		`\n+`:         some(only('\n')),
		`\s+(?!\S)`:   spacesBefore,
		`\s+`:         some(white),
		` {2,}`:       blanksFrom2,
		` +`:          some(blank),
		`\s`:          one(white),

		`[一-龥ࠀ-一가-\x{D7FF}]+`: some(ranges('一', '龥', 'ࠀ', '一', '가', 0xD7FF)),
		"[一-龥ࠀ-一가-\uD7FF]+":   some(ranges('一', '龥', 'ࠀ', '一', '가', 0xD7FF)),
		"[一-龥぀-ゟ゠-ヿ]+":        some(ranges('一', '龥', 0x3040, 0x309F, 0x30A0, 0x30FF)),
	}
	for _, s := range []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "<|startoftext|>", "<|endoftext|>"} {
		table[strings.ReplaceAll(s, "|", `\|`)] = fixed(s)
	}
	return table
}()

// wordOrSigns is \w+|[^\w\s]+, the pattern of Whitespace.
func wordOrSigns(s string, i int) int {
	if end := some(word.is)(s, i); end >= 0 {
		return end
	}
	return some(not(word|space))(s, i)
}

package tokenizers

import (
	"strings"
	"unicode/utf8"
)

// newByteLevel reads GPT-2's ByteLevel: it splits words by a pattern, then replaces every byte with
// a character.
func newByteLevel(o *object) preTokenizer {
	o.once("ByteLevel")
	b := byteLevelSplit{prefix: o.boolean("add_prefix_space", true), words: o.boolean("use_regex", true)}
	o.value("trim_offsets") // for the post-processor
	return b
}

// byteLevelSplit is a ByteLevel.
type byteLevelSplit struct{ prefix, words bool }

// gpt2 is the pattern of GPT-2's words.
var gpt2 = splitter{behavior: isolated,
	pattern: mustScanner(`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`)}

func (b byteLevelSplit) split(out, in []text) []text {
	words := make([]text, 0, len(in))
	for _, t := range in {
		if b.prefix && !strings.HasPrefix(t.s, " ") {
			t = t.prepend(" ")
		}
		words = append(words, t)
	}
	if b.words {
		words = gpt2.split(nil, words)
	}
	return byteLevels(out, words)
}

// byteRunes maps bytes to characters: printable ones to themselves, the others from U+0100 on.
var byteRunes = func() (runes [256]rune) {
	next := rune(0x100)
	for b := range runes {
		switch r := rune(b); {
		case '!' <= r && r <= '~', 0xA1 <= r && r <= 0xAC, 0xAE <= r && r <= 0xFF:
			runes[b] = r
		default:
			runes[b] = next
			next++
		}
	}
	return runes
}()

// bytesOf maps characters to bytes; -1 means no byte.
var bytesOf = func() (bytes [0x100 + 68]int16) {
	for i := range bytes {
		bytes[i] = -1
	}
	for b, r := range byteRunes {
		bytes[r] = int16(b)
	}
	return bytes
}()

// byteLevel replaces every byte with a character. The first byte of a character represents the input of
// that character. Each further byte represents the input of the character's last byte.
func byteLevel(t text) text { return byteLevels(nil, []text{t})[0] }

// byteLevels applies byteLevel to several texts, which share memory.
func byteLevels(out, in []text) []text {
	long := 0
	for _, t := range in {
		long += 2 * len(t.s) // no character for a byte is longer
	}
	s, from := make([]byte, 0, long), make([]span, 0, long)
	for _, t := range in {
		for i, r := range t.s {
			size := utf8.RuneLen(r)
			for k := range size {
				before, stands := len(s), t.from[i]
				if k > 0 {
					stands = t.from[i+size-1]
				}
				s = utf8.AppendRune(s, byteRunes[t.s[i+k]])
				for range len(s) - before {
					from = append(from, stands)
				}
			}
		}
		out = append(out, text{from: from, start: t.start}) // for now, the end of the text
	}
	all, start := string(s), 0
	for i := len(out) - len(in); i < len(out); i++ {
		end := len(out[i].from)
		out[i].s, out[i].from = all[start:end], from[start:end:end]
		start = end
	}
	return out
}

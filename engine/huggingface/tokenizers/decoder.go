package tokenizers

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// decoder converts tokens to the parts of a text.
type decoder func(tokens []string) []string

// decoders are the constructors by "type".
var decoders map[string]func(*object) decoder

func init() { // Sequence needs the table that contains it
	decoders = map[string]func(*object) decoder{
		"BPEDecoder":   newBPEDecoder,
		"ByteFallback": func(*object) decoder { return decodeBytes },
		"ByteLevel":    newByteLevelDecoder,
		"Fuse":         func(*object) decoder { return fuse },
		"Metaspace":    newMetaspaceDecoder,
		"Replace":      newReplaceDecoder,
		"Sequence":     newDecoderSequence,
		"Strip":        newStripDecoder,
		"WordPiece":    newWordPieceDecoder,
	}
}

// Decode returns the text of tokens, without special tokens.
func (t *Tokenizer) Decode(ids []int) string {
	var tokens []string
	for _, id := range ids {
		if entry := t.Entry(id); entry != "" && !t.added.byID[int32(id)].special {
			tokens = append(tokens, entry)
		}
	}
	if t.decoder == nil {
		return strings.Join(tokens, " ")
	}
	return validUTF8(strings.Join(t.decoder(tokens), ""))
}

// validUTF8 replaces every invalid sequence with U+FFFD.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		for r == utf8.RuneError && i+size < len(s) && !utf8.FullRuneInString(s[i:i+size+1]) {
			size++
		}
		b.WriteRune(r)
		i += size
	}
	return b.String()
}

// each returns a decoder that decodes tokens one by one, with their positions.
func each(decode func(token string, first, last bool) string) decoder {
	return func(tokens []string) []string {
		out := make([]string, len(tokens))
		for i, t := range tokens {
			out[i] = decode(t, i == 0, i == len(tokens)-1)
		}
		return out
	}
}

// newDecoderSequence applies several decoders in order.
func newDecoderSequence(o *object) decoder {
	var all []decoder
	for _, part := range o.parts("decoders") {
		all = append(all, component(part, decoders))
	}
	return func(tokens []string) []string {
		for _, d := range all {
			tokens = d(tokens)
		}
		return tokens
	}
}

// newBPEDecoder replaces the suffix at a word's end with a space.
func newBPEDecoder(o *object) decoder {
	suffix := o.text("suffix", "</w>")
	return each(func(t string, _, last bool) string {
		if last {
			return strings.ReplaceAll(t, suffix, "")
		}
		return strings.ReplaceAll(t, suffix, " ")
	})
}

// newByteLevelDecoder reads a ByteLevel.
func newByteLevelDecoder(o *object) decoder {
	for _, field := range []string{"add_prefix_space", "trim_offsets", "use_regex"} {
		o.value(field) // for the pre-tokenizer
	}
	return decodeByteLevel
}

// decodeByteLevel replaces characters with their bytes.
var decodeByteLevel = each(func(t string, _, _ bool) string {
	bytes := make([]byte, 0, len(t))
	for _, r := range t {
		if int(r) >= len(bytesOf) || bytesOf[r] < 0 {
			return t
		}
		bytes = append(bytes, byte(bytesOf[r]))
	}
	return string(bytes)
})

// newMetaspaceDecoder writes spaces, except the one that was added before the text.
func newMetaspaceDecoder(o *object) decoder {
	m := newMetaspace(o).(metaspace)
	return each(func(t string, first, _ bool) string {
		if first && m.prepend(text{}) {
			t = strings.TrimPrefix(t, m.replacement)
		}
		return strings.ReplaceAll(t, m.replacement, " ")
	})
}

// newReplaceDecoder replaces the matches of a pattern with content.
func newReplaceDecoder(o *object) decoder {
	o.once("Replace")
	r := newReplace(o).(replaceNormalizer)
	return each(func(t string, _, _ bool) string {
		var b strings.Builder
		for _, m := range r.pattern.find(nil, t) {
			if m.found {
				b.WriteString(r.content)
			} else {
				b.WriteString(t[m.start:m.end])
			}
		}
		return b.String()
	})
}

// newStripDecoder removes characters at the ends of every token.
func newStripDecoder(o *object) decoder {
	content, start, stop := o.character("content", ' '), o.count("start", 0, longestField), o.count("stop", 0,
		longestField)
	return each(func(t string, _, _ bool) string {
		for range start {
			t = strings.TrimPrefix(t, content)
		}
		for range stop {
			t = strings.TrimSuffix(t, content)
		}
		return t
	})
}

// newWordPieceDecoder reads a WordPiece.
func newWordPieceDecoder(o *object) decoder {
	return wordPieceDecoder(o.text("prefix", "##"), o.boolean("cleanup", true))
}

// wordPieceDecoder writes a space before tokens that begin a word.
func wordPieceDecoder(prefix string, cleanup bool) decoder {
	return each(func(t string, first, _ bool) string {
		if !first {
			inside, ok := strings.CutPrefix(t, prefix)
			if t = inside; !ok {
				t = " " + t
			}
		}
		if cleanup {
			t = cleaned.Replace(t)
		}
		return t
	})
}

// cleaned removes spaces that English does not have.
var cleaned = strings.NewReplacer(" .", ".", " ?", "?", " !", "!", " ,", ",", " ' ", "'", " n't", "n't", " 'm", "'m",
	" do not", " don't", " 's", "'s", " 've", "'ve", " 're", "'re")

// fuse joins all parts.
func fuse(tokens []string) []string { return []string{strings.Join(tokens, "")} }

// decodeBytes converts <0x00> to <0xFF> to bytes. Adjacent bytes that are not UTF-8 become U+FFFD
// each.
func decodeBytes(tokens []string) []string {
	var out []string
	var bytes []byte
	flush := func() {
		s := string(bytes)
		if strings.ToValidUTF8(s, "") != s {
			s = strings.Repeat("\uFFFD", len(bytes))
		}
		if s != "" {
			out = append(out, s)
		}
		bytes = bytes[:0]
	}
	for _, t := range tokens {
		if b, ok := byteOf(t); ok {
			bytes = append(bytes, b)
			continue
		}
		flush()
		out = append(out, t)
	}
	flush()
	return out
}

// byteOf reads <0x41>.
func byteOf(token string) (byte, bool) {
	if len(token) != 6 || token[:3] != "<0x" || token[5] != '>' {
		return 0, false
	}
	b, err := strconv.ParseUint(token[3:5], 16, 8)
	return byte(b), err == nil
}

package tokenizers

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"attnatlas/engine/messages"

	"github.com/rivo/uniseg"
)

// precompiled is the character map of a SentencePiece model: a double-array trie of strings and
// their replacements.
type precompiled struct {
	units   []uint32
	becomes string // replacements, each terminated by a zero byte
}

// newPrecompiled reads a Precompiled: the length of the trie in bytes, the trie, and the
// replacements, in base64.
func newPrecompiled(o *object) normalizer {
	var encoded string
	o.decode("precompiled_charsmap", &encoded, "a string")
	p, ok := parsePrecompiled(encoded)
	if !ok {
		o.file.fail(messages.Errorf("tokenizers.charsmap", "field", o.name("precompiled_charsmap")))
	}
	return p
}

// parsePrecompiled decodes the table.
func parsePrecompiled(encoded string) (*precompiled, bool) {
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(raw) < 4 {
		return &precompiled{}, false
	}
	size := binary.LittleEndian.Uint32(raw)
	if raw = raw[4:]; uint64(size) > uint64(len(raw)) || size%4 != 0 || size == 0 || !utf8.Valid(raw[size:]) {
		return &precompiled{}, false
	}
	p := &precompiled{units: make([]uint32, size/4), becomes: string(raw[size:])}
	for i := range p.units {
		p.units[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return p, true
}

// find returns the replacement of the shortest string in the trie with which s begins.
func (p *precompiled) find(s string) (string, bool) {
	node := p.child(0, p.units[0])
	for i := 0; i < len(s) && s[i] != 0; i++ {
		at := node ^ uint32(s[i])
		unit, ok := p.unit(at)
		if !ok || unit&(1<<31|0xFF) != uint32(s[i]) {
			return "", false
		}
		node = p.child(at, unit)
		if unit>>8&1 == 1 { // a string ends here
			if value, ok := p.unit(node); ok {
				return p.string(value & (1<<31 - 1))
			}
			return "", false
		}
	}
	return "", false
}

// child returns where the children of a unit begin.
func (p *precompiled) child(at, unit uint32) uint32 { return at ^ unit>>10<<(unit&(1<<9)>>6) }

// unit returns a unit, if it exists.
func (p *precompiled) unit(at uint32) (uint32, bool) {
	if uint64(at) >= uint64(len(p.units)) {
		return 0, false
	}
	return p.units[at], true
}

// string returns the replacement at a byte.
func (p *precompiled) string(at uint32) (string, bool) {
	if uint64(at) > uint64(len(p.becomes)) {
		return "", false
	}
	s, _, _ := strings.Cut(p.becomes[at:], "\x00")
	return s, s == "" || utf8.RuneStart(s[0])
}

// normalize replaces short graphemes as a whole, and otherwise single characters. As in the
// library, a match of its beginning replaces the whole grapheme.
func (p *precompiled) normalize(t text) (text, error) {
	changes := make([]change, 0, len(t.s))
	for i := 0; i < len(t.s); {
		end := endOfGrapheme(t.s, i)
		changes = p.grapheme(changes, t.s[i:end])
		i = end
	}
	return t.transform(changes, 0), nil
}

// endOfGrapheme returns the end of the grapheme at i (UAX #29, Unicode 17).
func endOfGrapheme(s string, i int) int {
	if plainASCII(s[i:]) {
		return i + 1
	}
	g, rest, _, _ := uniseg.FirstGraphemeClusterInString(s[i:], -1) // Unicode 15.0
	for end := i + len(g); ; end += len(g) {
		later, size := utf8.DecodeRuneInString(rest)
		if size == 0 || !joinsLater.is(later) || breaksAfter(g) {
			return end
		}
		g, rest, _, _ = uniseg.FirstGraphemeClusterInString(rest, -1)
	}
}

// breaksAfter reports whether a grapheme is a control character, which does not join with others.
func breaksAfter(g string) bool {
	joined, _, _, _ := uniseg.FirstGraphemeClusterInString(g+"\u0301", -1)
	return joined == g
}

// plainASCII reports whether the text begins with a printable ASCII character that is a grapheme by
// itself.
func plainASCII(s string) bool {
	return ' ' <= s[0] && s[0] < 0x7F && (len(s) == 1 || s[1] < 0x80)
}

// longestGrapheme is the most bytes of a grapheme that is looked up.
const longestGrapheme = 5

// grapheme appends the replacement of a grapheme.
func (p *precompiled) grapheme(changes []change, g string) []change {
	if len(g) <= longestGrapheme {
		if becomes, ok := p.find(g); ok {
			return appendReplaced(changes, g, becomes)
		}
	}
	for i, r := range g {
		c := g[i : i+utf8.RuneLen(r)]
		if becomes, ok := p.find(c); ok {
			changes = appendReplaced(changes, c, becomes)
		} else {
			changes = append(changes, change{r, 0})
		}
	}
	return changes
}

// appendReplaced appends a replacement. If it is longer, its last characters count as inserted. If
// it is shorter, its last character replaces several.
func appendReplaced(changes []change, old, becomes string) []change {
	more := utf8.RuneCountInString(becomes) - utf8.RuneCountInString(old)
	for _, r := range becomes {
		changes = append(changes, change{r, 0})
	}
	for i := range more {
		changes[len(changes)-1-i].more = 1
	}
	if more < 0 && len(changes) > 0 {
		changes[len(changes)-1].more += int32(more)
	}
	return changes
}

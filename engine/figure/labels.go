package figure

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/segmenter"
)

// Limits of labels. A label longer than longestLabel characters (grapheme clusters) loses its
// middle; keptEachSide characters stay on each side of the ellipsis.
const (
	longestLabel = 15
	keptEachSide = 7
)

const zeroWidthJoiner = "\u200D"

// shorten cuts the middle out of a long label: interna…ization.
func shorten(s string) string {
	if len(s) <= longestLabel {
		return s
	}
	if r := []rune(s); len(r) > 2*longestText { // only the ends show
		s = string(r[:longestText]) + string(r[len(r)-longestText:])
	}
	g := graphemes(s)
	if len(g) <= longestLabel {
		return s
	}
	return strings.Join(g[:keptEachSide], "") + "…" + strings.Join(g[len(g)-keptEachSide:], "")
}

// graphemes splits text into grapheme clusters. The segmenter splits an emoji with a skin tone from
// the characters joined to it; graphemes joins them again.
func graphemes(s string) []string {
	var seg segmenter.Segmenter
	seg.Init([]rune(s))
	var out []string
	for it := seg.GraphemeIterator(); it.Next(); {
		g := string(it.Grapheme().Text)
		if n := len(out); n > 0 && strings.HasSuffix(out[n-1], zeroWidthJoiner) {
			out[n-1] += g
			continue
		}
		out = append(out, g)
	}
	return out
}

// visible makes a one-line label without invisible characters. White space at its ends and control
// characters become symbols, and direction overrides are removed.
func visible(s string) string {
	if plain(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
			return '⏎'
		case r == '\t':
			return '⇥'
		case r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069:
			return -1
		case unicode.IsControl(r):
			return '\uFFFD'
		case unicode.Is(unicode.Zs, r):
			return ' '
		}
		return r
	}, s)
	body := strings.Trim(s, " ")
	lead := len(s) - len(strings.TrimLeft(s, " "))
	if body == "" {
		return strings.Repeat("␣", len(s))
	}
	return strings.Repeat("␣", lead) + body + strings.Repeat("␣", len(s)-lead-len(body))
}

// plain reports whether text is visible ASCII only.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return s == "" || s[0] != ' ' && s[len(s)-1] != ' '
}

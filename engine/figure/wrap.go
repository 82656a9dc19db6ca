package figure

import (
	"strings"

	"gonum.org/v1/plot/text"
)

// longestText is the most characters of a header.
const longestText = 600

// wrap breaks text into at most most lines of a width, and ends longer text with an ellipsis. Lines
// break at spaces. They also break within words longer than a line, and within scripts without
// spaces.
func (h handler) wrap(txt string, st text.Style, room float64, most int) []string {
	if r := []rune(txt); len(r) > longestText {
		txt = string(r[:longestText]) + "…"
	}
	var lines []string
	line, used := "", 0.0
	space := h.width(" ", st.Font)
	for _, word := range strings.Fields(txt) {
		for _, part := range h.pieces(word, st, room) {
			wide := h.width(part, st.Font)
			switch {
			case line == "":
				line, used = part, wide
			case used+space+wide <= room:
				line, used = line+" "+part, used+space+wide
			default:
				lines, line, used = append(lines, line), part, wide
			}
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = h.trim(lines[most-1], st, room)
	}
	return lines
}

// pieces returns a word, split where it is wider than a line.
func (h handler) pieces(word string, st text.Style, room float64) []string {
	if h.width(word, st.Font) <= room {
		return []string{word}
	}
	var out []string
	piece, used := "", 0.0
	for _, g := range graphemes(word) {
		wide := h.width(g, st.Font)
		if piece != "" && used+wide > room {
			out, piece, used = append(out, piece), "", 0
		}
		piece, used = piece+g, used+wide
	}
	return append(out, piece)
}

// trim removes characters from a line's end until an ellipsis fits.
func (h handler) trim(line string, st text.Style, room float64) string {
	g := graphemes(line)
	for len(g) > 0 && h.width(strings.Join(g, "")+"…", st.Font) > room {
		g = g[:len(g)-1]
	}
	return strings.TrimRight(strings.Join(g, ""), " ") + "…"
}

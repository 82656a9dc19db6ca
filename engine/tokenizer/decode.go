package tokenizer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Decode turns ids into readable text. Pieces do not contain white space, so Decode inserts single
// spaces where a reader expects them: between words, but not before a comma, inside "don't" or
// "3.14", or in a row of Han characters. Apart from spaces, Decode(Encode(text)) is the folded
// text. [MASK] stays in capitals, and the letters that doc.go excepts stay as in the text. [PAD],
// [CLS] and [SEP] are left out.
func (v *Vocabulary) Decode(ids []int) string {
	var d decoder
	for i := 0; i < len(ids); i++ {
		id := ids[i]
		piece := v.Piece(id)
		switch rest, inside := cutContinuation(piece); {
		case id == padID || id == clsID || id == sepID:
		case v.IsByte(id):
			n := v.countBytes(ids[i:])
			// A word that continues after the bytes contains them.
			d.tight = d.tight || unicode.IsLetter(d.last) && i+n < len(ids) && v.IsContinuation(ids[i+n])
			d.writeBytes(ids[i : i+n])
			i += n - 1
		case inside:
			d.glue(rest)
		default:
			d.write(piece)
		}
	}
	return string(d.out)
}

// countBytes returns the number of byte pieces at the beginning of ids.
func (v *Vocabulary) countBytes(ids []int) int {
	n := slices.IndexFunc(ids, func(id int) bool { return !v.IsByte(id) })
	if n < 0 {
		return len(ids)
	}
	return n
}

// decoder collects text and decides where a space belongs.
type decoder struct {
	out       []byte
	last      rune // the last character written, 0 at the beginning
	before    rune // the one before it
	spelt     bool // the last character was spelt in bytes
	quoteOpen bool // an odd number of double quotes so far
	tight     bool // no space follows the last character
}

// glue appends without a space.
func (d *decoder) glue(s string) {
	d.out = append(d.out, s...)
	for _, r := range s {
		d.before, d.last = d.last, r
	}
	d.tight, d.spelt = false, false
}

// write appends a piece that begins a pre-token, after a space if one is due.
func (d *decoder) write(piece string) {
	first, _ := utf8.DecodeRuneInString(piece)
	if d.last != 0 && d.spaced(first, piece) {
		d.out = append(d.out, ' ')
	}
	previous := d.last
	d.glue(piece)
	d.tight = d.binds(previous, piece)
	if piece == `"` {
		d.quoteOpen = !d.quoteOpen
	}
}

// writeBytes appends characters that were spelt in bytes. Letters among them are joined, because a
// word of an unknown script is spelt letter by letter. The parts of an emoji are joined, too.
func (d *decoder) writeBytes(ids []int) {
	raw := make([]byte, len(ids))
	for i, id := range ids {
		raw[i] = byte(id - FirstByte)
	}
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		if d.spelt && unicode.IsLetter(d.last) == unicode.IsLetter(r) || unicode.IsMark(r) {
			d.glue(string(raw[:size]))
		} else {
			d.write(string(raw[:size]))
		}
		d.spelt = true
		raw = raw[size:]
	}
}

const (
	closing      = ".,;:!?)]}%、。」』》〉】…"
	opening      = "([{$£€¥#@「『《〈【"
	contractions = " s t d m ll re ve clock em "
)

// spaced reports whether a space belongs between the text so far and a piece.
func (d *decoder) spaced(first rune, piece string) bool {
	switch {
	case d.tight:
		return false
	case strings.ContainsRune(closing, first) || first == '-':
		return false
	case first == '\'':
		return !unicode.IsLetter(d.last)
	case first == '"':
		return !d.quoteOpen
	case d.last == '\'':
		return !strings.Contains(contractions, " "+piece+" ")
	case isHan(first):
		return !isHan(d.last) && !unicode.IsPunct(d.last)
	case isHan(d.last) || strings.ContainsRune("、。」", d.last):
		return unicode.IsLetter(first)
	case unicode.IsDigit(first):
		number := unicode.IsDigit(d.before) && (d.last == '.' || d.last == ':')
		return !unicode.IsDigit(d.last) && !number
	}
	return true
}

// binds reports whether the next piece follows the piece just written without a space. previous is the character
// before that piece.
func (d *decoder) binds(previous rune, piece string) bool {
	switch piece {
	case `"`:
		return !d.quoteOpen
	case "'":
		return !unicode.IsLetter(previous)
	case "-":
		return true
	}
	return len(piece) <= utf8.UTFMax && strings.Contains(opening, piece)
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

package tokenizers

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"attnatlas/engine/messages"

	"github.com/go-json-experiment/json/jsontext"
)

// unigram splits a word into the pieces with the largest sum of scores (Kudo 2018).
type unigram struct {
	*vocabulary
	entries  *trie
	scores   []float64
	unknown  int32 // -1: not named in the file
	penalty  float64
	fallback bool
	bytes    [256]int32
}

// unknownPenalty is the difference in score between the rarest piece and an unknown character.
const unknownPenalty = 10

// newUnigram reads a Unigram.
func newUnigram(o *object) model {
	room := min(len(o.value("vocab"))/24, mostEntries)
	u := &unigram{vocabulary: newVocabulary(room), entries: newTrie(room), unknown: -1, penalty: math.Inf(1)}
	u.fallback = o.boolean("byte_fallback", false)
	if o.value("unk_id") != nil {
		u.unknown = int32(o.count("unk_id", 0, mostEntries))
	}
	u.read(o, "vocab")
	u.penalty -= unknownPenalty
	u.bytes = byteTokens(u.vocabulary)
	if int(u.unknown) >= len(u.scores) {
		o.refuse("unk_id", strconv.Itoa(int(u.unknown)), "less than "+strconv.Itoa(len(u.scores)))
	}
	return u
}

// read reads [["piece", score], …].
func (u *unigram) read(o *object, field string) {
	raw := o.value(field)
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if start, err := d.ReadToken(); err != nil || start.Kind() != '[' {
		o.file.fail(wrongKind(o.name(field), raw, "a list"))
		return
	}
	for d.PeekKind() == '[' {
		entry, score, ok := readScored(d)
		id := len(u.scores)
		if !ok || id == mostEntries {
			o.file.fail(messages.Errorf("tokenizers.scored", "field", o.name(field), "index", id))
			return
		}
		if !u.entries.add(entry, int32(id)) {
			o.file.fail(messages.Errorf("tokenizers.vocabulary", "most", mostNodes))
			return
		}
		u.add(entry, id)
		u.scores = append(u.scores, score)
		u.penalty = min(u.penalty, score)
	}
	o.end(d)
}

// readScored reads ["piece", score].
func readScored(d *jsontext.Decoder) (entry string, score float64, ok bool) {
	for _, kind := range []jsontext.Kind{'[', '"', '0', ']'} {
		token, err := d.ReadToken()
		if err != nil || token.Kind() != kind {
			return "", 0, false
		}
		switch kind {
		case '"':
			entry = token.String()
		case '0':
			score, ok = parseScore(token.String())
			if !ok {
				return "", 0, false
			}
		}
	}
	return entry, score, true
}

// parseScore reads a number with the rounding of the library: all its digits as a whole number,
// then a quotient. The order of otherwise equal sums depends on it.
func parseScore(number string) (float64, bool) {
	digits, negative := strings.CutPrefix(number, "-")
	var whole uint64
	exponent, point, full := 0, false, false
	for i := range len(digits) {
		switch c := digits[i]; {
		case c == '.':
			point = true
		case c == 'e' || c == 'E':
			e, err := strconv.Atoi(digits[i+1:])
			if err != nil {
				return 0, false
			}
			return scaled(whole, exponent+e, negative)
		case full || whole > (math.MaxUint64-uint64(c-'0'))/10:
			full = true // further digits have no effect
			if !point {
				exponent++
			}
		default:
			whole = 10*whole + uint64(c-'0')
			if point {
				exponent--
			}
		}
	}
	return scaled(whole, exponent, negative)
}

// scaled is whole · 10^exponent, rounded after each step.
func scaled(whole uint64, exponent int, negative bool) (float64, bool) {
	f := float64(whole)
	for ; exponent < -308 && f != 0; exponent += 308 {
		f /= 1e308
	}
	switch {
	case exponent > 308:
		return 0, f == 0
	case exponent >= 0:
		f *= math.Pow10(exponent)
	default:
		f /= math.Pow10(-exponent)
	}
	if negative {
		f = -f
	}
	return f, !math.IsInf(f, 0)
}

// best is the best split of a word up to a byte: the last piece and its start.
type best struct {
	score float64
	start int32 // -1: no piece ends here
	id    int32
}

func (u *unigram) tokenize(s *scratch, out []piece, word string) ([]piece, error) {
	ways := s.ways[:0]
	for range len(word) + 1 {
		ways = append(ways, best{start: -1})
	}
	s.ways = ways
	for i, r := range word {
		end := i + utf8.RuneLen(r)
		if u.extend(ways, word, i, end) {
			continue
		}
		if u.unknown < 0 {
			return out, unknownWord(word, "unk_id")
		}
		ways[end].offer(best{ways[i].score + u.penalty, int32(i), u.unknown})
	}
	cuts := s.cuts[:0] // ends of pieces, from the last one
	for end := int32(len(word)); end > 0; {
		cuts = append(cuts, end)
		start := ways[end].start
		for ways[end].id == u.unknown && start > 0 && ways[start].id == u.unknown { // unknown neighbours become one
			start = ways[start].start
		}
		end = start
	}
	s.cuts = cuts
	start := int32(0)
	for _, end := range slices.Backward(cuts) {
		out = u.named(out, word[start:end], start)
		start = end
	}
	return out, nil
}

// extend offers all pieces that begin at a byte. It reports whether the character there, which ends
// at end, is a piece.
func (u *unigram) extend(ways []best, word string, i, end int) (single bool) {
	node := uint32(0)
	for k := i; k < len(word); k++ {
		if node = u.entries.next(node, word[k]); node == 0 {
			break
		}
		if id := u.entries.ids[node]; id >= 0 {
			ways[k+1].offer(best{ways[i].score + u.scores[id], int32(i), id})
			single = single || k+1 == end
		}
	}
	return single
}

// offer replaces the best split with a better one.
func (b *best) offer(way best) {
	if b.start < 0 || way.score > b.score {
		*b = way
	}
}

// named appends a piece of the word. A piece without an entry keeps its own text, or becomes bytes.
func (u *unigram) named(out []piece, s string, start int32) []piece {
	end := start + int32(len(s))
	if id, ok := u.ids[s]; ok {
		return append(out, piece{id, start, end, ""})
	}
	if !u.fallback || !u.hasBytes(s) {
		return append(out, piece{u.unknown, start, end, s})
	}
	for i := range len(s) {
		out = append(out, piece{u.bytes[s[i]], start, end, ""})
	}
	return out
}

// hasBytes reports whether all bytes of a string have entries.
func (u *unigram) hasBytes(s string) bool {
	for i := range len(s) {
		if u.bytes[s[i]] < 0 {
			return false
		}
	}
	return true
}

// unknownWord returns the error for a word without a token.
func unknownWord(word, field string) error {
	return messages.Errorf("tokenizers.unknown-word", "word", messages.Quote(excerpt(jsontext.Value(word))),
		"field", field)
}

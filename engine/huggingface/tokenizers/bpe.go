package tokenizers

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"attnatlas/engine/messages"

	"github.com/go-json-experiment/json/jsontext"
)

// bpe joins the characters of a word pair by pair, in the order in which the pairs were learned
// (Sennrich et al. 2016).
type bpe struct {
	*vocabulary
	merges  *table[merge] // by pairs of ids
	options bpeOptions
	unknown int32      // -1: unknown characters are left out
	bytes   [256]int32 // ids of <0x00> to <0xFF>; -1 where one is missing
}

// mostMerges is the largest number of merges.
const mostMerges = 1 << 21

// bpeOptions are the fields of a BPE except vocabulary and merges.
type bpeOptions struct {
	prefix, suffix string // of entries that continue a word, or end it
	unknown        string // entry for unknown characters
	fuse           bool   // adjacent unknown characters are one token
	fallback       bool   // unknown characters become byte tokens, if the vocabulary has them
	whole          bool   // a word in the vocabulary is not split
}

// pair returns the key of two adjacent tokens.
func pair(left, right int32) uint64 { return uint64(left)<<32 | uint64(right) }

// merge is the token that replaces a pair; lower ranks come first.
type merge struct{ rank, id int32 }

// newBPE reads a BPE.
func newBPE(o *object) model {
	if o.value("dropout") != nil {
		var share float64
		if o.decode("dropout", &share, "a number"); share != 0 {
			o.refuse("dropout", fmt.Sprint(share), "0 or null")
		}
	}
	v := o.vocabulary()
	b, err := bpeOf(v, o.merges("merges"), bpeOptions{
		prefix: o.text("continuing_subword_prefix", ""), suffix: o.text("end_of_word_suffix", ""),
		unknown: o.text("unk_token", ""), fuse: o.boolean("fuse_unk", false),
		fallback: o.boolean("byte_fallback", false), whole: o.boolean("ignore_merges", false),
	})
	if err != nil {
		o.file.fail(err)
	}
	return b
}

// bpeOf builds the table of merges from pairs of entries.
func bpeOf(v *vocabulary, merges [][2]string, options bpeOptions) (*bpe, error) {
	b := &bpe{vocabulary: v, merges: newTable[merge](len(merges)), options: options, unknown: -1}
	for rank, m := range merges {
		left, okLeft := v.ids[m[0]]
		right, okRight := v.ids[m[1]]
		id, ok := v.ids[m[0]+m[1][min(len(options.prefix), len(m[1])):]]
		if !okLeft || !okRight || !ok {
			return b, messages.Errorf("tokenizers.merge", "left", messages.Quote(m[0]), "right", messages.Quote(m[1]))
		}
		*b.merges.at(pair(left, right)) = merge{int32(rank), id}
	}
	if id, ok := v.ids[options.unknown]; ok && options.unknown != "" {
		b.unknown = id
	}
	b.bytes = byteTokens(v)
	return b, nil
}

// byteTokens returns the ids of <0x00> to <0xFF>.
func byteTokens(v *vocabulary) (ids [256]int32) {
	for i := range ids {
		id, ok := v.ids[fmt.Sprintf("<0x%02X>", i)]
		if ids[i] = id; !ok {
			ids[i] = -1
		}
	}
	return ids
}

// merges reads ["left right", …] or [["left", "right"], …].
func (o *object) merges(field string) [][2]string {
	raw := o.value(field)
	all := make([][2]string, 0, len(raw)/16)
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if start, err := d.ReadToken(); err != nil || start.Kind() != '[' {
		o.file.fail(wrongKind(o.name(field), raw, "a list"))
		return nil
	}
	for d.PeekKind() == '"' || d.PeekKind() == '[' {
		m, ok := readMerge(d)
		if !ok || len(all) == mostMerges {
			o.file.fail(messages.Errorf("tokenizers.pair", "field", o.name(field), "index", len(all)))
			return nil
		}
		all = append(all, m)
	}
	o.end(d)
	return all
}

// readMerge reads one merge.
func readMerge(d *jsontext.Decoder) (m [2]string, ok bool) {
	if d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return m, false
		}
		m[0], m[1], ok = strings.Cut(token.String(), " ")
		return m, ok && !strings.Contains(m[1], " ")
	}
	var parts []string
	for depth := 0; depth < 2; {
		token, err := d.ReadToken()
		switch {
		case err != nil:
			return m, false
		case token.Kind() == '"':
			parts = append(parts, token.String())
		default: // the brackets
			depth++
		}
	}
	if len(parts) != 2 {
		return m, false
	}
	return [2]string(parts), true
}

func (b *bpe) tokenize(s *scratch, out []piece, word string) ([]piece, error) {
	if b.options.whole {
		if id, ok := b.ids[word]; ok {
			return append(out, piece{id, 0, int32(len(word)), ""}), nil
		}
	}
	parts, complete := b.characters(s.parts[:0], word)
	s.parts = parts
	if !complete && b.options.unknown != "" {
		return out, unknownWord(word, "unk_token")
	}
	b.join(&s.queue, parts)
	at := int32(0)
	for _, p := range parts {
		if p.size > 0 {
			out = append(out, piece{p.id, at, at + p.size, ""})
			at += p.size
		}
	}
	return out, nil
}

// part is a token in a linked list, while pairs are joined.
type part struct {
	id, size   int32 // size 0: it was merged into the previous part
	prev, next int32 // indices; -1: none
}

// characters appends the characters of a word as tokens. Unknown characters without a token are
// left out; then complete is false.
func (b *bpe) characters(parts []part, word string) (all []part, complete bool) {
	complete = true
	var unknown int32 // bytes of unknown characters that are not yet a part
	for i, r := range word {
		end := i + utf8.RuneLen(r)
		if id, ok := b.ids[b.entry(word, i, end)]; ok {
			parts = b.addUnknown(parts, &unknown)
			parts = append(parts, part{id: id, size: int32(end - i)})
			continue
		}
		if b.options.fallback {
			if more, ok := b.fallback(parts, b.entry(word, i, end)); ok {
				parts = more
				continue
			}
		}
		if !b.options.fuse {
			parts = b.addUnknown(parts, &unknown)
		}
		unknown += int32(end - i)
		complete = complete && b.unknown >= 0
	}
	parts = b.addUnknown(parts, &unknown)
	for i := range parts {
		parts[i].prev, parts[i].next = int32(i-1), int32(i+1)
	}
	if len(parts) > 0 {
		parts[len(parts)-1].next = -1
	}
	return parts, complete
}

// entry returns the vocabulary's spelling of the character [i, end) of a word.
func (b *bpe) entry(word string, i, end int) string {
	entry := word[i:end]
	if i > 0 && b.options.prefix != "" {
		entry = b.options.prefix + entry
	}
	if end == len(word) && b.options.suffix != "" {
		entry += b.options.suffix
	}
	return entry
}

// fallback appends the bytes of an entry. ok is false if the vocabulary lacks one of them.
func (b *bpe) fallback(parts []part, entry string) (more []part, ok bool) {
	more = parts
	for i := range len(entry) {
		id := b.bytes[entry[i]]
		if id < 0 {
			return parts, false
		}
		more = append(more, part{id: id, size: 1})
	}
	return more, true
}

// addUnknown appends the pending unknown characters. Without an entry for them they are left out.
func (b *bpe) addUnknown(parts []part, size *int32) []part {
	if *size > 0 && b.unknown >= 0 {
		parts = append(parts, part{id: b.unknown, size: *size})
	}
	*size = 0
	return parts
}

// join joins pairs until no pair has a merge.
func (b *bpe) join(q *mergeQueue, parts []part) {
	for i := range len(parts) - 1 {
		b.offer(q, parts, int32(i))
	}
	for len(*q) > 0 {
		c := q.pop()
		left := &parts[c.at]
		if left.size == 0 || left.next < 0 {
			continue
		}
		right := &parts[left.next]
		if m, ok := b.merges.get(pair(left.id, right.id)); !ok || m.id != c.id {
			continue // the pair has changed since
		}
		left.id, left.size, left.next = c.id, left.size+right.size, right.next
		right.size = 0
		if left.next >= 0 {
			parts[left.next].prev = c.at
			b.offer(q, parts, c.at)
		}
		if left.prev >= 0 {
			b.offer(q, parts, left.prev)
		}
	}
}

// offer adds the pair at a part to the queue, if it has a merge.
func (b *bpe) offer(q *mergeQueue, parts []part, at int32) {
	if m, ok := b.merges.get(pair(parts[at].id, parts[parts[at].next].id)); ok {
		q.push(candidate{merge: m, at: at})
	}
}

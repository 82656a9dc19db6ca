package tokenizer

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"
)

// TrainOptions say what a new vocabulary shall contain.
type TrainOptions struct {
	// Size is the number of pieces in all: specials, bytes, characters, merges,
	// Words and Han. Merging stops when it is reached, so the result is smaller
	// only if the corpus runs out of pairs that occur MinCount times.
	Size int
	// Han is how many of the corpus' Han characters, the most frequent ones,
	// become pieces.
	Han int
	// MinCount is how often a letter, a mark or a pair must occur to count.
	// ASCII needs no count: its letters and marks are always pieces.
	MinCount int
	// Words become pieces whatever the corpus says: words or single characters.
	Words []string
}

// Train learns a vocabulary from texts. Equal corpora and options give equal
// vocabularies, piece for piece.
func Train(corpus iter.Seq[string], opt TrainOptions) (*Vocabulary, error) {
	c := newCensus()
	for text := range corpus {
		c.add(text, 1)
	}
	return c.train(opt)
}

// census is what training keeps of a corpus: how often each folded word and
// each character that stands alone occurs.
type census struct {
	words map[string]int
	chars map[rune]int
	buf   []byte
}

func newCensus() *census {
	return &census{words: make(map[string]int), chars: make(map[rune]int)}
}

// add counts a text as if it stood in the corpus weight times.
func (c *census) add(text string, weight int) {
	c.buf = c.buf[:0]
	for pos := 0; pos < len(text); {
		r, size, cl := next(text, pos)
		pos += size
		if cl == letter || cl == mark && len(c.buf) > 0 {
			c.buf = utf8.AppendRune(c.buf, r)
			continue
		}
		c.endWord(weight)
		if cl == single {
			c.chars[r] += weight
		}
	}
	c.endWord(weight)
}

func (c *census) endWord(weight int) {
	if len(c.buf) > 0 {
		c.words[string(c.buf)] += weight
		c.buf = c.buf[:0]
	}
}

func (c *census) train(opt TrainOptions) (*Vocabulary, error) {
	for _, w := range opt.Words {
		if err := checkLearned(w); err != nil {
			return nil, fmt.Errorf("train vocabulary: word %w", err)
		}
	}
	minCount := max(opt.MinCount, 1)
	pieces := fixedPieces()
	pieces = append(pieces, c.standing(minCount)...)
	alphabet := c.alphabet(minCount)
	pieces = append(pieces, alphabet...)
	han := c.han(opt.Han)

	known := make(map[string]bool)
	for _, p := range slices.Concat(pieces, han) {
		known[p] = true
	}
	missing := make(map[string]bool)
	for _, w := range opt.Words {
		if !known[w] {
			missing[w] = true
		}
	}
	room := opt.Size - len(known) - len(missing)
	if room < 0 {
		return nil, fmt.Errorf("train vocabulary: %d pieces are too few: characters, Han and words alone are %d",
			opt.Size, len(known)+len(missing))
	}
	m := newMerger(c.words, alphabet)
	for room > 0 {
		piece, ok := m.merge(minCount)
		if !ok {
			break
		}
		if known[piece] {
			continue // another cut of the same letters came first
		}
		known[piece] = true
		pieces = append(pieces, piece)
		if missing[piece] {
			delete(missing, piece) // its room was set aside
		} else {
			room--
		}
	}
	pieces = append(pieces, slices.Sorted(maps.Keys(missing))...)
	return newVocabulary(append(pieces, han...)), nil
}

// fixedPieces are the specials and the bytes.
func fixedPieces() []string {
	pieces := slices.Clone(specials[:])
	for b := range 256 {
		pieces = append(pieces, bytePiece(b))
	}
	return pieces
}

// standing is the list of characters that are pieces by themselves: visible
// ASCII, and other punctuation and symbols that are frequent enough. Invisible
// characters (joiners, variation selectors) and the dots of Braille, which
// people use to draw, stay bytes.
func (c *census) standing(minCount int) []string {
	var out []string
	for _, r := range slices.Sorted(maps.Keys(c.chars)) {
		if r >= utf8.RuneSelf && c.chars[r] >= minCount && !unicode.In(r, unicode.Han, unicode.Braille) &&
			unicode.In(r, unicode.P, unicode.S, unicode.N) {
			out = append(out, string(r))
		}
	}
	var ascii []string
	for r := '!'; r <= '~'; r++ {
		if asciiFold[r] == r && asciiClass[r] == single {
			ascii = append(ascii, string(r))
		}
	}
	return append(ascii, out...)
}

// alphabet is the list of letters, each as a beginning and as a continuation: a
// to z always, others if they are frequent enough. Marks only continue.
func (c *census) alphabet(minCount int) []string {
	counts := make(map[rune]int)
	for r := 'a'; r <= 'z'; r++ {
		counts[r] = minCount
	}
	for w, n := range c.words {
		for _, r := range w {
			counts[r] += n
		}
	}
	var first, inside []string
	for _, r := range slices.Sorted(maps.Keys(counts)) {
		if counts[r] < minCount {
			continue
		}
		inside = append(inside, continuation+string(r))
		if classOf(r) == letter {
			first = append(first, string(r))
		}
	}
	return append(first, inside...)
}

// han is the list of the n most frequent Han characters, most frequent first.
func (c *census) han(n int) []string {
	var all []rune
	for r := range c.chars {
		if unicode.Is(unicode.Han, r) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b rune) int {
		return cmp.Or(c.chars[b]-c.chars[a], int(a-b))
	})
	var out []string
	for _, r := range all[:min(n, len(all))] {
		out = append(out, string(r))
	}
	return out
}

package tokenizer

import (
	"cmp"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"attnatlas/engine/messages"
)

// TrainOptions are the size and contents of a new vocabulary.
type TrainOptions struct {
	// Size is the number of pieces in all: specials, bytes, characters, merges,
	// Words and Han. Merging stops when it is reached, so the result is smaller
	// only if the corpus runs out of pairs that occur MinCount times.
	Size int
	// Han is the number of Han characters of the corpus that become pieces, the most frequent ones
	// first.
	Han int
	// MinCount is how often a letter, a mark or a pair must occur to count. Visible ASCII and the
	// letters of Latin-1 are always pieces.
	MinCount int
	// Words always become pieces, whatever the corpus contains: words or single characters.
	Words []string
}

// census holds the counts of a corpus: for each folded word and for each character that is a pre-token
// by itself.
type census struct {
	words map[string]int
	chars map[rune]int
	buf   []byte
}

func newCensus() *census {
	return &census{words: make(map[string]int), chars: make(map[rune]int)}
}

// add counts a text weight times.
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
			return nil, messages.Errorf("vocabulary.word", "why", messages.Of(err))
		}
	}
	minCount := max(opt.MinCount, 1)
	alphabet := c.alphabet(minCount)
	first := slices.Concat(fixedPieces(), c.standing(minCount), alphabet)
	han := c.han(opt.Han)
	s := newPieceList(opt.Words, first, han)
	if s.taken() > opt.Size {
		return nil, messages.Errorf("vocabulary.small", "size", opt.Size, "taken", s.taken())
	}
	m := newMerger(c.words, alphabet)
	for s.taken() < opt.Size {
		piece, ok := m.merge(minCount)
		if !ok {
			break
		}
		s.put(piece)
	}
	words := slices.Sorted(maps.Keys(s.reserved))
	return newVocabulary(slices.Concat(first, s.merged, words, han)), nil
}

// pieceList is a list of pieces that merges extend. It reserves room for the wanted words; a merge
// can also produce one of them.
type pieceList struct {
	known    map[string]bool
	reserved map[string]bool // words that have no piece yet
	merged   []string
}

func newPieceList(words []string, known ...[]string) *pieceList {
	s := &pieceList{known: make(map[string]bool), reserved: make(map[string]bool)}
	for _, p := range slices.Concat(known...) {
		s.known[p] = true
	}
	for _, w := range words {
		if !s.known[w] {
			s.reserved[w] = true
		}
	}
	return s
}

func (s *pieceList) taken() int { return len(s.known) + len(s.reserved) }

func (s *pieceList) put(piece string) {
	s.known[piece] = true
	s.merged = append(s.merged, piece)
	delete(s.reserved, piece)
}

// fixedPieces returns the special tokens and the bytes.
func fixedPieces() []string {
	pieces := slices.Clone(specials[:])
	for b := range 256 {
		pieces = append(pieces, bytePiece(b))
	}
	return pieces
}

// standing returns the characters that are pieces by themselves: visible ASCII, and frequent
// punctuation and symbols. Invisible characters (joiners, variation selectors) stay bytes. So do
// the dots of Braille, which people use for drawings.
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

// westernLetters are always pieces: the small letters of Latin-1, so that words
// of western European languages need no bytes.
const westernLetters = "abcdefghijklmnopqrstuvwxyz" + "ßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"

// alphabet returns the letters, each as a beginning and as a continuation: the western letters
// always, other letters if they are frequent. Marks only continue.
func (c *census) alphabet(minCount int) []string {
	counts := make(map[rune]int)
	for _, r := range westernLetters {
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

// han returns the n most frequent Han characters, most frequent first.
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

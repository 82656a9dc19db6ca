package train

import (
	"math/rand/v2"

	"attnatlas/engine/task"
	"attnatlas/engine/tokenizer"
)

// phrases holds the source texts of an encoder–decoder: sentences and single words. A word is the list of its tokens.
type phrases struct {
	vocab     *tokenizer.Vocabulary
	sentences [][][]int // whole sentences or their beginnings, at most maxWords words each
	words     [][]int   // every word of the texts once, in the order of its first use
}

// maxWords and maxPieces are the largest numbers of words and tokens of a source text.
const (
	maxWords  = 16
	maxPieces = 24
)

// phrases splits the corpus into words, and sentences of at most this many tokens.
func (c *Corpus) phrases(pieces int) *phrases {
	f := &phrases{vocab: c.Vocab}
	known := map[string]bool{}
	for _, s := range c.streams {
		for i, from := range s.starts {
			to := len(s.ids)
			if i+1 < len(s.starts) {
				to = s.starts[i+1]
			}
			words := task.Words(c.Vocab, s.ids[from:to])
			for _, w := range words {
				if key := task.Spelling(c.Vocab, w); !known[key] {
					known[key] = true
					f.words = append(f.words, w)
				}
			}
			if words = beginning(words, pieces); len(words) > 0 {
				f.sentences = append(f.sentences, words)
			}
		}
	}
	return f
}

// beginning returns the first words of a text, up to the length of a source text.
func beginning(words [][]int, pieces int) [][]int {
	for i, w := range words {
		if pieces -= len(w); i == maxWords || pieces < 0 {
			return words[:i]
		}
	}
	return words
}

// text draws a source text of n tokens: consecutive sentences, single words of the texts, or
// invented words, so that every token is trained. The last word can be incomplete.
func (f *phrases) text(r *rand.Rand, n int) [][]int {
	var words [][]int
	kind := r.IntN(4)
	for n > 0 {
		var more [][]int
		switch {
		case kind < 2:
			more = f.sentences[r.IntN(len(f.sentences))]
		case kind < 3:
			more = [][]int{f.words[r.IntN(len(f.words))]}
		default:
			more = [][]int{f.invent(r)}
		}
		for _, w := range more {
			if w = w[:min(len(w), n)]; len(w) > 0 {
				words = append(words, w)
			}
			n -= len(w)
		}
	}
	return words
}

// invent draws a word of one to four tokens.
func (f *phrases) invent(r *rand.Rand) []int {
	piece := func(start bool) int {
		for {
			id := tokenizer.FirstByte + r.IntN(f.vocab.Size()-tokenizer.FirstByte)
			if f.vocab.IsWordStart(id) == start {
				return id
			}
		}
	}
	word := []int{piece(true)}
	for len(word) < 4 && r.IntN(3) == 0 {
		word = append(word, piece(false))
	}
	return word
}

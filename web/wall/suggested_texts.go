package wall

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"attnatlas/engine/tokenizer"
	"attnatlas/web/scene"
)

// mostShuffles is how many orders of words are tried.
const mostShuffles = 16

// shuffled is a text with its words in another order, neither its own nor that of another text,
// as many tokens long; empty: none was found. The same texts have the same one.
func shuffled(vocab *tokenizer.Vocabulary, text, other string) string {
	words, between := strings.Fields(text), " "
	if len(words) < 2 { // of a script without spaces
		words, between = strings.Split(strings.TrimSpace(text), ""), ""
	}
	h := fnv.New64a()
	h.Write([]byte(text + "\x00" + other))
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	tokens, _ := vocab.EncodePair(text)
	for range mostShuffles {
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		one := strings.Join(words, between)
		if list, _ := vocab.EncodePair(one); len(list) == len(tokens) && one != text && one != other {
			return one
		}
	}
	return ""
}

// alike is the next of the examples after a text that is as long as the first, or whose
// beginning is; empty: none is.
func alike(vocab *tokenizer.Vocabulary, text, after string) string {
	tokens, _ := vocab.EncodePair(text)
	var found []string
	for _, one := range beginnings(vocab, len(tokens)) {
		if one != text {
			found = append(found, one)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return found[(slices.Index(found, after)+1)%len(found)]
}

// beginnings are those of the examples that have so many tokens. They are cut once for a vocabulary and a number.
func beginnings(vocab *tokenizer.Vocabulary, n int) []string {
	key := struct {
		vocab *tokenizer.Vocabulary
		n     int
	}{vocab, n}
	if known, ok := begun.Load(key); ok {
		return known.([]string)
	}
	var all []string
	for _, e := range scene.Examples() {
		if one := cut(vocab, e.Text, n); one != "" {
			all = append(all, one)
		}
	}
	if all != nil {
		begun.Store(key, all) // of no more tokens than the longest example has
	}
	return all
}

// begun are the beginnings that are known, by vocabulary and number of tokens.
var begun sync.Map

// cut is the beginning of a text that has so many tokens, with [CLS] and [SEP]; empty: no
// beginning has.
func cut(vocab *tokenizer.Vocabulary, text string, n int) string {
	tokens, _ := vocab.EncodePair(text)
	if n < 3 || len(tokens) < n {
		return ""
	}
	one := text
	if len(tokens) > n {
		one = text[:tokens[n-2].End]
	}
	if list, _ := vocab.EncodePair(one); len(list) != n {
		return ""
	}
	return one
}

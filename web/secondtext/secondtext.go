// Package secondtext suggests second texts to compare with a first text: the same words in another order, and
// beginnings with as many tokens.
package secondtext

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"attnatlas/engine/tokenizer"
	"attnatlas/web/scene"
)

// mostShuffles is the number of word orders that are tried.
const mostShuffles = 16

// Shuffled returns a text with its words in another order, which is neither its own nor that of another text and has
// as many tokens. It returns "" if it finds none, and the same result for the same texts.
func Shuffled(vocab *tokenizer.Vocabulary, text, other string) string {
	words, between := strings.Fields(text), " "
	if len(words) < 2 { // such as in scripts without spaces
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

// Alike returns the next example after a text that has as many tokens, or whose beginning does. It returns "" if
// there is none.
func Alike(vocab *tokenizer.Vocabulary, text, after string) string {
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

// beginnings returns the beginnings of the examples that have this many tokens. They are computed once for each
// vocabulary and number.
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
		if one := Cut(vocab, e.Text, n); one != "" {
			all = append(all, one)
		}
	}
	if all != nil {
		begun.Store(key, all) // bounded, because n is at most the length of the longest example
	}
	return all
}

// begun caches the beginnings, by vocabulary and number of tokens.
var begun sync.Map

// Cut returns the beginning of a text that has this many tokens, including [CLS] and [SEP], or "" if no beginning
// has.
func Cut(vocab *tokenizer.Vocabulary, text string, n int) string {
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

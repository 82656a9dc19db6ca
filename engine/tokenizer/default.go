package tokenizer

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed vocab.txt
var vocabFile string

// Default is the vocabulary of the shipped models, 5,632 pieces. All calls
// return the same one.
func Default() *Vocabulary { return loadDefault() }

// loadDefault does not check the lines; a test does.
var loadDefault = sync.OnceValue(func() *Vocabulary {
	return newVocabulary(strings.Split(strings.TrimSuffix(vocabFile, "\n"), "\n"))
})

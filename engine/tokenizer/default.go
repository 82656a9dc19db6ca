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

var loadDefault = sync.OnceValue(func() *Vocabulary {
	v, err := Load(strings.NewReader(vocabFile))
	if err != nil {
		panic("tokenizer: the embedded vocabulary is broken: " + err.Error())
	}
	return v
})

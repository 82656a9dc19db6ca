package exhibit

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"attnatlas/engine/tokenizer"

	"github.com/BurntSushi/toml"
)

//go:embed word_classes.toml
var wordClassesFile string

// wordClass is the role of a word in a sentence, as far as closed lists know it.
type wordClass uint8

const (
	otherWord    wordClass = iota // a number, a punctuation mark, a mask
	functionWord                  // carries little meaning by itself
	negation
	pronoun // stands for a noun
	contentWord
)

// wordClasses returns the classes of the listed words.
var wordClasses = sync.OnceValue(func() map[string]wordClass {
	var file struct{ Pronouns, Negations, Function string }
	if _, err := toml.Decode(wordClassesFile, &file); err != nil {
		panic(err) // the file is part of the program
	}
	all := map[string]wordClass{}
	for class, list := range map[wordClass]string{functionWord: file.Function, negation: file.Negations,
		pronoun: file.Pronouns} {
		for word := range strings.FieldsSeq(list) {
			all[word] = class
		}
	}
	return all
})

// classOf returns the class of a word. Unlisted runs of letters are content words, except single letters.
func classOf(word string) wordClass {
	word = strings.ToLower(word)
	if class, listed := wordClasses()[word]; listed {
		return class
	}
	letters := 0
	for _, r := range word {
		switch {
		case unicode.Is(unicode.Han, r):
			letters += 2
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
		default:
			return otherWord
		}
	}
	if letters < 2 {
		return otherWord
	}
	return contentWord
}

// IsContent reports whether a word of a text carries meaning by itself. It is neither listed as a function word
// nor a number, a punctuation mark or a mask.
func IsContent(text string, word tokenizer.Cell) bool {
	return classOf(text[word.Start:word.End]) == contentWord
}

// IsNegation reports whether a word of a text negates, as “not” does.
func IsNegation(text string, word tokenizer.Cell) bool {
	return classOf(text[word.Start:word.End]) == negation
}

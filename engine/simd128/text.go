package simd128

import (
	"errors"
	"fmt"
	"strings"
)

// form is an S-expression: a word, or a list of forms.
type form struct {
	word string
	list []form
}

// head is the word with which a list begins.
func (f form) head() string {
	if len(f.list) == 0 {
		return ""
	}
	return f.list[0].word
}

var errText = errors.New("simd128: the text ends too early or too late")

// parse reads the only S-expression of a text. Comments begin with ;; and end with their line.
func parse(text string) (form, error) {
	var words []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, ";;")
		words = append(words, strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(line))...)
	}
	f, rest, err := one(words)
	if err == nil && len(rest) > 0 {
		err = errText
	}
	return f, err
}

// one reads the first S-expression of words.
func one(words []string) (f form, rest []string, err error) {
	if len(words) == 0 || words[0] == ")" {
		return f, nil, errText
	}
	if words[0] != "(" {
		return form{word: words[0]}, words[1:], nil
	}
	f.list = []form{}
	for words = words[1:]; len(words) > 0 && words[0] != ")"; {
		var part form
		if part, words, err = one(words); err != nil {
			return f, nil, err
		}
		f.list = append(f.list, part)
	}
	if len(words) == 0 {
		return f, nil, errText
	}
	return f, words[1:], nil
}

// unknown is the error of a form that the assembler does not know.
func unknown(what string, f form) error {
	return fmt.Errorf("simd128: %s (%s …) is not known here", what, f.head())
}

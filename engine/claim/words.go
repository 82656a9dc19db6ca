package claim

import (
	"strconv"
	"strings"

	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
)

// Every names all tokens except [CLS] and [SEP].
const Every = "*"

// wordsOf returns the indices, from 0, of the tokens that a list names.
func wordsOf(tokens []tokenizer.Token, list string) ([]int, error) {
	var all []int
	for name := range strings.FieldsSeq(list) {
		found := named(tokens, name)
		if found == nil {
			return nil, fault.Errorf(fault.NotFound, "error.claim.word", "word", messages.Quote(name))
		}
		all = append(all, found...)
	}
	return all, nil
}

// named returns the tokens with one name.
func named(tokens []tokenizer.Token, name string) []int {
	if name == Every {
		return words(tokens)
	}
	if all := labelled(tokens, name); all != nil {
		return all
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 {
		return nil
	}
	n, err := strconv.Atoi(name[dot+1:])
	if all := labelled(tokens, name[:dot]); err == nil && n >= 1 && n <= len(all) {
		return all[n-1 : n]
	}
	return nil
}

// labelled returns the tokens with a label.
func labelled(tokens []tokenizer.Token, label string) []int {
	var all []int
	for i, t := range tokens {
		if t.Label() == label {
			all = append(all, i)
		}
	}
	return all
}

// words returns the tokens except [CLS] and [SEP].
func words(tokens []tokenizer.Token) []int {
	var all []int
	for i, t := range tokens {
		if !t.IsBoundary() {
			all = append(all, i)
		}
	}
	return all
}

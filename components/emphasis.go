package components

import "strings"

// stretch is a part of a sentence: words of the text, or words about them.
type stretch struct {
	text  string
	words bool
}

// emphasised splits a sentence at its stars: *said* is a word of the text.
func emphasised(s string) []stretch {
	var all []stretch
	for i, part := range strings.Split(s, "*") {
		if part != "" {
			all = append(all, stretch{part, i%2 == 1})
		}
	}
	return all
}

package gaps

import (
	_ "embed"
	"slices"
	"strings"

	"attnatlas/engine/messages"
)

// Mask marks the masked word of a sentence.
const Mask = "[MASK]"

// Gap is a sentence with one masked word.
type Gap struct {
	Text  string   // holds Mask once
	Words []string // accepted, in lower case; for Chinese, characters
}

// Accepts reports whether a word, as the vocabulary spells it, is accepted in the gap.
func (g Gap) Accepts(word string) bool { return slices.Contains(g.Words, word) }

// Before returns the part of the text before the gap.
func (g Gap) Before() string {
	before, _, _ := strings.Cut(g.Text, Mask)
	return strings.TrimSpace(before)
}

//go:embed english.tsv
var english string

//go:embed chinese.tsv
var chinese string

// Shipped returns the gaps of the repository's own lists.
func Shipped() []Gap {
	all, err := Parse(english + chinese)
	if err != nil {
		panic("gaps: " + err.Error())
	}
	return all
}

// Parse parses a list. Each line has a sentence, a tab, and the accepted words separated by spaces. The error
// names the first line of another form.
func Parse(text string) ([]Gap, error) {
	var all []Gap
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		sentence, accepted, _ := strings.Cut(line, "\t")
		words := strings.Fields(strings.ToLower(accepted))
		if strings.Count(sentence, Mask) != 1 || len(words) == 0 {
			return nil, messages.Errorf("gaps.line", "line", number, "text", messages.Quote(line))
		}
		all = append(all, Gap{sentence, words})
	}
	if len(all) == 0 {
		return nil, messages.Errorf("gaps.empty")
	}
	return all, nil
}

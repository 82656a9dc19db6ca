package gaps

import (
	_ "embed"
	"slices"
	"strings"

	"attnatlas/engine/messages"
)

// Mask is what stands for the hidden word of a sentence.
const Mask = "[MASK]"

// Gap is a sentence with one hidden word.
type Gap struct {
	Text  string   // holds Mask once
	Words []string // accepted, in lower case; for Chinese, characters
}

// Accepts says whether a word, as the vocabulary spells it, may stand in the gap.
func (g Gap) Accepts(word string) bool { return slices.Contains(g.Words, word) }

// Before is the part of the text that stands before the gap.
func (g Gap) Before() string {
	before, _, _ := strings.Cut(g.Text, Mask)
	return strings.TrimSpace(before)
}

//go:embed english.tsv
var english string

//go:embed chinese.tsv
var chinese string

// Shipped are the gaps of the repository's own lists.
func Shipped() []Gap {
	all, err := Parse(english + chinese)
	if err != nil {
		panic("gaps: " + err.Error())
	}
	return all
}

// Parse reads a list: in each line a sentence, a tab, and the accepted words with spaces between
// them. The error names the first line that is anything else.
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

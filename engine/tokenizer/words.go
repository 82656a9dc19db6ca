package tokenizer

import "strings"

// Words groups the tokens of a text into words: the pieces of a run of letters, the bytes of a
// character, and adjacent masks are one word each. [CLS] and [SEP] are not words. The tokens can
// belong to a pair of texts; their offsets refer to text.
func (v *Vocabulary) Words(text string, tokens []Token) []Cell {
	var words []Cell
	inRun, charEnd := false, 0 // as in scan; the end of the character that byte pieces spell
	for i, t := range tokens {
		if t.Start == t.End {
			inRun = false
			continue
		}
		adjacent := i > 0 && tokens[i-1].End == t.Start && tokens[i-1].Start < t.Start
		var joins bool
		switch {
		case t.ID == maskID:
			joins, inRun = adjacent && tokens[i-1].ID == maskID, false
		case adjacent && t.Start < charEnd:
			joins = true
		default:
			_, size, cl := next(text, t.Start)
			joins = adjacent && inRun && (cl == letter || cl == mark)
			inRun, charEnd = cl == letter || joins, t.Start+size
		}
		if joins {
			words[len(words)-1].Last, words[len(words)-1].End = i+1, t.End
		} else {
			words = append(words, Cell{First: i, Last: i + 1, Start: t.Start, End: t.End})
		}
	}
	return words
}

// Hide replaces a word of a text with one [MASK] for each of its tokens, so that all other tokens
// keep their positions (whole-word masking, as in later versions of BERT).
func Hide(text string, word Cell) string {
	return text[:word.Start] + strings.Repeat(specials[maskID], word.Last-word.First) + text[word.End:]
}

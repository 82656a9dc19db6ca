package tokenizer

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"attnatlas/engine/messages"
)

// Save writes the vocabulary: one piece per line, the first line is id 0.
func (v *Vocabulary) Save(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, p := range v.pieces {
		b.WriteString(p)
		b.WriteByte('\n')
	}
	if err := b.Flush(); err != nil {
		return &messages.Error{Msg: messages.New("vocabulary.save"), Err: err}
	}
	return nil
}

// Parse reads a vocabulary in the format of Save.
func Parse(text string) (*Vocabulary, error) {
	pieces := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	first := loadDefault().pieces[:FirstLearned]
	if len(pieces) <= FirstLearned || !slices.Equal(pieces[:FirstLearned], first) {
		return nil, messages.Errorf("vocabulary.first", "count", FirstLearned)
	}
	known := map[string]bool{}
	for _, p := range pieces[FirstLearned:] {
		if err := checkLearned(p); err != nil {
			return nil, err
		}
		if known[p] {
			return nil, messages.Errorf("vocabulary.twice", "piece", messages.Quote(p))
		}
		known[p] = true
	}
	return newVocabulary(pieces), nil
}

// checkLearned accepts pieces that Encode can match: a single character, a run of letters, or ##
// and the rest of a run, all in folded form.
func checkLearned(piece string) error {
	if piece == "" {
		return messages.Errorf("vocabulary.empty")
	}
	if !utf8.ValidString(piece) {
		return messages.Errorf("vocabulary.encoding", "piece", messages.Quote(piece))
	}
	for _, r := range piece {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return messages.Errorf("vocabulary.control", "piece", messages.Quote(piece))
		}
		if f := foldRune(r); f != r {
			return messages.Errorf("vocabulary.folded", "piece", messages.Quote(piece), "character", messages.Quote(string(r)),
				"folded", messages.Quote(string(f)))
		}
	}
	rest, inside := cutContinuation(piece)
	if inside && rest == "" {
		return messages.Errorf("vocabulary.continues", "piece", messages.Quote(piece))
	}
	if !inside && utf8.RuneCountInString(rest) == 1 {
		return nil
	}
	return checkRun(piece, rest, inside)
}

func checkRun(piece, run string, inside bool) error {
	for i, r := range run {
		cl := classOf(r)
		if cl == letter || cl == mark && (inside || i > 0) {
			continue
		}
		return messages.Errorf("vocabulary.letters", "piece", messages.Quote(piece), "character", messages.Quote(string(r)))
	}
	return nil
}

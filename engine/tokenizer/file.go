package tokenizer

import (
	"bufio"
	"io"
	"strconv"
	"unicode"
	"unicode/utf8"

	"attnatlas/engine/messages"
)

// Load reads a vocabulary: one piece per line (LF or CRLF), the first line is
// id 0. It is strict, because a vocabulary that is off by one line gives a model that talks
// nonsense: the specials and the bytes must stand where this package expects
// them, and every learned piece must be one that Encode can reach. The error
// names the line (counting from 1) and what is wrong with it.
func Load(r io.Reader) (*Vocabulary, error) {
	var pieces []string
	seen := make(map[string]int)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		p := lines.Text()
		if err := checkLine(len(pieces), p); err != nil {
			return nil, wrongLine(len(pieces)+1, err)
		}
		if before, ok := seen[p]; ok {
			return nil, wrongLine(len(pieces)+1, messages.Errorf("vocabulary.again", "piece", messages.Quote(p), "before", before))
		}
		pieces = append(pieces, p)
		seen[p] = len(pieces)
	}
	if err := lines.Err(); err != nil {
		return nil, wrongLine(len(pieces)+1, err)
	}
	if len(pieces) < FirstLearned {
		return nil, wrongLine(len(pieces)+1, messages.Errorf("vocabulary.short", "lines", FirstLearned))
	}
	return newVocabulary(pieces), nil
}

// wrongLine is the error of a line of a file, counted from 1.
func wrongLine(line int, cause error) error {
	return &messages.Error{Msg: messages.New("vocabulary.line", "line", line), Err: cause}
}

// Save writes the vocabulary as Load reads it.
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

func checkLine(id int, piece string) error {
	var want string
	switch {
	case id < FirstByte:
		want = specials[id]
	case id < FirstLearned:
		want = bytePiece(id - FirstByte)
	default:
		return checkLearned(piece)
	}
	if piece != want {
		return messages.Errorf("vocabulary.fixed", "piece", messages.Quote(piece), "want", messages.Quote(want))
	}
	return nil
}

// checkLearned accepts what Encode can match: a single character, a run of
// letters, or ## and the rest of a run, all in folded form.
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
			return messages.Errorf("vocabulary.folded", "piece", messages.Quote(piece), "character", strconv.QuoteRune(r), "folded", strconv.QuoteRune(f))
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
		return messages.Errorf("vocabulary.letters", "piece", messages.Quote(piece), "character", strconv.QuoteRune(r))
	}
	return nil
}

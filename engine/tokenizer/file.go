package tokenizer

import (
	"bufio"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
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
			return nil, fmt.Errorf("vocabulary, line %d: %w", len(pieces)+1, err)
		}
		if before, ok := seen[p]; ok {
			return nil, fmt.Errorf("vocabulary, line %d: %q is already on line %d", len(pieces)+1, p, before)
		}
		pieces = append(pieces, p)
		seen[p] = len(pieces)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("vocabulary, line %d: %w", len(pieces)+1, err)
	}
	if len(pieces) < FirstLearned {
		return nil, fmt.Errorf("vocabulary, line %d: the file ends, but the specials and bytes need %d lines",
			len(pieces)+1, FirstLearned)
	}
	return newVocabulary(pieces), nil
}

// Save writes the vocabulary as Load reads it.
func (v *Vocabulary) Save(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, p := range v.pieces {
		b.WriteString(p)
		b.WriteByte('\n')
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("save vocabulary: %w", err)
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
		return fmt.Errorf("got %q, want %q", piece, want)
	}
	return nil
}

// checkLearned accepts what Encode can match: a single character, a run of
// letters, or ## and the rest of a run, all in folded form.
func checkLearned(piece string) error {
	if piece == "" {
		return fmt.Errorf("empty line")
	}
	if !utf8.ValidString(piece) {
		return fmt.Errorf("%q is not UTF-8", piece)
	}
	for _, r := range piece {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return fmt.Errorf("%q contains white space or a control character", piece)
		}
		if f := foldRune(r); f != r {
			return fmt.Errorf("%q is not in folded form: %q should be %q", piece, r, f)
		}
	}
	rest, inside := cutContinuation(piece)
	if inside && rest == "" {
		return fmt.Errorf("%q continues nothing", piece)
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
		return fmt.Errorf("%q has several characters, so it must consist of letters, but %q is none", piece, r)
	}
	return nil
}

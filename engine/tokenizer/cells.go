package tokenizer

import "unicode/utf8"

// Cell is a run of tokens that a page draws as one: a token, or all the byte
// pieces of one character. It covers tokens[First:Last] and text[Start:End].
type Cell struct {
	First, Last int
	Start, End  int
}

// Cells groups the tokens that Encode made of text. Bytes that are not UTF-8
// remain one cell each.
func (v *Vocabulary) Cells(text string, tokens []Token) []Cell {
	cells := make([]Cell, 0, len(tokens))
	for i := 0; i < len(tokens); {
		t := tokens[i]
		n, end := 1, t.End
		if v.IsByte(t.ID) {
			_, n = utf8.DecodeRuneInString(text[t.Start:])
			end = t.Start + n
		}
		cells = append(cells, Cell{First: i, Last: i + n, Start: t.Start, End: end})
		i += n
	}
	return cells
}

// Package highlight finds the parts of Go files that pages show in a style of their own.
package highlight

import (
	"go/scanner"
	"go/token"
	"strings"
)

// Piece is a part of a line: a "comment", "string" or "keyword", or other code.
type Piece struct{ Kind, Text string }

// Lines splits the lines of a Go file into pieces of the same style.
func Lines(text string) [][]Piece {
	text = strings.TrimSuffix(text, "\n")
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	lines := [][]Piece{nil}
	put := func(kind, text string) {
		for i, part := range strings.Split(text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if part != "" {
				last := len(lines) - 1
				lines[last] = append(lines[last], Piece{Kind: kind, Text: part})
			}
		}
	}
	done := 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		if kind := kindOf(tok); kind != "" {
			at := file.Offset(pos)
			put("", text[done:at])
			done = at + len(literal)
			put(kind, text[at:done])
		}
	}
	put("", text[done:])
	return lines
}

// kindOf returns the style of a token; empty: default.
func kindOf(tok token.Token) string {
	switch {
	case tok == token.COMMENT:
		return "comment"
	case tok == token.STRING || tok == token.CHAR:
		return "string"
	case tok.IsKeyword():
		return "keyword"
	}
	return ""
}

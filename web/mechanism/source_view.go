package mechanism

import "attnatlas/components"

// ProgramExcerpt is what a mechanism's page shows of the file in which it is written: the lines that compute steps.
type ProgramExcerpt struct {
	Path  string // in the tree
	Lines []ProgramLine
	Says  string // of the link to the whole file
	URL   string
}

// ProgramFile is the page "/m/{mechanism}/source".
type ProgramFile struct {
	components.Page
	Name, Path string
	Back       components.Link
	Lines      []ProgramLine
}

// ProgramLine is a line of a program.
type ProgramLine struct {
	Number string
	Code   []Piece
	Steps  []components.Link // that it computes
}

// Piece is a part of a line: a "comment", "string" or "keyword", or another.
type Piece struct{ Kind, Text string }

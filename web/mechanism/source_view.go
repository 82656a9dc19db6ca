package mechanism

import "attnatlas/components"

// ProgramExcerpt is the excerpt of a source file on a mechanism's page: the lines that compute
// steps.
type ProgramExcerpt struct {
	Path  string // path in the repository
	Lines []ProgramLine
	Says  string // text of the link to the whole file
	URL   string
}

// ProgramFile is the page "/m/{mechanism}/source".
type ProgramFile struct {
	components.Page
	Name, Path string
	Back       components.Link
	Lines      []ProgramLine
}

// ProgramLine is a line of source code.
type ProgramLine struct {
	Number string
	Code   []Piece
	Steps  []components.Link // steps that it computes
}

// Piece is a part of a line: a "comment", "string" or "keyword", or other code.
type Piece struct{ Kind, Text string }

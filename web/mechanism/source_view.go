package mechanism

import (
	"attnatlas/components"
	"attnatlas/web/highlight"
)

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
	Code   []highlight.Piece
	Steps  []components.Link // steps that it computes
}

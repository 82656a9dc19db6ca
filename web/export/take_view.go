package export

import "attnatlas/components"

// TakeView is the page "/take/…": a figure to export, with its texts.
type TakeView struct {
	components.Page
	Lead      string
	Action    string // URL of the form
	Hidden    []components.Field
	Measures  []Measure
	Selects   []components.Select
	Problem   string           // why there is no such file; else empty
	Preview   components.Image // empty for number formats
	File      components.Link
	Size      string          // size of the file, in words
	Live      components.Link // link to the self-contained page; empty: none
	LiveSays  string          // its size, or why there is none
	Back      components.Link // link to the page of the figure
	Texts     []Text
	Snippets  []Text
	Reachable string // who can reach the URLs; empty: everybody
}

// Text is a text to copy.
type Text struct{ ID, Title, Text string }

// Measure is a field for a number from Least to Most: the width of the paper in centimetres, or the size of the smallest
// letters in points.
type Measure struct {
	Name, Value string
	Least, Most int
}

package export

import "attnatlas/components"

// TakeView is the page "/take/…": a figure to take along, and what goes with it.
type TakeView struct {
	components.Page
	Lead      string
	Action    string // of the form
	Hidden    []components.Field
	Selects   []components.Select
	Problem   string           // why there is no such file; else empty
	Preview   components.Image // of numbers there is none
	File      components.Link
	Size      string          // of the file, in words
	Live      components.Link // to a page that computes; empty: there is none
	LiveSays  string          // how large it is, or why there is none
	Back      components.Link // to the page that the figure is of
	Texts     []Text
	Snippets  []Text
	Reachable string // who reaches their addresses; empty: everybody
}

// Text is something to copy.
type Text struct{ ID, Title, Text string }

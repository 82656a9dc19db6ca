package components

// Take is the page "/take/…": a figure to take along, and what goes with it.
type Take struct {
	Page
	Lead     string
	Action   string // of the form
	Hidden   []Field
	Selects  []Select
	Problem  string // why there is no such file; else empty
	Preview  Image  // of numbers there is none
	File     Link
	Size     string // of the file, in words
	Live     Link   // to a page that computes; empty: there is none
	LiveSays string // how large it is, or why there is none
	Back     Link   // to the page that the figure is of
	Texts    []TakeText
	Snippets []TakeText
}

// TakeText is something to copy.
type TakeText struct{ ID, Title, Text string }

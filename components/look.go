package components

// Introduction is the line above the maps that says what to look at, and where to go from there: of the
// first view, of an example, of a step of the guided walk. The zero Look is of a page without.
type Introduction struct {
	Kind     string // "first", "example" or "walk", which is also its CSS class
	Title    string // of the example; may be empty
	Sentence string // with the numbers as they were measured; *words* of the text stand between stars
	Note     string // that the view is another one now; may be empty
	Again    Link   // back to the view that is told of; may be empty
	Place    string // "3 of 26"; may be empty
	Previous Link   // may be empty, as all that follow
	Next     Link
	Up       Link   // the gallery, or out of the walk
	Leave    string // the address of what leads out of the walk, which Escape does, too; may be empty
	Try      []Try  // what to do next
	More     []Try  // the same, folded away
}

// Try is something to try, with the name that its link keeps from page to page.
type Try struct {
	ID string
	Link
}

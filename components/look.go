package components

// Introduction is the line above the maps with one thing to see and links to continue: for the
// first view, an example, or a tour step. The zero Introduction stands for a page without one.
type Introduction struct {
	Kind     string // "first", "example" or "walk", which is also its CSS class
	Title    string // of the example; can be empty
	Sentence string // with measured numbers; *words* of the text are between stars
	Note     string // note that the view has changed; can be empty
	Again    Link   // link back to the described view; can be empty
	Place    string // "3 of 26"; can be empty
	Previous Link   // can be empty, as can all following fields
	Next     Link
	Up       Link   // to the gallery, or out of the tour
	Leave    string // URL that leaves the tour, also with Escape; can be empty
	Try      []Try  // things to try
	More     []Try  // further things, in a fold
}

// Try is something to try, with an id that is the same on all pages.
type Try struct {
	ID string
	Link
}

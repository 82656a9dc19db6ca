package gallery

import "attnatlas/components"

// View is the page "/gallery": examples by what they show.
type View struct {
	components.Page
	Lead   string
	Groups []Group
}

// Group are the examples of one phenomenon.
type Group struct {
	ID, Title string
	Items     []Item
}

// Item is an example with a small map.
type Item struct {
	ID, Title, Text string
	Mechanism       string // whose map it is
	Sentence        string // as of a Look
	Note            string // that it is not so with these models; else empty
	URL             string
	Image           components.Image // may be empty
}

package gallery

import "attnatlas/components"

// pageView is the page "/gallery": the examples in groups.
type pageView struct {
	components.Page
	Lead   string
	Groups []sceneGroup
}

// sceneGroup holds the examples of one phenomenon.
type sceneGroup struct {
	ID, Title string
	Items     []Item
}

// Item is an example with a small map.
type Item struct {
	ID, Title, Text string
	Mechanism       string // the mechanism whose map is shown
	Sentence        string // with links and italics, as in components.Look
	Note            string // says that the sentence is not true for these models; else empty
	URL             string
	Image           components.Image // may be empty
}

package components

// Gallery is the page "/gallery": examples by what they show.
type Gallery struct {
	Page
	Lead   string
	Groups []GalleryGroup
}

// GalleryGroup are the examples of one phenomenon.
type GalleryGroup struct {
	ID, Title string
	Items     []GalleryItem
}

// GalleryItem is an example with a small map.
type GalleryItem struct {
	ID, Title, Text string
	Mechanism       string // whose map it is
	Sentence        string // as of a Look
	Note            string // that it is not so with these models; else empty
	URL             string
	Image           Image // may be empty
}

package components

// Mechanism is the page "/m/{mechanism}": one mechanism on one text, and all
// that is known of it. A stack of layers has the same page.
type Mechanism struct {
	Wall                 // the text, its form, and one card or none
	ID, Name, Summary    string
	Formulas             []string // in the notation of package formula
	Story                []string
	MapsTitle            string      // heading of the maps, or of why there are none
	Untrained            string      // why there are no maps for any text; else empty
	Generation           *Generation // of a model that reads one text and writes another; else nil
	Composition          Composition // of a stack
	Depth                Depth       // of layers that share their weights
	Layers               []LayerRow
	Training             Training // how the maps came to be
	Deletion             Deletion
	MapText              string // what its map times the values is, or why there is no such map
	Unrolled             []Link // to pages that take it apart, or set it otherwise
	Reach                Link   // to who has heard of whom after how many layers, likewise
	Cost                 Link   // to what it costs beside the others; without an address of a stack
	LayersTitle          string // "Layers × heads"
	Learned              Learned
	Background           Background
	Setting              string // for which sizes the numbers of Background are: "d = 128, …"
	EmptyRow             string // what a word with nothing to read gets
	CutText              string // what becomes of the rest when something is cut
	Definitions          []Definition
	Options              Options
	Differences          Differences
	Downloads            []Link
	Program              Program
	Previous, Next, Back Link // other mechanisms with the same text; the wall with this one
}

// Depth leads through layers with the same weights. The zero Depth is that of layers
// with weights of their own.
type Depth struct {
	Title, Text string
	Play        string // what the button does that turns the pages
	Back, Next  Link   // round and round
}

// LayerRow is one layer with small pictures of the main map: its mean, then
// every head.
type LayerRow struct {
	Label  string // "Layer 1"
	Thumbs []Thumb
}

// Thumb is a small picture of a map that leads to the large one.
type Thumb struct {
	Label   string // "head 1"
	URL     string
	Image   Image
	Current bool
}

// Index is the page "/m": all mechanisms and stacks, by families.
type Index struct {
	Page
	Lead     string
	Families []IndexFamily
}

// IndexFamily are the mechanisms of one family.
type IndexFamily struct {
	ID, Title string
	Rows      []IndexRow
}

// IndexRow is a mechanism of the index.
type IndexRow struct {
	ID, Name, Summary, Formula, Source, URL string
	Untrained                               bool
	Image                                   Image // of its main map; may be empty
}

// walls says that the page has the maps of a text as the wall has them.
func (m Mechanism) walls() bool { return m.Untrained == "" && m.Generation == nil }

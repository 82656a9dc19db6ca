package components

// Heads describes whose map a card shows, with the heads to select from.
type Heads struct {
	Says  string // "Head 2 of 4, the most distinctive"
	Why   string // explanation of Says
	Back  Link   // back from the card's own head; empty if it has none
	Label string // name of the list of heads: "Heads of Dot product"
	Sheet Image  // small maps of Tiles, from left to right
	Tiles []HeadTile
	Bare  bool // without small maps
}

// LayerMark is a layer of a visitor's model in a strip of all layers, with a link to its map.
type LayerMark struct {
	Kind    string // "all", "window" or "unpositioned"
	Says    string // "Layer 2: a window of 4 tokens"
	URL     string
	Current bool
}

// HeadTile is a head to select, or the mean.
type HeadTile struct {
	ID          string // id of its link: "head-dense-2"
	Label       string // "mean", "2"
	Hint        string
	Name        string // label of the link: "Dense synthesizer: head 2"
	URL         string // the page with this head on this card
	Current     bool
	Distinctive bool
}

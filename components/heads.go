package components

// Heads are whose map a card shows, and the heads to choose from.
type Heads struct {
	Says  string // "Head 2 of 4, the most distinctive"
	Why   string // what that means
	Back  Link   // away from a head of the card's own; empty where it has none
	Label string // what the choice of heads is called: "Heads of Dot product"
	Sheet Image  // the small maps of Tiles, from left to right
	Tiles []HeadTile
	Bare  bool // without small maps
}

// HeadTile is one of the heads to choose from, or their mean.
type HeadTile struct {
	ID          string // of its link: "head-dense-2"
	Label       string // "mean", "2"
	Hint        string
	Name        string // of the link among those of all cards: "Dense synthesizer: head 2"
	URL         string // the page with this head on this card
	Current     bool
	Distinctive bool
}

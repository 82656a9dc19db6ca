package components

// Arcs are a row of a map as lines from its word to those that it reads, in a square of 100
// by 100.
type Arcs struct {
	On    bool
	Lines []Arc
	Words []ArcWord // at the right side

	CellsAt, WordsAt string // from where on
}

// Arc is a line.
type Arc struct {
	Path, Width string
	Negative    bool
}

// ArcWord is a word that is read: its place, its cell's colour, and its label where there is room.
type ArcWord struct{ Y, Top, Height, Fill, Text string }

package components

// Arcs draws a row of a map as lines from its token to the tokens that it attends to, in a square
// of 100 by 100.
type Arcs struct {
	On    bool
	Lines []Arc
	Words []ArcWord // on the right

	CellsAt, WordsAt string // left edges of the swatches and the labels
}

// Arc is a line.
type Arc struct {
	Path, Width string
	Negative    bool
}

// ArcWord is an attended token: its position, its cell's colour, and its label if there is room.
type ArcWord struct{ Y, Top, Height, Fill, Text string }

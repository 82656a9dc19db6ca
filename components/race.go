package components

import "strconv"

// Race is the fill-in board, on which all models predict a masked word. The zero Race is closed,
// without a link to open it.
type Race struct {
	Toggle   Link     // opens or closes the board
	On       bool     // the board is open
	Says     string   // the result; *words* of the text are between stars
	Notes    []string // how predictions are scored, and limits
	Word     string   // the masked word; empty: unknown
	Rows     []RaceRow
	Out      []string // models without predictions, and why
	Tries    []Link   // words to mask, if no known word is masked
	Previous Link     // masks the previous word instead; can be empty, like Next
	Next     Link
	Others   []RaceWord // masked words with a board, if there are several
	Every    Link       // masks each word in turn, or returns to one
	Turns    RaceTurns
}

// RaceWord is a masked word with a board.
type RaceWord struct {
	Link
	Current bool
}

// RaceRow is one model's prediction of the masked word.
type RaceRow struct {
	ID, Name string
	Place    int
	To       Link // adds its card, or goes to it
	Chosen   bool // it has a card
	Guess    WordProb
	Truth    WordProb // probability of the masked word
	Uncut    string   // the same without ablations; empty: no ablations
	Rank     string   // rank in the whole vocabulary; for several pieces the worst
	Ranks    string   // ranks of all pieces
	Loss     string
	LossHelp string
}

// RaceTurns holds the predictions of all models for the words of the text, each masked in turn.
type RaceTurns struct {
	Words    []RaceColumn
	Rows     []RaceScore
	Waiting  []RaceRow // models without predictions yet, in order
	Progress RaceProgress
}

// RaceProgress is the number of models with predictions, and the URL that requests the others. The
// zero RaceProgress means that all have predictions.
type RaceProgress struct {
	Done, All int
	URL       string
}

// RaceColumn is one word of the text.
type RaceColumn struct {
	Link         // link to its board
	Right string // number of models that predict it correctly
}

// RaceScore is one model's predictions of all words.
type RaceScore struct {
	RaceRow         // without the prediction of a single word
	Right    string // "7 of 17"
	Surprise string // nats per word
	Cells    []RaceCell
}

// RaceCell is one model's prediction of one word.
type RaceCell struct {
	Share float64 // probability of the masked word, 0…1
	Right bool
	Says  string
}

// levels is the number of colour levels of cells, which are classes of the style sheet.
const levels = 10

func (c RaceCell) classes() string {
	class := "turn level-" + strconv.Itoa(min(int(c.Share*levels), levels-1))
	if c.Right {
		class += " guessed"
	}
	return class
}

// place returns the rank in the list, or "" if it has none yet.
func (r RaceRow) place() string {
	if r.Place == 0 {
		return ""
	}
	return strconv.Itoa(r.Place)
}

package components

import "strconv"

// Race is the board on which all models guess a hidden word. The zero Race is closed, and
// nothing opens it.
type Race struct {
	Toggle   Link     // opens the board, or closes it
	On       bool     // it is open
	Says     string   // how the race ended; *words* of the text stand between stars
	Notes    []string // how it is scored, and what else is to be known
	Word     string   // the hidden word; empty: nobody knows
	Rows     []RaceRow
	Out      []string // who does not guess, and why
	Tries    []Link   // words that can be hidden, where none is, or none that is known
	Previous Link     // the word before is hidden instead; may be empty, as Next
	Next     Link
	Others   []RaceWord // of several hidden words, those of which there is a board
	Every    Link       // each word hidden in its turn, or back to one
	Turns    RaceTurns
}

// RaceWord is a hidden word with a board.
type RaceWord struct {
	Link
	Current bool
}

// RaceRow is how one model guesses the hidden word.
type RaceRow struct {
	ID, Name string
	Place    int
	To       Link // adds its card, or goes to it
	Chosen   bool // it has a card
	Guess    WordProb
	Truth    WordProb // of the hidden word
	Uncut    string   // the same where nothing is cut; empty: nothing is
	Rank     string   // its place among the whole vocabulary; of several pieces that of the worst
	Ranks    string   // those of all pieces
	Loss     string
	LossHelp string
}

// RaceTurns is how all models guess the words of the text, each hidden in its turn.
type RaceTurns struct {
	Words    []RaceColumn
	Rows     []RaceScore
	Waiting  []RaceRow // models that have not guessed yet, in the order in which they will
	Progress RaceProgress
}

// RaceProgress is how many models of a board have guessed, and the address at which the others are asked for; the zero
// RaceProgress: all have.
type RaceProgress struct {
	Done, All int
	URL       string
}

// RaceColumn is one word of the text.
type RaceColumn struct {
	Link         // to the board on which it is guessed
	Right string // how many models guess it
}

// RaceScore is how one model guesses all of them.
type RaceScore struct {
	RaceRow         // without the guess of one word
	Right    string // "7 of 17"
	Surprise string // nats per word
	Cells    []RaceCell
}

// RaceCell is how it guesses one.
type RaceCell struct {
	Share float64 // the probability of the hidden word, 0…1
	Right bool
	Says  string
}

// levels are how many depths of colour cells have, as classes of the style sheet.
const levels = 10

func (c RaceCell) classes() string {
	class := "turn level-" + strconv.Itoa(min(int(c.Share*levels), levels-1))
	if c.Right {
		class += " guessed"
	}
	return class
}

// place is a number of a list; 0: it has none yet.
func (r RaceRow) place() string {
	if r.Place == 0 {
		return ""
	}
	return strconv.Itoa(r.Place)
}

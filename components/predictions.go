package components

import "strconv"

// Classification is the prediction of a trained classifier for the text.
type Classification struct {
	Task  string  // "sentiment of the text"
	Class string  // "positive"
	P     float64 // 0…1
	Help  string  // meaning of the classes, and accuracy
	Pair  bool    // it concerns a pair of texts, which the label then states
}

// Prediction is a model's prediction of a masked token, or of the next token.
type Prediction struct {
	At     int    // index of the token, from 0
	Label  string // the token: "[MASK]", or the one before the predicted token
	Hidden string // a sentence on the masked word, if it is known
	Words  []WordProb
}

// Predictions are all predictions of a model for a text.
type Predictions struct {
	Next bool         // they are next-token predictions
	List []Prediction // for masked tokens, or after every token
	Now  int          // for Next: index in List of the one that is shown large
}

// mostGuesses is the most masked words that are shown without opening a fold.
const mostGuesses = 3

// shown returns the predictions outside the fold, and rest those inside.
func (p Predictions) shown() []Prediction { return p.List[:min(len(p.List), mostGuesses)] }

func (p Predictions) rest() []Prediction { return p.List[min(len(p.List), mostGuesses):] }

// place returns the number of a token, from 1.
func (p Prediction) place() string { return strconv.Itoa(p.At + 1) }

package components

import "strconv"

// Classification is what a trained classifier says of the text.
type Classification struct {
	Task  string  // "feeling of the text"
	Class string  // "positive"
	P     float64 // 0…1
	Help  string  // what the classes are, and how often it is right
	Pair  bool    // it is about two texts: then that is said aloud
}

// Prediction is what a model takes a hidden word to be, or the word after a token.
type Prediction struct {
	At     int    // number of the token, from 0
	Label  string // the token: "[MASK]", or the one after which the word stands
	Hidden string // a sentence on the word behind [MASK], where it is known
	Words  []WordProb
}

// Predictions are all that a model expects of a text.
type Predictions struct {
	Next bool         // every one is of the word after a token
	List []Prediction // of hidden words, or after every token
	Now  int          // of Next: the place in List of the one that is shown large
}

// mostGuesses is how many hidden words are shown without being asked for.
const mostGuesses = 3

// shown are the predictions that are seen at once, and rest those that a disclosure has.
func (p Predictions) shown() []Prediction { return p.List[:min(len(p.List), mostGuesses)] }

func (p Predictions) rest() []Prediction { return p.List[min(len(p.List), mostGuesses):] }

// place is the number of a token as people count.
func (p Prediction) place() string { return strconv.Itoa(p.At + 1) }

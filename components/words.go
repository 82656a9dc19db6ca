package components

import "strconv"

// WordProb is a word with its probability.
type WordProb struct {
	Label string
	P     string  // "0.621"
	Exact string  // all digits
	Share float64 // 0…1, the length of the bar
	Right bool    // it is the right answer, or the masked word
}

// width returns the length of a bar in percent.
func (l WordProb) width() string { return strconv.FormatFloat(100*l.Share, 'f', 2, 64) }

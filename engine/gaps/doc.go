// Package gaps holds sentences with one hidden word and the words that may stand there, such as
//
//	She opened the [MASK] and walked in.	door gate
//
// english.tsv and chinese.tsv are our own lists, written before the training that they judge. A
// model is measured by how often its first guess, and its first ten guesses, hold an accepted word.
// Data sets for training leave out every text that holds one of these sentences, whatever word
// stands in the gap (Filter).
package gaps

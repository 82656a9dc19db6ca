// Package gaps holds sentences with one masked word and the words that are accepted there, such as
//
//	She opened the [MASK] and walked in.	door gate
//
// english.tsv and chinese.tsv are our own lists, written before the training that they evaluate. The measures are
// how often the first prediction of a model, and its first ten, include an accepted word. Training data leave out
// every text that contains one of these sentences, with any word in the gap (Filter).
package gaps

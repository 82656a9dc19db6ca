// Package task holds the sequence-to-sequence tasks. It computes the target text that an encoder–decoder must write for
// a source text, both for training and for judging an answer.
package task

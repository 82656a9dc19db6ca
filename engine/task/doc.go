// Package task holds the sequence-to-sequence tasks: of a source text it computes
// the target that an encoder–decoder is to write, in training and when an answer
// is judged.
package task

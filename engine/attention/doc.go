// Package attention holds the mixers, one mechanism in one file, each to be
// read beside its paper. A file says only what differs: its parameters, its
// Mix, and the Entry that describes it; where what it shows needs much code, that
// stands in a second file. Trunk, masks, training, recording and
// pages are elsewhere, once.
//
// Mix is written once for training, inference and inspection: Pass.Step names
// a value and returns it. Comments give the shape of one sequence, [N,d]; a
// batch axis in front of it is carried by the operations.
package attention

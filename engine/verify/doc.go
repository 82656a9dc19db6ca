// Package verify holds our mechanisms against other people's: it reads a case —
// weights, inputs and everything an independent implementation computed from
// them — runs our code on the same weights and inputs, and compares number by
// number.
//
// A case is a folder <mechanism>/<case> with config.json, weights.safetensors
// (the reference's own names) and io.safetensors. What a reference calls its
// values is told by a dialect: a table from its names to ours. Nothing else in
// the program knows those names.
package verify

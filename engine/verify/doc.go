// Package verify holds our mechanisms against other people's: it reads a case —
// weights, inputs and everything an independent implementation computed from
// them — runs our code on the same weights and inputs, and compares number by
// number.
//
// A case is a folder <reference>/<case> with config.json, weights.safetensors
// (the reference's own names) and io.safetensors. There is one run for all of them:
// build our model, fill it with the weights, run each sequence forwards and backwards,
// file what the pass showed. What a reference calls its arrays, and of which kind they
// are, is data: names.toml. What is built for a case, and the arrays that are more than
// ours under another name, are a function of each reference (references).
package verify

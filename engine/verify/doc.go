// Package verify checks our mechanisms against independent implementations. It reads a case:
// weights, inputs and all arrays that a reference implementation computed from them. It runs our
// code on the same weights and inputs, and compares number by number.
//
// A case is a folder <reference>/<case> with config.json, weights.safetensors (in the reference's
// names) and io.safetensors. All cases run in the same way: build our model, fill it with the
// weights, run each sequence forwards and backwards, and file the recorded values. The names and
// kinds of a reference's arrays are data: names.toml. Each reference has a function (references)
// that builds the model, and converts arrays for which a new name is not enough.
package verify

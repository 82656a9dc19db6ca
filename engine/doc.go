// Package engine is the entry point to the attention engine: Inspect runs the trained models on a text and returns
// every map that they compute.
//
// Symbols in every package below this one:
//
//	N tokens · d width · H heads · d_h = d/H width of a head · L longest length
//	B sequences of a batch · k slots · w window · G global words · b block
//	r random blocks · κ kernel · ξ stride · T ponder steps
//	R hash rounds · c words of a chunk · 2^m places of a shuffle network
//	S scores, before softmax · A weights, after softmax
//
// A mixer replaces attention inside a layer; a stack (architecture) arranges the layers; a map is an array that a
// pass records. A mask contains the pairs that the request forbids. Reach is the set of pairs that the mechanism's
// own pattern allows.
package engine

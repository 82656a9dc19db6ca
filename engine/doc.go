// Package engine is the door to the attention engine: Inspect runs the trained
// models on a text and reports every map that they computed.
//
// The alphabet, used in every package below this one:
//
//	N tokens · d width · H heads · d_h = d/H width of a head · L longest length
//	B sequences of a batch · k slots · w window · G global words · b block
//	r random blocks · κ kernel · ξ stride · T ponder steps
//	R hash rounds · c words of a chunk · 2^m places of a shuffle network
//	S scores, before softmax · A weights, after softmax
//
// A mixer replaces attention inside a layer; a stack says how layers are
// arranged; a map is an array that a pass shows; a mask is what the request
// forbids; reach is what the mechanism's own pattern can see.
package engine

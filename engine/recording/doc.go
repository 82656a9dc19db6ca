// Package recording keeps what the maps of a model were while it was trained: real
// snapshots after ever longer stretches of steps, with the loss beside them. Nothing is
// interpolated between them.
//
// Make takes a recording from the snapshots that a training left; a recording's Report is
// that of a frame, from which maps are chosen and drawn as from any other.
package recording

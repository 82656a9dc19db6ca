// Package costs compares what mechanisms cost: the claims of papers and introductions, the counts
// of the catalogue's formulas, and measurements on this machine.
//
// A measurement runs one mixer alone, without gradients and without recording its maps, with the
// width and heads of the bundled models. Its time is the CPU time of one thread (wall time on
// systems other than Linux), the minimum of several passes. Its bytes are the peak memory of its
// values. The parameters are random, because time does not depend on their values.
package costs

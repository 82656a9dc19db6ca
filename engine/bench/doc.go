// Package bench measures the engine: products of matrices, forward passes of
// every mechanism and how their time grows, training, the wall of maps, and
// pictures. Two measurements of two versions of the program can be compared.
//
// # Method
//
// Every figure is an operation that is repeated until it took long enough to be
// timed (a sample). There is one sample of every figure in each round, so that
// what disturbs the machine for a while disturbs all figures alike, and a
// figure is the median over the rounds. The samples of one thread are taken
// with one processor for Go (GOMAXPROCS) and in CPU time of the process, its
// garbage collection included, which other programs disturb less than wall
// time; those of several threads, and all where the system does not tell CPU
// time, in wall time. Operations that take more than half a second are
// sampled in three rounds at most.
//
// Models are untrained: time does not depend on what the weights are.
//
// # Figures
//
//	peak/fma                      what the multiply-add units do at most; GFLOP/s
//	gemm/MxKxN, …*COUNT, …/packed products of float32 matrices; *: so many at a time; GFLOP/s
//	forward/MECHANISM/N           a mixer for N positions, batch 1, no gradients; ms
//	forward/MECHANISM/N/watched   the same with all its maps
//	forward/MECHANISM/growth      slope of log time over log N, N ≥ 256, unwatched; exponent
//	train/MECHANISM/all           training steps, the head on all positions; tokens/s
//	train/MECHANISM/masked        the same, the head on 15 % of the positions
//	train/…/2-threads             the same with two threads, in wall time
//	wall/N, wall/N/2-threads      Inspect of all mechanisms, layers, heads; ms
//	first-wall/N, …/2-threads     the same of the mechanisms of the first page
//	png/N                         a picture of N×N cells with labels; ms
//
// peak/fma is missing where there are no vector kernels. Lengths at which the
// parameters of a mixer would not fit into 1.5 GiB are left out. All mixers are
// in memory together: some 3 GiB, or little when only others are asked for.
//
// # JSON
//
// A Document is written as one object:
//
//	format        1
//	version       of the program
//	commit        it was built from
//	date          RFC 3339
//	go, os, arch  Go's version, system and processor family
//	cpu           the processor's name
//	instructions  the vector instructions that the kernels use
//	processors    that Go may use (GOMAXPROCS) when nothing is measured
//	rounds        that were asked for
//	notes         sentences: what was left out and why
//	figures       in order, each with
//	  name, unit          "ms", "GFLOP/s", "tokens/s" or "exponent"
//	  clock               "cpu" or "wall"
//	  threads             1 or 2
//	  median, min, max    over the rounds
//	  wall                median by the wall clock, in the same unit
//	  rounds              samples there were
//	  operations          in each sample
//	  bytes, allocations  by one operation, median
//	  share               of peak/fma in the same round, 0…1; of products only
//	  claimed             exponent by the mechanism's paper; of growth only
//	  before              with Compare: the other document's median, min, max, and
//	                      gain: how many times better it is now
package bench

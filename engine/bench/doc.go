// Package bench measures the speed of the engine: matrix products, forward passes of every
// mechanism and how their time grows, training, requests for all maps, and pictures. Measurements
// of two versions of the program can be compared.
//
// # Method
//
// Each figure is an operation that runs repeatedly until it has taken long enough to be timed (a
// sample). Each round takes one sample of every figure, so that a temporary disturbance of the
// machine affects all figures equally. The value of a figure is the median over the rounds. Samples
// of one thread are taken with one processor for Go (GOMAXPROCS) and in CPU time of the process,
// including garbage collection. Other programs disturb CPU time less than wall time. Samples of
// several threads are in wall time, and so are all samples on systems that do not provide CPU time.
// Operations longer than half a second are sampled in at most three rounds.
//
// Models are untrained, because time does not depend on the values of the weights.
//
// # Figures
//
//	peak/fma                      peak rate of the multiply-add units; GFLOP/s
//	gemm/MxKxN, …*COUNT, …/packed products of float32 matrices; *COUNT: batch size; GFLOP/s
//	forward/MECHANISM/N           a mixer for N positions, batch 1, no gradients; ms
//	forward/MECHANISM/N/watched   the same with all its maps
//	forward/MECHANISM/growth      slope of log time over log N, N ≥ 256, unwatched; exponent
//	train/MECHANISM/all           training steps, the head on all positions; tokens/s
//	train/MECHANISM/masked        the same, the head on 15 % of the positions
//	train/…/2-threads             the same with two threads, in wall time
//	train/…/adamw                 the same with AdamW for all parameters, instead of Muon for matrices
//	wall/N, wall/N/2-threads      Inspect of all mechanisms, layers, heads; ms
//	first-wall/N, …/2-threads     the same for the mechanisms of the first page
//	png/N                         a picture of N×N cells with labels; ms
//
// peak/fma is missing on machines without vector kernels. Lengths at which the parameters of a
// mixer would exceed 1.5 GiB are left out. All mixers are in memory at once: about 3 GiB, or little
// if only other figures are requested.
//
// # JSON
//
// A Document is written as one object:
//
//	format        1
//	version       of the program
//	commit        from which it was built
//	date          RFC 3339
//	go, os, arch  Go's version, system and processor family
//	cpu           the processor's name
//	instructions  the vector instructions that the kernels use
//	processors    number that Go uses (GOMAXPROCS) between measurements
//	rounds        as requested
//	notes         sentences: what was left out and why
//	figures       in order, each with
//	  name, unit          "ms", "GFLOP/s", "tokens/s" or "exponent"
//	  clock               "cpu" or "wall"
//	  threads             1 or 2
//	  median, min, max    over the rounds
//	  wall                median by the wall clock, in the same unit
//	  rounds              number of samples
//	  operations          per sample
//	  bytes, allocations  per operation, median
//	  share               of peak/fma in the same round, 0…1; for products only
//	  claimed             exponent by the mechanism's paper; for growth only
//	  before              with Compare: the other document's median, min, max, and
//	                      gain: how many times better the figure is now
package bench

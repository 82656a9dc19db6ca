// Package attention holds the mixers. Each mechanism is one file, written to be read next to its
// paper. A file contains only what is particular to the mechanism: its parameters, its Mix, and the
// Entry that describes it. If its maps need much code, they have a second file. The rest of the
// model, masks, training, recording and pages are implemented once, in other packages.
//
// Mix is written once for training, inference and inspection: Pass.Step records a value under a
// name and returns it. Comments give the shape for one sequence, [N,d]; all operations also work
// with a batch axis in front of it.
package attention

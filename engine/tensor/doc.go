// Package tensor holds the engine's one array type, T — dense, row-major,
// float32 — and the kernels that work on such memory. It knows numbers and
// layout; it knows nothing of gradients, layers or words.
//
// A wrong shape is a bug of the caller and panics with a ShapeError that names
// the operation, what it wanted and what it got.
package tensor

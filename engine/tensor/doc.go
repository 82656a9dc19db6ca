// Package tensor holds the engine's one array type, T — dense, row-major,
// float32 — and the kernels that work on such memory. It knows numbers and
// layout; it knows nothing of gradients, layers or words.
//
// The kernels exist three times: portable, and for amd64 in assembly for AVX2
// and for AVX-512, chosen when the program starts. internal/gen writes the
// assembly (go generate). The build tag purego leaves it out, and so does f64.
// Results differ between the three by rounding only; on one machine they are
// always the same.
//
// A wrong shape is a bug of the caller and panics with a ShapeError that names
// the operation, what it wanted and what it got.
package tensor

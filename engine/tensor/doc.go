// Package tensor holds the engine's array type T, which is dense, row-major and float32, and the
// kernels that work on such memory. It deals with numbers and layout only, not with gradients,
// layers or words.
//
// Each kernel exists in three forms: portable, and for amd64 in assembly for AVX2 and for AVX-512.
// The form is chosen when the program starts. internal/gen writes the assembly (go generate). The
// build tags purego and f64 leave it out. Results of the three forms differ only by rounding, and
// are always the same on one machine.
//
// A wrong shape is a bug of the caller. It causes a panic with a ShapeError that names the
// operation, the expected shape and the actual shape.
package tensor

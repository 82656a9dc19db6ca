// Package simd128 has the kernel of products of matrices for browsers: kernel.wat, WebAssembly in its text form, and an
// assembler for the part of that language that it uses. engine/tensor calls it through go:wasmimport; whoever starts
// the program gives it Go's memory, and then the kernel as the import "kernel".
//
// Source: WebAssembly Core Specification 2.0, chapters 5 (binary format) and 6 (text format).
package simd128

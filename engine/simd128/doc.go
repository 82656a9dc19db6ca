// Package simd128 has the kernel of products of matrices for browsers: kernel.wat, WebAssembly in its text form, and
// kernel.wasm, which wat2wasm of the WebAssembly Binary Toolkit makes of it. engine/tensor calls it through the
// directive go:wasmimport; whoever starts the program gives it Go's memory, and then the kernel as the import "kernel".
package simd128

import _ "embed" // the kernel

// Kernel is the program of kernel.wat.
//
//go:generate npx --yes --package=wabt@1.0.37 wat2wasm kernel.wat -o kernel.wasm
//go:embed kernel.wasm
var Kernel []byte

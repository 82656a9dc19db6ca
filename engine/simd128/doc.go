// Package simd128 holds the matrix product kernel for browsers: kernel.wat is its WebAssembly text, and kernel.wasm is
// compiled from it by wat2wasm of the WebAssembly Binary Toolkit. engine/tensor imports it from the host. The code that
// starts the program passes Go's memory to the kernel and the kernel as the import "kernel".
package simd128

import _ "embed" // the kernel

// Kernel is the compiled program of kernel.wat.
//
//go:generate npx --yes --package=wabt@1.0.37 wat2wasm kernel.wat -o kernel.wasm
//go:embed kernel.wasm
var Kernel []byte

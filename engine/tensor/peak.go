package tensor

import (
	"runtime"
	"slices"
)

// Instructions returns the name of the vector instructions that the kernels use on this machine.
func Instructions() string { return machine.instructions() }

func (s isa) instructions() string {
	return [...]string{"none (portable Go)", "AVX2 FMA BMI2", "AVX-512 F DQ BW VL"}[s]
}

// Reproducible reports whether results are bit-identical on all machines for which it is true. This
// requires computing without vector instructions, on a processor for which Go rounds every product
// before adding it.
func Reproducible() bool {
	return machine == noISA && slices.Contains([]string{"amd64", "wasm"}, runtime.GOARCH)
}

package tensor

import (
	"runtime"
	"slices"
)

// Instructions names the vector instructions that the kernels use on this
// machine.
func Instructions() string { return machine.instructions() }

func (s isa) instructions() string {
	return [...]string{"none (portable Go)", "AVX2 FMA BMI2", "AVX-512 F DQ BW VL"}[s]
}

// Reproducible says whether results have the same bits wherever it is true: without vector instructions, on
// processors for which Go rounds every product before it adds to it (it need not on others).
func Reproducible() bool {
	return machine == noISA && slices.Contains([]string{"amd64", "wasm"}, runtime.GOARCH)
}

//go:build amd64 && !purego && !f64

package tensor

import "golang.org/x/sys/cpu"

//go:generate go -C internal/gen run . -dir ../..

// machine is the level of vector instructions of this processor.
var machine = detect()

func detect() isa {
	switch {
	case !cpu.X86.HasAVX2 || !cpu.X86.HasFMA || !cpu.X86.HasBMI2:
		return noISA
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL:
		return isaAVX512
	}
	return isaAVX2
}

// Portable makes all kernels work without vector instructions. It must be called at the beginning
// of a program, before anything is computed or packed.
func Portable() { machine = noISA }

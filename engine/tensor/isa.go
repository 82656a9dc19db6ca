package tensor

// isa is a level of vector instructions. Each level has its own kernels, as methods. The kernels of
// noISA are portable. The names of assembly functions begin with y (AVX2) or z (AVX-512).
type isa uint8

const (
	noISA isa = iota
	isaAVX2
	isaAVX512
)

package tensor

// Instructions names the vector instructions that the kernels use on this
// machine.
func Instructions() string { return machine.instructions() }

func (s isa) instructions() string {
	return [...]string{"none (portable Go)", "AVX2 FMA BMI2", "AVX-512 F DQ BW VL"}[s]
}

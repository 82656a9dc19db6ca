// Package costs tells what mechanisms cost: as papers and introductions claim, as their entries count, and as it is
// measured on this machine.
//
// A measurement is of one mixer alone, without gradients, watched by nobody, with the width and heads of the shipped
// models; its time is the processor's for one thread (elsewhere than on Linux the time of the wall clock), the least
// of several passes, and its bytes are the most that its values took at a time. Weights are random: time does not
// depend on what they are.
package costs

//go:build !f64

package attention_test

// tightTolerance allows for another order of summation.
const tightTolerance = 1e-5

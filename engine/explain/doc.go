// Package explain takes a forward pass apart: Explain traces a number back to the numbers that made
// it, and Steps lists the computed arrays of a layer in the order of the equations.
package explain

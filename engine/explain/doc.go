// Package explain takes a forward pass apart: which numbers made a number (Explain), and what the pass computed on its
// way through a layer, step by step in the order of the equations (Steps).
package explain

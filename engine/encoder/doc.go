// Package encoder arranges mixers into models: embeddings, a stack of layers, and heads that turn
// its output into words and classes. A stack receives its mixer as a function, so every mechanism
// works in every stack. Each stack is one file, written to be read next to its paper; Stacks lists
// them.
package encoder

// Package nn holds what every layer needs and no single mechanism owns: parameters and their
// initial values, the state of one forward pass, masks, and the modules around attention (Linear,
// LayerNorm, Embedding, FeedForward).
package nn

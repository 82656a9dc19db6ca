// Package nn holds what every layer needs and no mechanism owns: parameters
// and how they start, the state of one forward pass, masks, and the pieces
// around attention — Linear, LayerNorm, Embedding, FeedForward.
package nn

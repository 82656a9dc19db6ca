// Package nn holds what all layers share: parameters and their initial values, the state of one
// forward pass, masks, and the modules around attention (Linear, LayerNorm, Embedding, FeedForward).
package nn

// Package metrics computes measures of attention: entropy, distance, rollout and flow from the maps
// of a run, differences between two maps, and influence from the gradients of a mixer.
package metrics

// Package metrics computes measures of attention: entropy, distance and rollout from
// the maps of a run, how two maps differ, influence from the gradients of a mixer.
package metrics

// Package method holds the measurements that are defined in the same way for every mechanism:
// influence, attention rollout, value zeroing, vector norms and attention flow.
//
// Each method has its own file. A Method states its name, the mechanisms for which it is defined,
// its cost, and how it measures. Parameters, pages, API, exports, command line and their
// documentation follow from the Catalog. The texts for readers are in engine/messages/en/methods.
// The arithmetic of the methods is in package metrics, where reference computations check it.
package method

// Package method has what can be measured of every mechanism in the same way, beside the maps of its
// own: influence, rollout, value zeroing, norms, flow.
//
// One method is one file: a Method says what it is, for which mechanisms it is defined, what it costs, and
// measures. Parameters, pages, API, exports, command line and their documentation follow from the Catalog.
// What people read of it is in engine/messages/en/methods. The arithmetic of the methods that are here is in package
// metrics, where reference computations check it.
package method

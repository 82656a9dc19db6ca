// Package live writes figures that compute: one file of HTML, which has the engine compiled to WebAssembly
// (web/live/program), the weights of its mechanisms and their texts, and asks nobody for anything. Opened from a
// folder, without a network, it draws the maps of what a visitor types, layer by layer and head by head, with
// <attention-map>.
//
// What it shows before its engine has started are the same maps, computed by whoever wrote it.
package live

// Package live writes figures that compute: one HTML file with the engine compiled to WebAssembly (web/live/program),
// the weights of its mechanisms and their texts. It needs no network. It draws the maps of a visitor's text, layer by
// layer and head by head, with <attention-map>, also when it is opened from a folder.
//
// Before its engine has started, it shows the same maps, computed when the file was written.
package live

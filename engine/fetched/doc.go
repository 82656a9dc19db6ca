// Package fetched has the files of a program that runs in a browser: what every other program carries in itself,
// weights, recordings and fonts, is there fetched when somebody asks for it.
//
// Whoever starts the program says what there is, and fetches, in a global object of JavaScript:
//
//	atlasFiles = {
//	  sizes: {"weights/dense.safetensors.gz": 1416337, …},
//	  read(name) → Promise<Uint8Array>,
//	  unpack(bytes of gzip) → Promise<Uint8Array>,
//	}
package fetched

import "errors"

// ErrUnreachable is the error of a file that could not be fetched: there is no network, say. It may be there later.
var ErrUnreachable = errors.New("fetched: the file could not be fetched")

// Folders of files.
const (
	Weights    = "weights"    // of the shipped models
	Recordings = "recordings" // of their trainings
	Typefaces  = "typefaces"
	Live       = "live" // the program of live figures
	Own        = "own"  // models that are not the shipped ones, with all that belongs to them
)

// Package fetched provides the files of a program that runs in a browser. Other programs contain their weights,
// recordings and fonts; this one fetches each file when it is first read.
//
// The page that starts the program lists and fetches the files through a global object of JavaScript:
//
//	atlasFiles = {
//	  sizes: {"weights/dense.safetensors.gz": 1416337, …},
//	  read(name) → Promise<Uint8Array>,
//	  unpack(bytes of gzip) → Promise<Uint8Array>,
//	}
package fetched

import "errors"

// ErrUnreachable is the error of a file that could not be fetched, for example without a network. A later attempt
// may succeed.
var ErrUnreachable = errors.New("fetched: the file could not be fetched")

// Folders of files.
const (
	Weights    = "weights"    // of the bundled models
	Recordings = "recordings" // of the training of the bundled models
	Typefaces  = "typefaces"
	Documents  = "documents"
	Live       = "live" // the program of live figures
	Own        = "own"  // models other than the bundled ones, with all their files
)

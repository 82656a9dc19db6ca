// Package lzma compresses bytes to a stream of LZMA, the format of .lzma files. A program for browsers becomes a
// third smaller than with gzip, which keeps live figures small. web/live/lzma.js decompresses the stream in a
// page; xz can read it, too.
//
// Source: I. Pavlov, LZMA specification, 2015 (LZMA SDK, lzma-specification.txt). This package implements one
// setting of the format. Literals have three bits of context and none of their position; matches have two bits of
// their position.
package lzma

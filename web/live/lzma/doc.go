// Package lzma compresses bytes to a stream of LZMA, the format of files .lzma: of a program for browsers a third less
// than gzip, which a live figure needs in order to stay as small as it is. Whoever reads it in a page is
// web/live/lzma.js; xz reads it, too.
//
// Source: I. Pavlov, LZMA specification, 2015 (LZMA SDK, lzma-specification.txt). What is here is one setting of it:
// three bits of context for literals, none of their places, and two bits of the places of matches.
package lzma

package site

import "io"

// In a browser nothing is sent over a network.
var brotliAt func(w io.Writer, level int) io.WriteCloser

//go:build !js

package site

import (
	"io"

	"github.com/andybalholm/brotli"
)

// brotliAt compresses at a level; nil: this program cannot.
var brotliAt = func(w io.Writer, level int) io.WriteCloser { return brotli.NewWriterLevel(w, level) }

package static

import (
	"embed"
	"syscall/js"
)

// In a browser fonts are not in the program: whoever starts it has them, and says where they are.

//go:embed css js element icon.svg
var files embed.FS

// Global is the name of the path, of JavaScript's, under which the files are, with the hash of all of them.
const Global = "atlasStatic"

func prefix() string { return js.Global().Get(Global).String() }

func exists(string) bool { return true }

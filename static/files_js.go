package static

import (
	"embed"
	"syscall/js"
)

// In a browser the host has the files that pages load, and says where they are. The program has what it writes into
// others, and what pages that no host serves ask it for.

//go:embed element css/scripts.css
var files embed.FS

func bundled(string) ([]byte, bool) { return nil, false }

func bundleNames() []string { return nil }

// Global is the name of the path, of JavaScript's, under which the files are, with the hash of all of them.
const Global = "atlasStatic"

func prefix() string { return js.Global().Get(Global).String() }

func exists(string) bool { return true }

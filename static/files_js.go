package static

import (
	"embed"
	"syscall/js"
)

// In a browser, the host has the files that pages load, and tells the program their path. The program embeds only
// files that it writes into other files, and files that pages without a host request from it.

//go:embed element css/scripts.css
var files embed.FS

func bundled(string) ([]byte, bool) { return nil, false }

func bundleNames() []string { return nil }

// Global is the name of the JavaScript variable with the path of the files, which contains the hash of all files.
const Global = "atlasStatic"

func prefix() string { return js.Global().Get(Global).String() }

func exists(string) bool { return true }

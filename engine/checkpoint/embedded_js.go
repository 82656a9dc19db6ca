package checkpoint

import (
	"io/fs"
	"sync"

	"attnatlas/engine/fetched"
)

// Folder is that of the shipped weights, which a program in a browser fetches.
var Folder = sync.OnceValue(func() fs.FS { return fetched.Folder("weights") })

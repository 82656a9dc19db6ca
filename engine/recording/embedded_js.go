package recording

import (
	"io/fs"
	"sync"

	"attnatlas/engine/fetched"
)

// Folder returns the folder of the bundled models' recordings, which a program in a browser
// fetches.
var Folder = sync.OnceValue(func() fs.FS { return fetched.Folder(fetched.Recordings) })

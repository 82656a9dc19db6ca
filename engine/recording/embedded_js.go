package recording

import (
	"io/fs"
	"sync"

	"attnatlas/engine/fetched"
)

// Folder is that of the recordings of the shipped models, which a program in a browser fetches.
var Folder = sync.OnceValue(func() fs.FS { return fetched.Folder(fetched.Recordings) })

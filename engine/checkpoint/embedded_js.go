package checkpoint

import (
	"io/fs"
	"sync"

	"attnatlas/engine/fetched"
)

// Folder returns the folder of the bundled weights, which a program in a browser fetches.
var Folder = sync.OnceValue(func() fs.FS { return fetched.Folder(fetched.Weights) })

// unpacked decompresses a file before it is read. The browser's own decompression is ten times as
// fast.
func unpacked(data []byte) ([]byte, error) {
	if !packed(data) {
		return data, nil
	}
	return fetched.Unpack(data)
}

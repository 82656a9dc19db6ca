package checkpoint

import (
	"io/fs"
	"sync"

	"attnatlas/engine/fetched"
)

// Folder is that of the shipped weights, which a program in a browser fetches.
var Folder = sync.OnceValue(func() fs.FS { return fetched.Folder(fetched.Weights) })

// unpacked takes the compression off before a file is read: what the browser has for that is ten times as fast.
func unpacked(data []byte) ([]byte, error) {
	if !packed(data) {
		return data, nil
	}
	return fetched.Unpack(data)
}

//go:build !js

package checkpoint

import (
	"embed"
	"io/fs"
)

//go:embed all:weights
var weights embed.FS

// Folder is that of the embedded weights.
func Folder() fs.FS {
	folder, err := fs.Sub(weights, "weights")
	if err != nil {
		panic("checkpoint: " + err.Error()) // the name is right
	}
	return folder
}

// unpacked leaves a file as it is: its compression is taken off while it is read, no further than its header promises.
func unpacked(data []byte) ([]byte, error) { return data, nil }

//go:build !js

package checkpoint

import (
	"embed"
	"io/fs"
)

//go:embed all:weights
var weights embed.FS

// Folder returns the folder of the bundled weights.
func Folder() fs.FS {
	folder, err := fs.Sub(weights, "weights")
	if err != nil {
		panic("checkpoint: " + err.Error()) // the name is a valid path
	}
	return folder
}

// unpacked returns the file unchanged. Gzip is decompressed later, while the file is read, and no
// further than its header states.
func unpacked(data []byte) ([]byte, error) { return data, nil }

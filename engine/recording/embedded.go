//go:build !js

package recording

import (
	"embed"
	"io/fs"
)

//go:embed all:shipped
var shipped embed.FS

// Folder returns the folder of the bundled models' recordings.
func Folder() fs.FS {
	folder, err := fs.Sub(shipped, "shipped")
	if err != nil {
		panic("recording: " + err.Error())
	}
	return folder
}

//go:build !js

package recording

import (
	"embed"
	"io/fs"
)

//go:embed all:shipped
var shipped embed.FS

// Folder is that of the recordings of the embedded models.
func Folder() fs.FS {
	folder, err := fs.Sub(shipped, "shipped")
	if err != nil {
		panic("recording: " + err.Error())
	}
	return folder
}

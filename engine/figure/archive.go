package figure

import (
	"archive/zip"
	"io"
	"time"
)

// File starts a file of an archive. Its date is constant, so that the same files give the same
// bytes.
func File(files *zip.Writer, name string) (io.Writer, error) {
	return files.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
}

package figure

import (
	"archive/zip"
	"io"
	"time"
)

// File begins a file of an archive, of a date that is always the same: the same files give the same bytes.
func File(files *zip.Writer, name string) (io.Writer, error) {
	return files.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
}

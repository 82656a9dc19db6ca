package train

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"

	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// texts returns the paths of the .txt files of a folder, in the order of their names.
func texts(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, messages.Errorf("training.folder", "folder", dir)
	} else if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range files {
		if strings.EqualFold(filepath.Ext(f.Name()), ".txt") && !f.IsDir() {
			paths = append(paths, filepath.Join(dir, f.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, messages.Errorf("training.data", "folder", dir)
	}
	return paths, nil
}

// read returns the lines of a text file that are not empty. The file is UTF-8, or UTF-16 with a
// byte order mark.
func (c *Corpus) read(path string) ([]string, error) {
	data, err := disk.Read(path, checkpoint.MaxBytes())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, fileError(path, err)
	}
	fmt.Fprintf(c.digest, "%s %d\n", filepath.Base(path), len(data))
	c.digest.Write(data)
	text, _, err := transform.Bytes(xunicode.BOMOverride(xunicode.UTF8.NewDecoder()), data)
	if err != nil {
		return nil, fileError(path, err)
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, fileError(path, messages.Errorf("training.encoding"))
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

package main

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"io/fs"
	"os"

	"attnatlas/engine/tensor"
)

// build returns a name for everything that determines pictures and numbers: this program with its weights, the CPU
// instructions that it uses, and a folder of own weights. Processes of the same program have the same name.
func (w weights) build() (string, error) {
	sum := sha256.New()
	add := func(open func() (io.ReadCloser, error)) error {
		file, err := open()
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		_, err = io.Copy(sum, file)
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	if err := add(func() (io.ReadCloser, error) { return os.Open(program) }); err != nil {
		return "", err
	}
	_, _ = io.WriteString(sum, tensor.Instructions()) // a hash never fails
	if w.Weights != "" {
		folder, err := w.folder()
		if err != nil {
			return "", err
		}
		files, err := fs.ReadDir(folder, ".")
		if err != nil {
			return "", err
		}
		for _, f := range files {
			if !f.Type().IsRegular() {
				continue
			}
			_, _ = io.WriteString(sum, "\x00"+f.Name()+"\x00")
			if err := add(func() (io.ReadCloser, error) { return folder.Open(f.Name()) }); err != nil {
				return "", err
			}
		}
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9]), nil
}

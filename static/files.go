//go:build !js

package static

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
)

//go:embed css js element fonts icon.svg
var files embed.FS

var prefix = Root + hash(files) + "/"

// there says whether there is a file of a name.
func there(name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

// hash is of all names and contents.
func hash(tree fs.FS) string {
	sum := sha256.New()
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		sum.Write([]byte(name + "\x00"))
		sum.Write(data)
		return err
	})
	if err != nil {
		panic("static: " + err.Error()) // the tree is in the binary
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9])
}

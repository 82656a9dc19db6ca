//go:build !js

package static

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"sync"
)

//go:embed css js element fonts icon.svg
var files embed.FS

// prefix begins all addresses. It is computed when the first page is written, because packages add files until then.
var prefix = sync.OnceValue(func() string { return Root + hash() + "/" })

// exists reports whether there is a file with a name.
func exists(name string) bool {
	if _, ok := bundled(name); ok {
		return true
	}
	tree, name := locate(name)
	_, err := fs.Stat(tree, name)
	return err == nil
}

// hash returns a hash of all names and contents.
func hash() string {
	sum := sha256.New()
	for _, name := range Names() {
		sum.Write([]byte(name + "\x00"))
		sum.Write(Content(name))
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9])
}

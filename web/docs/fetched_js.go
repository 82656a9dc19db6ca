package docs

import (
	"encoding/json"
	"io/fs"
	"sync"

	"attnatlas/engine/fetched"
)

var folder = sync.OnceValue(func() fs.FS { return fetched.Folder(fetched.Documents) })

// documents fetches the documents as Packed returned them. The program does not contain a renderer of Markdown.
func documents() (all []document, err error) {
	data, err := fs.ReadFile(folder(), File)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(data, &all)
	return all, err
}

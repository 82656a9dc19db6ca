package typeface

import (
	"errors"
	"io/fs"
	"sync"

	"attnatlas/engine/fault"
	"attnatlas/engine/fetched"
)

var folder = sync.OnceValue(func() fs.FS { return fetched.Folder(fetched.Typefaces) })

// read fetches the file of a font. It panics if the file cannot be fetched, and the request fails with that error.
func read(name string) []byte {
	data, err := fs.ReadFile(folder(), name)
	if errors.Is(err, fetched.ErrUnreachable) {
		panic(fault.Errorf(fault.Busy, "error.unfetched-font"))
	}
	if err != nil {
		panic("typeface: " + err.Error())
	}
	return data
}

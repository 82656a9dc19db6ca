package fetched

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall/js"
	"time"
)

// Global is the name of the JavaScript object that provides the files.
const Global = "atlasFiles"

// Folder returns one of the folders of files. Its file names and sizes are known. The first read of a file fetches its
// content and waits for it. The folder is safe for concurrent use.
func Folder(name string) fs.FS {
	f := &folder{prefix: name + "/", sizes: map[string]int64{}, read: map[string]func() ([]byte, error){}}
	sizes := js.Global().Get(Global).Get("sizes")
	keys := js.Global().Get("Object").Call("keys", sizes)
	for i := range keys.Length() {
		whole := keys.Index(i).String()
		if short, ok := strings.CutPrefix(whole, f.prefix); ok {
			f.sizes[short] = int64(sizes.Get(whole).Int())
		}
	}
	return f
}

type folder struct {
	prefix string
	sizes  map[string]int64

	mu   sync.Mutex
	read map[string]func() ([]byte, error) // files that are read, or being read
}

// Open opens a file, or the folder itself as ".".
func (f *folder) Open(name string) (fs.File, error) {
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	return &file{in: f, name: name, info: info}, nil
}

// Stat returns the size of a file.
func (f *folder) Stat(name string) (fs.FileInfo, error) {
	if name == "." {
		return stat{name: ".", mode: fs.ModeDir | 0o555}, nil
	}
	size, ok := f.sizes[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return stat{name: path.Base(name), size: size, mode: 0o444}, nil
}

// ReadDir lists the files.
func (f *folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	var all []fs.DirEntry
	for file, size := range f.sizes {
		all = append(all, fs.FileInfoToDirEntry(stat{name: file, size: size, mode: 0o444}))
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

// content returns the content of a file. A file that could not be fetched is fetched again.
func (f *folder) content(name string) ([]byte, error) {
	f.mu.Lock()
	read, known := f.read[name]
	if !known {
		read = sync.OnceValues(func() ([]byte, error) { return fetch(f.prefix + name) })
		f.read[name] = read
	}
	f.mu.Unlock()
	data, err := read()
	if err != nil {
		f.mu.Lock()
		delete(f.read, name)
		f.mu.Unlock()
	}
	return data, err
}

// fetch fetches a file and waits for it.
func fetch(name string) ([]byte, error) {
	data, err := wait(js.Global().Get(Global).Call("read", name))
	if err != nil {
		err = fmt.Errorf("%s: %w: %w", name, ErrUnreachable, err)
	}
	return data, err
}

// Unpack decompresses gzip.
func Unpack(data []byte) ([]byte, error) {
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	return wait(js.Global().Get(Global).Call("unpack", bytes))
}

// wait waits for the bytes of a promise.
func wait(promise js.Value) (data []byte, err error) {
	done := make(chan struct{})
	got := js.FuncOf(func(_ js.Value, args []js.Value) any {
		data = make([]byte, args[0].Length())
		js.CopyBytesToGo(data, args[0])
		close(done)
		return nil
	})
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		err = errors.New(js.Global().Call("String", args[0]).String())
		close(done)
		return nil
	})
	defer got.Release()
	defer failed.Release()
	promise.Call("then", got, failed)
	<-done
	return data, err
}

// file is an open file.
type file struct {
	in   *folder
	name string
	info fs.FileInfo
	rest *bytes.Reader
}

// Stat returns the description of the file.
func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close does nothing.
func (f *file) Close() error { return nil }

// Read fetches the file on the first call and copies its bytes.
func (f *file) Read(p []byte) (int, error) {
	if f.rest == nil {
		data, err := f.in.content(f.name)
		if err != nil {
			return 0, err
		}
		f.rest = bytes.NewReader(data)
	}
	return f.rest.Read(p)
}

// stat describes a file.
type stat struct {
	name string
	size int64
	mode fs.FileMode
}

// Name returns the name of the file.
func (s stat) Name() string { return s.name }

// Size returns the size in bytes.
func (s stat) Size() int64 { return s.size }

// Mode returns the mode bits.
func (s stat) Mode() fs.FileMode { return s.mode }

// ModTime returns the zero time.
func (s stat) ModTime() time.Time { return time.Time{} }

// IsDir reports whether it is a folder.
func (s stat) IsDir() bool { return s.mode.IsDir() }

// Sys returns nil.
func (s stat) Sys() any { return nil }

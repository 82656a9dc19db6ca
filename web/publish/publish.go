package publish

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"attnatlas/engine/messages"
)

// marker is a file of every published folder, by which another one may replace it.
const marker = ".attention-atlas"

// openFile is the page for folders that no host serves, as boot.js has it.
const openFile = "open.html"

// Options are what a folder is made of.
type Options struct {
	Dir     string       // to write; absent, empty, or published before
	Handler http.Handler // of the pages
	Pages   []string     // their paths
	Query   string       // of the first view; empty: the default one
	Program *Program
	Open    []byte // a page that computes where no host serves it
}

// Sizes are what a folder has, in bytes.
type Sizes struct {
	Program int // what a browser fetches before it can answer: program, scripts, style sheets, fonts of pages
	Weights int // of all models
	All     int
}

// Check says whether a folder may be written.
func Check(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.IsDir() {
		return messages.Errorf("publish.file-there", "folder", messages.Quote(dir))
	}
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	if _, err := os.Lstat(filepath.Join(dir, marker)); err != nil {
		return messages.Errorf("publish.foreign", "folder", messages.Quote(dir))
	}
	return nil
}

// Write makes the folder: beside its place, and then all at once.
func Write(ctx context.Context, o Options) (Sizes, error) {
	if err := Check(o.Dir); err != nil {
		return Sizes{}, err
	}
	files, sizes, err := o.files(ctx)
	if err != nil {
		return Sizes{}, err
	}
	parent, name := filepath.Split(filepath.Clean(o.Dir))
	if err := os.MkdirAll(filepath.Join(parent, "."), 0o755); err != nil {
		return Sizes{}, err
	}
	fresh, err := os.MkdirTemp(filepath.Join(parent, "."), "."+name+".*.viz-tmp")
	if err != nil {
		return Sizes{}, err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := ctx.Err(); err != nil {
			return Sizes{}, err
		}
		if err := put(filepath.Join(fresh, filepath.FromSlash(file)), files[file]); err != nil {
			return Sizes{}, err
		}
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return Sizes{}, err
	}
	return sizes, exchange(fresh, o.Dir)
}

// exchange puts a folder in the place of another, of which nothing is lost when that fails.
func exchange(fresh, dir string) error {
	old := fresh + ".old"
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}

func put(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// names are the paths of the pages as the worker has them: in the folder.
func (o Options) names() []string {
	names := []string{}
	for _, page := range o.Pages {
		names = append(names, strings.TrimPrefix(page, "/"))
	}
	return names
}

// files are all files of the folder.
func (o Options) files(ctx context.Context) (map[string][]byte, Sizes, error) {
	parts, err := program(o.Program)
	if err != nil {
		return nil, Sizes{}, err
	}
	here := programRoot + hash(parts) + "/"
	files := assets()
	for name, data := range parts {
		files[here+name] = data
	}
	pages, err := json.Marshal(o.names())
	if err != nil {
		return nil, Sizes{}, err
	}
	files["sw.js"] = []byte(strings.NewReplacer("'"+programRoot+"'", "'"+here+"'", "PAGES = []", "PAGES = "+string(pages)).Replace(workerScript))
	files["boot.js"], files[marker], files[".nojekyll"] = bootScript, []byte(here+"\n"), nil
	files["404.html"] = missing()
	var sizes Sizes
	for name, data := range files {
		part, programs := strings.CutPrefix(name, here)
		switch {
		case strings.HasPrefix(part, "weights/"):
			sizes.Weights += len(data)
		case !programs || !strings.Contains(part, "/"):
			small, err := packed(data)
			if err != nil {
				return nil, Sizes{}, err
			}
			sizes.Program += min(len(small), len(data))
		}
	}
	files[openFile] = o.Open
	for _, path := range o.Pages {
		page, err := o.page(ctx, path)
		if err != nil {
			return nil, Sizes{}, err
		}
		files[strings.TrimPrefix(strings.TrimSuffix(path, "/")+"/index.html", "/")] = page
	}
	for _, data := range files {
		sizes.All += len(data)
	}
	return files, sizes, nil
}

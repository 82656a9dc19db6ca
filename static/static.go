// Package static holds the files that browsers load with pages: style sheets, ES modules and fonts, embedded in the
// binary. Files for a single page lie in the package of that page, which adds them.
//
// Pages load the shared style sheets and modules as a few joined files, which are made at their first use: see Join and
// Main.
//
// All files are served under one prefix that contains the hash of their contents, /static/{hash}/…. They can therefore
// be cached for ever, and relative imports between modules and from style sheets to fonts need no rewriting.
package static

import (
	"bytes"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:generate go run palettes_gen.go -js js/palettes.js -css css/palettes.css
//go:generate go run scripts_gen.go -css css/scripts.css

// Root is the path at which Handler must be mounted.
const Root = "/static/"

// Element is the module of <attention-map>, for pages of other people.
const Element = "element/attention-map.js"

// folders holds the files of pages, by the folder names given to Add.
var folders = map[string]fs.FS{}

// Add adds the scripts and style sheets of a page, which lie in the page's package, and returns their names:
// "cost/cost.js" for "cost.js" of the folder "cost". Scripts import shared ones as "../js/dom.js". Packages call Add
// while they are initialised. It panics if the folder exists already.
func Add(folder string, own fs.FS) []string {
	_, err := fs.Stat(files, folder)
	if _, known := folders[folder]; known || err == nil {
		panic("static: two folders are called " + folder)
	}
	folders[folder] = own
	return namesIn(own, folder)
}

// URL returns the address of a file, such as "js/wall.js". The address changes when any file changes. URL panics if
// there is no such file, because the names are written in components, not by visitors.
func URL(name string) string {
	known, ok := addresses.Load(name)
	if !ok {
		if !exists(name) {
			panic("static: there is no file " + name)
		}
		known, _ = addresses.LoadOrStore(name, prefix()+name)
	}
	return known.(string)
}

// addresses caches the results of URL by name, because every page has dozens.
var addresses sync.Map

// Names lists all files for which URL returns addresses.
func Names() []string {
	names := namesIn(files, "")
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		names = append(names, namesIn(folders[folder], folder)...)
	}
	return append(names, bundleNames()...)
}

// namesIn returns the names of the files of a tree, below the name of a folder.
func namesIn(tree fs.FS, folder string) (names []string) {
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path.Join(folder, name))
		}
		return err
	})
	if err != nil {
		panic("static: " + err.Error()) // the tree is in the binary
	}
	return names
}

// locate returns the file system that has a file, and the file's name in it.
func locate(name string) (fs.FS, string) {
	if folder, rest, ok := strings.Cut(name, "/"); ok && folders[folder] != nil {
		return folders[folder], rest
	}
	return files, name
}

// Handler serves the files under Root. With the current hash, clients may cache a file for ever. With another hash,
// as in a page that stayed open across an update, the file is served with no-cache.
func Handler() http.Handler { return http.HandlerFunc(serve) }

func serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	name, current := strings.CutPrefix(r.URL.Path, prefix())
	if !current {
		_, name, _ = strings.Cut(strings.TrimPrefix(r.URL.Path, Root), "/")
	}
	data, ok := content(name)
	if !ok {
		http.NotFound(w, r)
		return
	}
	head := w.Header()
	head.Set("Content-Type", contentType(name))
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "no-cache")
	if current {
		head.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

// contentType does not depend on the machine's tables for the types that matter.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".ttf":
		return "font/ttf"
	case ".woff2":
		return "font/woff2"
	case ".svg":
		return "image/svg+xml"
	case ".txt":
		return "text/plain; charset=utf-8"
	default:
		return mime.TypeByExtension(ext)
	}
}

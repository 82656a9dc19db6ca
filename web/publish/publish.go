package publish

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/fetched"
	"attnatlas/engine/messages"
	"attnatlas/engine/typeface"
	"attnatlas/static"
	"attnatlas/web/docs"
)

// marker is a file of every published folder. A folder with it may be replaced by a new one.
const marker = ".attention-atlas"

// openFile is the page for folders without a host; boot.js has the same name.
const openFile = "open.html"

// Options are the contents of a folder.
type Options struct {
	Dir     string       // folder to write: absent, empty, or published before
	Handler http.Handler // of the pages
	Pages   []string     // their paths
	Query   string       // of the first view; empty: the default view
	Program *Program
	Version string // of the program
	Own     fs.FS  // a folder with own models; nil: the shipped ones
	Open    []byte // a page that computes by itself
	Hosted  bool   // without the files for pages that are opened from files
}

// FolderSizes are the sizes of parts of a folder, in bytes.
type FolderSizes struct {
	Program int // files that a browser needs before the engine can answer: program, scripts, style sheets, fonts of pages
	Weights int // of all models
	All     int
}

// Check returns an error if a folder must not be written.
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

// Write makes the folder next to its place, and then moves it there at once.
func Write(ctx context.Context, o Options) (FolderSizes, error) {
	if err := Check(o.Dir); err != nil {
		return FolderSizes{}, err
	}
	files, sizes, err := o.files(ctx)
	if err != nil {
		return FolderSizes{}, err
	}
	parent, name := filepath.Split(filepath.Clean(o.Dir))
	if err := os.MkdirAll(filepath.Join(parent, "."), 0o755); err != nil {
		return FolderSizes{}, err
	}
	fresh, err := os.MkdirTemp(filepath.Join(parent, "."), "."+name+".*.viz-tmp")
	if err != nil {
		return FolderSizes{}, err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := ctx.Err(); err != nil {
			return FolderSizes{}, err
		}
		if err := put(filepath.Join(fresh, filepath.FromSlash(file)), files[file]); err != nil {
			return FolderSizes{}, err
		}
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return FolderSizes{}, err
	}
	return sizes, exchange(fresh, o.Dir)
}

// exchange replaces a folder by another; if it fails, nothing is lost. If the system can swap folders, there is a
// folder at any time; elsewhere it is missing for a moment.
func exchange(fresh, dir string) error {
	if disk.Swap(fresh, dir) == nil {
		return nil // the caller now removes the folder with the name of the new one
	}
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

// pages returns the files of the pages by their names, and the paths for the worker. With own models, pages of other
// models are left out.
func (o Options) pages(ctx context.Context) (files map[string][]byte, paths []string, err error) {
	files, paths = map[string][]byte{}, []string{}
	for _, at := range o.Pages {
		page, err := o.page(ctx, at)
		if o.Own != nil && at != "/" && errors.As(err, &unanswered{}) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		path := strings.TrimPrefix(at, "/")
		files[strings.TrimPrefix(strings.TrimSuffix(path, "/")+"/index.html", "/")] = page
		paths = append(paths, path)
	}
	return files, paths, nil
}

// constants returns the replacer that gives constants of a script their values. A key is the constant as the script
// has it, such as "PAGES = []".
func constants(values map[string]any) (*strings.Replacer, error) {
	var pairs []string
	for was, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(was, " = ")
		pairs = append(pairs, was, name+" = "+string(text))
	}
	return strings.NewReplacer(pairs...), nil
}

// files returns all files of the folder.
func (o Options) files(ctx context.Context) (map[string][]byte, FolderSizes, error) {
	figures, addresses, err := o.figures(ctx)
	if err != nil {
		return nil, FolderSizes{}, err
	}
	pages, paths, err := o.pages(ctx)
	if err != nil {
		return nil, FolderSizes{}, err
	}
	parts, models, err := o.program(addresses, modelsOf(pages["index.html"]))
	if err != nil {
		return nil, FolderSizes{}, err
	}
	here := programRoot + hash(parts) + "/"
	files := assets()
	always := slices.Sorted(maps.Keys(files))
	for _, name := range typeface.Always() {
		always = append(always, here+path.Join(fetched.Typefaces, name))
	}
	always = append(always, here+path.Join(fetched.Documents, docs.File))
	for name, data := range parts {
		files[here+name] = data
	}
	small := ""
	if parts[smallWorker] != nil {
		small = smallWorker
	}
	filled, err := constants(map[string]any{"PAGES = []": paths, "SMALL = ''": small, "KEEP = []": always,
		"FIRST = []": models, "PROGRAM = '" + programRoot + "'": here})
	if err != nil {
		return nil, FolderSizes{}, err
	}
	files["sw.js"], files["boot.js"] = []byte(filled.Replace(workerScript)), []byte(filled.Replace(bootScript))
	files[marker], files[".nojekyll"] = []byte(here+"\n"), nil
	files["404.html"], files[path.Base(static.Element)] = missing(), static.Content(static.Element)
	sizes, err := measure(files, here)
	if err != nil {
		return nil, sizes, err
	}
	locals, err := local(parts)
	if err != nil {
		return nil, sizes, err
	}
	for name, data := range locals {
		if !o.Hosted || slices.Contains(scriptsAlone, name) {
			files[here+name] = data
		}
	}
	files[openFile] = o.Open
	maps.Copy(files, pages)
	maps.Copy(files, figures)
	for _, data := range files {
		sizes.All += len(data)
	}
	return files, sizes, nil
}

// cardID matches the mechanisms of a page.
var cardID = regexp.MustCompile(`id="card-([\w.-]+)"`)

// modelsOf returns the ids of the models of a page.
func modelsOf(page []byte) (ids []string) {
	for _, m := range cardID.FindAllSubmatch(page, -1) {
		ids = append(ids, string(m[1]))
	}
	return ids
}

// firstModels returns the files of models, the smallest first.
func firstModels(ids []string, files map[string][]byte) []string {
	all := []string{}
	for _, id := range ids {
		for _, folder := range []string{fetched.Weights, fetched.Own} {
			for _, extension := range []string{checkpoint.Extension, checkpoint.Extension + checkpoint.Compressed} {
				if name := path.Join(folder, id+extension); len(files[name]) > smallFile {
					all = append(all, name)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(len(files[a]), len(files[b])) })
	return all
}

// measure adds up the sizes of the program and of the weights.
func measure(files map[string][]byte, here string) (sizes FolderSizes, err error) {
	for name, data := range files {
		part, programs := strings.CutPrefix(name, here)
		switch {
		case strings.HasPrefix(part, fetched.Weights+"/"), strings.HasPrefix(part, fetched.Own+"/"):
			sizes.Weights += len(data)
		case !programs || !strings.Contains(part, "/"):
			small, err := packed(data)
			if err != nil {
				return sizes, err
			}
			sizes.Program += min(len(small), len(data))
		}
	}
	return sizes, nil
}

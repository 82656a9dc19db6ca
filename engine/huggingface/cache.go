package huggingface

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"attnatlas/engine/disk"
)

// Folder is a model folder of the library.
type Folder struct {
	Name   string // "google-bert/bert-base-uncased", or the last part of its path
	Dir    string
	Commit string // commit of the repository, for a folder in the cache; empty: unknown
	// Training is the folder of the training run if this folder is a checkpoint, saved after Step steps; otherwise
	// empty.
	Training string
	Step     int
}

// CacheDir returns the cache shared by all programs of the library: HF_HUB_CACHE, else hub in
// HF_HOME, else ~/.cache/huggingface/hub. It is empty if there is no home folder.
func CacheDir() string {
	if dir := cmp.Or(os.Getenv("HF_HUB_CACHE"), os.Getenv("HUGGINGFACE_HUB_CACHE")); dir != "" {
		return atHome(dir)
	}
	if home := os.Getenv("HF_HOME"); home != "" {
		return filepath.Join(atHome(home), "hub")
	}
	if caches := os.Getenv("XDG_CACHE_HOME"); caches != "" {
		return filepath.Join(atHome(caches), "huggingface", "hub")
	}
	return atHome(filepath.Join("~", ".cache", "huggingface", "hub"))
}

// atHome replaces ~ in a path with the home folder. The result is empty if there is none.
func atHome(path string) string {
	rest, inside := strings.CutPrefix(path, "~")
	if !inside {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, rest)
}

// Cached lists the models of a cache in alphabetical order, with the snapshot of the main branch or
// else the newest one. The checkpoints of a training run follow their model. The layout is
// models--ORGANISATION--NAME/{refs,snapshots,blobs}. It writes nothing.
func Cached(dir string) []Folder {
	entries, _ := os.ReadDir(dir) // a cache that does not exist has no models
	var all []Folder
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), "models--")
		if !ok || !e.IsDir() {
			continue
		}
		model := filepath.Join(dir, e.Name())
		if commit := snapshot(model); commit != "" {
			name := strings.ReplaceAll(name, "--", "/")
			all = append(all, Folder{Name: name, Dir: filepath.Join(model, "snapshots", commit), Commit: commit})
			all = append(all, revisions(name, model)...)
		}
	}
	return all
}

// longestRef is the most bytes of a file that names a commit.
const longestRef = 1 << 10

// snapshot returns the commit whose files are used, or "" if there is none.
func snapshot(model string) string {
	if commit := commitOf(model, "main"); commit != "" {
		return commit
	}
	snapshots, _ := os.ReadDir(filepath.Join(model, "snapshots"))
	snapshots = slices.DeleteFunc(snapshots, func(e fs.DirEntry) bool { return !e.IsDir() })
	if len(snapshots) == 0 {
		return ""
	}
	return slices.MaxFunc(snapshots, func(a, b fs.DirEntry) int { return modified(a).Compare(modified(b)) }).Name()
}

// commitOf returns the commit of a revision whose files are in the cache, or "" if they are not.
func commitOf(model, revision string) string {
	raw, err := disk.Read(filepath.Join(model, "refs", revision), longestRef)
	commit := strings.TrimSpace(string(raw))
	if err != nil || filepath.Base(commit) != commit || commit == ".." {
		return ""
	}
	if info, err := os.Stat(filepath.Join(model, "snapshots", commit)); err != nil || !info.IsDir() {
		return ""
	}
	return commit
}

// modified returns the time when an entry was last changed.
func modified(e fs.DirEntry) (t time.Time) {
	if info, err := e.Info(); err == nil {
		t = info.ModTime()
	}
	return t
}

// Given returns the folders that a visitor names.
func Given(dirs []string) []Folder {
	all := make([]Folder, len(dirs))
	for i, dir := range dirs {
		absolute, err := filepath.Abs(dir)
		if err != nil {
			absolute = dir
		}
		all[i] = Folder{Name: filepath.Base(absolute), Dir: dir}
	}
	return all
}

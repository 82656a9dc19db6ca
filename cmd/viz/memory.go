package main

import (
	"attnatlas/web/site"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// limitMemory tells the collector how much memory the process should not exceed, and returns it:
// what is asked for, else GOMEMLIMIT, else what the shipped models and the user's own need,
// but no more than nine tenths of what the container or the machine has.
func limitMemory(asked uint64, weights string) uint64 {
	if asked == 0 && os.Getenv("GOMEMLIMIT") != "" {
		return uint64(debug.SetMemoryLimit(-1))
	}
	limit := asked
	if limit == 0 {
		const copies = 3 // of a file: as it is, its numbers, and the same in the order of the kernels
		limit = site.DefaultMemory + copies*sizeOf(weights)
		has, err := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)()
		if err == nil && has > 0 {
			limit = min(limit, has/10*9)
		}
	}
	debug.SetMemoryLimit(int64(limit))
	return limit
}

// sizeOf is how many bytes the files of a folder have.
func sizeOf(folder string) (total uint64) {
	if folder == "" {
		return 0
	}
	files, _ := fs.ReadDir(os.DirFS(folder), ".") // of a folder that cannot be read nothing is served
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() {
			total += uint64(info.Size())
		}
	}
	return total
}

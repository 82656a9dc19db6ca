package main

import (
	"io/fs"
	"os"
	"runtime/debug"

	"attnatlas/web/site"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// limitMemory sets the garbage collector's memory limit for the process, and returns it: the requested limit, or
// GOMEMLIMIT, or else the need of the shipped models and the user's own, but at most nine tenths of the memory of the
// container or the machine.
func limitMemory(asked uint64, weights string) uint64 {
	if asked == 0 && os.Getenv("GOMEMLIMIT") != "" {
		return uint64(debug.SetMemoryLimit(-1))
	}
	limit := asked
	if limit == 0 {
		const copies = 3 // of a file: the file itself, its numbers, and the numbers in the kernels' order
		limit = site.DefaultMemory + copies*sizeOf(weights)
		has, err := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)()
		if err == nil && has > 0 {
			limit = min(limit, has/10*9)
		}
	}
	debug.SetMemoryLimit(int64(limit))
	return limit
}

// sizeOf returns the size of the files of a folder in bytes.
func sizeOf(folder string) (total uint64) {
	if folder == "" {
		return 0
	}
	files, _ := fs.ReadDir(os.DirFS(folder), ".") // a folder that cannot be read serves no models
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() {
			total += uint64(info.Size())
		}
	}
	return total
}

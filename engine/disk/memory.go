package disk

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// machineFile and container are where Linux reports the memory of the machine and of its container.
const (
	machineFile = "/proc/meminfo"
	container   = "/sys/fs/cgroup"
)

// FreeMemory returns the number of bytes of memory that a program can still allocate, or the
// largest int64 if the system does not report it.
func FreeMemory() int64 {
	free := freeIn(container)
	if kilobytes, ok := entries(machineFile)["MemAvailable:"]; ok && kilobytes < math.MaxInt64>>10 {
		free = min(free, kilobytes<<10)
	}
	return free
}

// freeIn returns the free memory of a container in bytes. It counts the file cache as free, because
// the system gives it back when a program needs the memory.
func freeIn(folder string) int64 {
	most, limited := number(filepath.Join(folder, "memory.max"))
	used, known := number(filepath.Join(folder, "memory.current"))
	if !limited || !known {
		return math.MaxInt64
	}
	of := entries(filepath.Join(folder, "memory.stat"))
	return max(most-max(used-of["inactive_file"]-of["active_file"], 0), 0)
}

// entries returns the numbers of a file, keyed by the word before each. The map is empty on systems
// without the file.
func entries(path string) map[string]int64 {
	all := map[string]int64{}
	raw, _ := os.ReadFile(path)
	for line := range strings.Lines(string(raw)) {
		if fields := strings.Fields(line); len(fields) > 1 {
			if n, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				all[fields[0]] = n
			}
		}
	}
	return all
}

// number reads a file that consists of one number.
func number(path string) (n int64, ok bool) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	return n, err == nil
}

package disk

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Where Linux says how much memory there is: the file of the machine, and the folder of the container.
const (
	machineFile = "/proc/meminfo"
	container   = "/sys/fs/cgroup"
)

// FreeMemory is how many bytes of memory a program can still take; the largest number where the system does not say.
func FreeMemory() int64 {
	free := freeIn(container)
	if kilobytes, ok := entries(machineFile)["MemAvailable:"]; ok && kilobytes < math.MaxInt64>>10 {
		free = min(free, kilobytes<<10)
	}
	return free
}

// freeIn is likewise of a container. The system gives the cache of files back when a program needs the memory.
func freeIn(folder string) int64 {
	most, limited := number(filepath.Join(folder, "memory.max"))
	used, known := number(filepath.Join(folder, "memory.current"))
	if !limited || !known {
		return math.MaxInt64
	}
	of := entries(filepath.Join(folder, "memory.stat"))
	return max(most-max(used-of["inactive_file"]-of["active_file"], 0), 0)
}

// entries are the numbers of a file by the words before them. Other systems have no such file.
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

// number is the one that a file consists of.
func number(path string) (n int64, ok bool) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	return n, err == nil
}

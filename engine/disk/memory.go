package disk

import (
	"math"
	"os"
	"strconv"
	"strings"
)

// The files in which Linux says how much memory there is: on the machine, and in a container.
const (
	machineFile   = "/proc/meminfo"
	containerMost = "/sys/fs/cgroup/memory.max"
	containerUsed = "/sys/fs/cgroup/memory.current"
)

// FreeMemory is how many bytes of memory a program can still take; the largest number where the system does not say.
func FreeMemory() int64 {
	free := int64(math.MaxInt64)
	raw, _ := os.ReadFile(machineFile) // other systems have none
	for line := range strings.Lines(string(raw)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "MemAvailable:" {
			continue
		}
		if kilobytes, err := strconv.ParseInt(fields[1], 10, 53); err == nil {
			free = kilobytes << 10
		}
	}
	most, limited := number(containerMost)
	used, known := number(containerUsed)
	if limited && known {
		free = min(free, max(most-used, 0))
	}
	return free
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

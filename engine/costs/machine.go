package costs

import (
	"os"
	"runtime"
	"strings"
)

// Processor returns the name of the processor, or "" if the system does not provide it.
func Processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(info)) {
			if key, name, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				return strings.TrimSpace(name)
			}
		}
	}
	return "unknown " + runtime.GOARCH
}

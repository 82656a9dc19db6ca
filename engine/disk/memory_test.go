package disk

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestFreeInContainer: the file cache counts as free, and a container without a limit limits
// nothing.
func TestFreeInContainer(t *testing.T) {
	const gigabyte = 1 << 30
	for name, c := range map[string]struct {
		most, used, stat string
		want             int64
	}{
		"cached files": {"8589934592", "7516192768", "anon 1073741824\ninactive_file 5368709120\nactive_file 1073741824\n",
			7 * gigabyte},
		"no cached files":  {"8589934592", "7516192768", "inactive_file 0\nactive_file 0\n", gigabyte},
		"no statistics":    {"8589934592", "7516192768", "", gigabyte},
		"above the limit":  {"8589934592", "9663676416", "", 0},
		"cache grew since": {"8589934592", "1073741824", "active_file 2147483648\n", 8 * gigabyte},
		"no limit":         {"max", "7516192768", "active_file 1073741824\n", math.MaxInt64},
	} {
		dir := t.TempDir()
		for file, content := range map[string]string{"memory.max": c.most, "memory.current": c.used, "memory.stat": c.stat} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(content+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := freeIn(dir); got != c.want {
			t.Errorf("%s: %d bytes are free, wanted %d", name, got, c.want)
		}
	}
}

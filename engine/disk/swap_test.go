package disk_test

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"testing"

	"attnatlas/engine/disk"
)

// TestSwap: two folders exchange their names. If one of them is missing, nothing changes.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.Mkdir(dir+"/"+name, 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, dir+"/"+name+"/says", name)
	}
	if err := disk.Swap(dir+"/a", dir+"/b"); runtime.GOOS != "linux" {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Error(err)
		}
		return
	} else if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		t.Skipf("SKIPPED, NOT CHECKED: the file system of %s cannot exchange folders: %v", dir, err)
	} else if err != nil {
		t.Fatal(err)
	}
	if err := disk.Swap(dir+"/a", dir+"/none"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for name, says := range map[string]string{"a": "b", "b": "a"} {
		if got, err := disk.Read(dir+"/"+name+"/says", 10); err != nil || string(got) != says {
			t.Errorf("%s says %q, %v", name, got, err)
		}
	}
}

package disk

import (
	"os"
	"path/filepath"

	"attnatlas/engine/messages"

	"github.com/gofrs/flock"
)

// locked is the suffix of lock files, which mark another file as being written.
const locked = ".lock"

// Lock keeps other processes that call Lock from writing a file. The lock lasts until it is
// released or until this process ends, however it ends. Lock removes temporary files that an
// earlier process left behind, and makes the folder if it is missing.
func Lock(path string) (release func(), err error) {
	folder := filepath.Dir(path)
	if err := Writable(folder); err != nil {
		return nil, err
	}
	lock, err := tryLock(path + locked)
	if err != nil {
		return nil, unwritable(folder, err)
	}
	if lock == nil {
		return nil, messages.Errorf("disk.held", "path", path)
	}
	release = func() {
		_ = os.Remove(lock.Path()) // while the lock is still held; if it fails, the file stays and does no harm
		_ = lock.Close()
	}
	if err := Clean(path, 0); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// tryLock locks the file with this name, or returns nil if another process holds it. An earlier
// holder can remove the file after it was opened here; tryLock then opens it again.
func tryLock(path string) (*flock.Flock, error) {
	for {
		lock := flock.New(path, flock.SetPermissions(0o644))
		got, err := lock.TryLock()
		if err != nil || !got {
			return nil, err
		}
		mine, err := lock.Stat()
		if err != nil {
			return nil, err
		}
		if there, err := os.Stat(path); err == nil && os.SameFile(mine, there) {
			return lock, nil
		}
		_ = lock.Close()
	}
}

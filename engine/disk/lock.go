package disk

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"attnatlas/engine/messages"
)

// locked ends the names of files that say that another is being written.
const locked = ".lock"

// Lock keeps other processes from writing a file, those that Hold it too, until it is released or this
// process has ended, however it ended. What an earlier one left over is removed. The folder is
// made where it is missing.
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
		_ = os.Remove(lock.Path()) // before others can have it; where that cannot be it stays, and does no harm
		_ = lock.Close()
	}
	if err := Clean(path, 0); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// tryLock locks a file of that name, or gives nil when another process has. Whoever had it before
// may have removed it after it was opened here: then it is opened again.
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

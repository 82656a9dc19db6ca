package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"attnatlas/engine/messages"
)

// temporary is the suffix of the names of incomplete files. Digits and a point come before it.
const temporary = ".viz-tmp"

// Replace writes a file under a temporary name and then renames it. Readers see either the old
// content or the new, and so does the disk after a loss of power. The content reaches the disk
// before the name does, and the name is on the disk when Replace returns. Missing folders are made.
// Replace refuses to replace a pipe, a device or anything else that is not a regular file.
func Replace(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil {
		if err := regular(info); err != nil {
			return named(path, err)
		}
	}
	return replace(system{}, path, write)
}

// file is a file open for writing.
type file interface {
	io.WriteCloser
	Name() string
	Chmod(mode os.FileMode) error
	Sync() error
}

// filesystem is the set of disk operations that Replace needs.
type filesystem interface {
	makeFolder(path string) error
	create(folder, pattern string) (file, error)
	rename(from, to string) error
	remove(path string) error
	syncFolder(path string) error
}

func replace(fs filesystem, path string, write func(io.Writer) error) error {
	folder := filepath.Dir(path)
	if err := fs.makeFolder(folder); err != nil {
		return unwritable(folder, err)
	}
	f, err := fs.create(folder, filepath.Base(path)+".*"+temporary)
	if err != nil {
		return unwritable(folder, err)
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Sync())
	if err = errors.Join(err, f.Close()); err == nil {
		err = fs.rename(f.Name(), path)
	}
	if err != nil {
		return named(path, errors.Join(err, fs.remove(f.Name())))
	}
	return named(path, fs.syncFolder(folder))
}

// system is the machine's file system.
type system struct{}

// makeFolder makes a folder and its missing parents, and syncs the name of each to the disk.
func (s system) makeFolder(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	above := filepath.Dir(path)
	if above != path {
		if err := s.makeFolder(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return s.syncFolder(above)
}

func (system) create(folder, pattern string) (file, error) { return os.CreateTemp(folder, pattern) }
func (system) rename(from, to string) error                { return os.Rename(from, to) }
func (system) remove(path string) error                    { return os.Remove(path) }

// syncFolder writes the names in a folder to the disk. Windows does so by itself and has no call
// for it.
func (system) syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Writable returns an error if files cannot be written into a folder. It makes the folder if it is
// missing.
func Writable(folder string) error {
	s := system{}
	if err := s.makeFolder(folder); err != nil {
		return unwritable(folder, err)
	}
	f, err := s.create(folder, "*"+temporary)
	if err == nil {
		err = errors.Join(f.Close(), s.remove(f.Name()))
	}
	if err != nil {
		return unwritable(folder, err)
	}
	return nil
}

// Clean removes temporary files of path that Replace left behind when its process was killed, if
// they have not been written to for age. A missing folder is not an error.
func Clean(path string, age time.Duration) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return named(path, err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !leftOver(e.Name(), filepath.Base(path)) ||
			time.Since(info.ModTime()) < age {
			continue
		}
		if err := os.Remove(filepath.Join(filepath.Dir(path), e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return named(path, err)
		}
	}
	return nil
}

// leftOver reports whether name is a temporary name that Replace gives to the file of.
func leftOver(name, of string) bool {
	digits, ok := strings.CutPrefix(name, of+".")
	if !ok {
		return false
	}
	digits, ok = strings.CutSuffix(digits, temporary)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// unwritable is the error for a folder that cannot be written to.
func unwritable(folder string, cause error) error {
	return messages.Errorf("disk.write", "folder", folder, "cause", reason(cause).Error())
}

// named adds the path of the file to an error; nil stays nil.
func named(path string, cause error) error {
	if cause == nil {
		return nil
	}
	return messages.Errorf("disk.file", "path", path, "cause", messages.Of(reason(cause)))
}

// reason returns the operating system's error without the path.
func reason(err error) error {
	var path *os.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

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

// temporary ends the names of files that are not complete yet, after digits and a point.
const temporary = ".viz-tmp"

// Replace writes a file under a temporary name and renames it, so that whoever reads it, and
// the disk after a loss of power, has the old content or the new: the content is on the disk
// before the name is, and the name when Replace returns. Folders are made as needed. What is no
// file, such as a pipe or a device, is not replaced by one.
func Replace(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil {
		if err := regular(info); err != nil {
			return named(path, err)
		}
	}
	return replace(system{}, path, write)
}

// file is a file that is being written.
type file interface {
	io.WriteCloser
	Name() string
	Chmod(mode os.FileMode) error
	Sync() error
}

// filesystem is what Replace asks of a disk.
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

// makeFolder makes a folder and those above it, each of which is on the disk with its name.
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

// syncFolder brings the names in a folder onto the disk. Windows does that by itself, and has
// no way to ask for it.
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

// Writable says why no file can be written into a folder, which is made where it is missing.
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

// Clean removes what Replace left over of a file when it was killed, if nobody has written to
// it for that long. Of a folder that is not there nothing is left over.
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

// leftOver says whether a name is one that Replace gives to a file before it is complete.
func leftOver(name, of string) bool {
	digits, ok := strings.CutPrefix(name, of+".")
	if !ok {
		return false
	}
	digits, ok = strings.CutSuffix(digits, temporary)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// unwritable is the error of a folder that takes no file.
func unwritable(folder string, cause error) error {
	return messages.Errorf("disk.write", "folder", folder, "cause", reason(cause).Error())
}

// named is an error with the path of the file; nil stays nil.
func named(path string, cause error) error {
	if cause == nil {
		return nil
	}
	return messages.Errorf("disk.file", "path", path, "cause", messages.Of(reason(cause)))
}

// reason is the operating system's reason without the path.
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

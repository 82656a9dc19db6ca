//go:build unix

package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// Map is Read without a copy: the pages of the file are read when they are looked at, and the system takes them
// back when it needs memory. They stay mapped until the program ends and must not be written to.
//
// BUG: a file that another program shortens while it is mapped stops this program where it reads the lost part.
func Map(path string, most int64) ([]byte, error) {
	f, size, err := opened(path, most)
	if err != nil || size == 0 {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, plain(&os.PathError{Op: "mmap", Path: path, Err: err})
	}
	return data, nil
}

// opened opens a regular file of at most so many bytes.
func opened(path string, most int64) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, 0, plain(err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|unwaiting, 0)
	if err == nil {
		info, err = f.Stat()
	}
	if err == nil {
		err = regular(info)
	}
	if err == nil && info.Size() > most {
		err = tooLarge(most)
	}
	if err != nil {
		if f != nil {
			_ = f.Close()
		}
		return nil, 0, plain(err)
	}
	return f, info.Size(), nil
}

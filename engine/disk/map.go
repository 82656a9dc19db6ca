//go:build unix

package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// Map returns the content of a file like Read, but without a copy. The system loads pages of the
// file on first access and takes them back when it needs memory. They stay mapped until the program
// ends and must not be written to.
//
// BUG: if another program shortens the file while it is mapped, this program crashes when it reads
// the lost part.
func Map(path string, most int64) ([]byte, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if size > most {
		return nil, tooLarge(most)
	}
	if size == 0 {
		return nil, nil
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, plain(&os.PathError{Op: "mmap", Path: path, Err: err})
	}
	return data, nil
}

// openFile opens a regular file and returns its size in bytes.
func openFile(path string) (*os.File, int64, error) {
	f, err := Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, 0, plain(err)
	}
	return f.(*os.File), info.Size(), nil
}

package disk

import "golang.org/x/sys/unix"

// Swap exchanges the names of two files or folders of one file system in one step: at every moment,
// both names exist.
func Swap(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

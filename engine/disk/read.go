package disk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"attnatlas/engine/messages"
)

// Read reads a regular file of at most the given number of bytes. It rejects folders, devices,
// pipes and sockets before it opens them, so that nothing blocks. The error is fs.ErrNotExist if
// nothing has this name; a link without a target gives another error. Errors do not repeat the
// path.
func Read(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = absent(err, func() (fs.FileInfo, error) { return os.Lstat(path) })
	}
	return read(most, info, err, func() (fs.File, error) {
		return os.OpenFile(path, os.O_RDONLY|unwaiting, 0)
	})
}

// ReadIn reads a file in a folder, with the rules of Read.
func ReadIn(folder fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		err = absent(err, func() (fs.FileInfo, error) { return fs.Lstat(folder, name) })
	}
	return read(most, info, err, func() (fs.File, error) { return folder.Open(name) })
}

// absent returns the error for a name without a file: cause, or an error about a link without a
// target.
func absent(cause error, link func() (fs.FileInfo, error)) error {
	if info, err := link(); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return messages.Errorf("disk.link")
	}
	return cause
}

// Open opens a regular file for reading in pieces. It rejects the same files as Read.
func Open(path string) (fs.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, plain(err)
	}
	f, _, err := opened(info, func() (fs.File, error) { return os.OpenFile(path, os.O_RDONLY|unwaiting, 0) })
	return f, err
}

func read(most int64, info fs.FileInfo, err error, open func() (fs.File, error)) ([]byte, error) {
	if err != nil {
		return nil, plain(err)
	}
	f, size, err := opened(info, open)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if size > most {
		return nil, tooLarge(most)
	}
	return drain(f, size, most)
}

// opened opens a file. It checks both before and after opening that the file is regular.
func opened(info fs.FileInfo, open func() (fs.File, error)) (f fs.File, size int64, err error) {
	if err = regular(info); err == nil {
		f, err = open()
	}
	if err != nil {
		return nil, 0, plain(err)
	}
	if info, err = f.Stat(); err == nil {
		err = regular(info)
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, plain(err)
	}
	return f, info.Size(), nil
}

// drain reads a file, which can have grown since its size was read.
func drain(f io.Reader, size, most int64) ([]byte, error) {
	data := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err := data.ReadFrom(io.LimitReader(f, most+1))
	if err == nil && int64(data.Len()) > most {
		err = tooLarge(most)
	}
	if err != nil {
		return nil, plain(err)
	}
	return data.Bytes(), nil
}

func tooLarge(most int64) error { return messages.Errorf("disk.large", "most", int(most>>20)) }

// kinds are the modes of files that are not regular, with the id of the message for each.
var kinds = []struct {
	mode fs.FileMode
	id   string
}{
	{fs.ModeDir, "disk.folder"}, {fs.ModeNamedPipe, "disk.pipe"}, {fs.ModeSocket, "disk.socket"},
	{fs.ModeDevice | fs.ModeCharDevice, "disk.device"}, {fs.ModeType, "disk.irregular"},
}

// regular returns an error unless the file is regular.
func regular(info fs.FileInfo) error {
	for _, k := range kinds {
		if info.Mode()&k.mode != 0 {
			return messages.Errorf(k.id)
		}
	}
	return nil
}

// plain removes the path from an error, because the caller knows it.
func plain(cause error) error {
	var path *fs.PathError
	if errors.As(cause, &path) && !errors.Is(cause, fs.ErrNotExist) {
		return messages.Errorf("disk.read", "cause", path.Err.Error())
	}
	return cause
}

// Size returns the size of a regular file in bytes.
func Size(path string) (int64, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return 0, plain(err)
	}
	return info.Size(), nil
}

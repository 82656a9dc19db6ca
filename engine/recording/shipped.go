package recording

import (
	"io/fs"
	"sync"

	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
)

// Store holds recordings and reads each on first use. It is safe for concurrent use.
type Store struct {
	folder fs.FS
	known  sync.Map // func() (*Recording, error) by id
}

// Shipped returns the store of the bundled models.
func Shipped() *Store { return NewStore(Folder()) }

// NewStore returns the store of a folder with files ID.recording.
func NewStore(folder fs.FS) *Store { return &Store{folder: folder} }

// Has reports whether a model has a recording, without reading it.
func (s *Store) Has(id string) bool {
	info, err := fs.Stat(s.folder, id+Extension)
	return err == nil && info.Mode().IsRegular()
}

// Find returns the recording of a model, or nil if there is none.
func (s *Store) Find(id string) (*Recording, error) {
	if !s.Has(id) {
		return nil, nil
	}
	read, _ := s.known.LoadOrStore(id, sync.OnceValues(func() (*Recording, error) {
		data, err := disk.ReadIn(s.folder, id+Extension, mostBytes)
		if err != nil {
			return nil, err
		}
		r, err := Parse(data)
		if err == nil && r.ID != id {
			err = messages.Errorf("recording.another", "id", messages.Quote(r.ID))
		}
		if err != nil {
			return nil, messages.Errorf("recording.file", "file", id+Extension, "cause", messages.Of(err))
		}
		return r, nil
	}))
	return read.(func() (*Recording, error))()
}

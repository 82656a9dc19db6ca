package recording

import (
	"io/fs"
	"sync"

	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
)

// Store holds recordings, each of which is read when it is first asked for. It is safe for
// concurrent use.
type Store struct {
	folder fs.FS
	known  sync.Map // func() (*Recording, error) by id
}

// Shipped is the shelf of the embedded models.
func Shipped() *Store { return NewStore(Folder()) }

// NewStore is that of a folder with files ID.recording.
func NewStore(folder fs.FS) *Store { return &Store{folder: folder} }

// Has says whether there is a recording of a model; it does not read it.
func (s *Store) Has(id string) bool {
	info, err := fs.Stat(s.folder, id+Extension)
	return err == nil && info.Mode().IsRegular()
}

// Find is the recording of a model, or nil when there is none.
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

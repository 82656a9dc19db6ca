package engine

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/nn"
)

// cache keeps what is read of models, each on first use.
type cache[T any] struct {
	engine *Engine
	source reader
	read   func(id string, data []byte) (T, error)

	mu    sync.Mutex
	known map[string]func() (T, error)
}

func newCache[T any](e *Engine, source reader, read func(id string, data []byte) (T, error)) *cache[T] {
	return &cache[T]{engine: e, source: source, read: read, known: map[string]func() (T, error){}}
}

// get reads a model once. The error is NotFound if there is none, and Internal if reading it panics.
func (s *cache[T]) get(id string) (m T, err error) {
	err = protect(func() error {
		id := s.engine.shipped(id)
		read, err := s.reader(id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fault.Errorf(fault.NotFound, "error.no-model", "id", messages.Quote(id))
		case err != nil:
			return s.engine.unreadable(id, err)
		}
		m, err = read()
		return err
	})
	return m, err
}

// reader returns the function that reads a model on its first call. Names without a model are not kept. Files that
// cannot be read are not kept either, because they may be repaired.
func (s *cache[T]) reader(id string) (func() (T, error), error) {
	s.mu.Lock()
	defer s.mu.Unlock() // also when the source panics
	if read, ok := s.known[id]; ok {
		return read, nil
	}
	data, err := s.source(id)
	if err != nil {
		return nil, err
	}
	s.known[id] = sync.OnceValues(func() (T, error) { return s.read(id, data) })
	return s.known[id], nil
}

// model reads the model of a mechanism or architecture once.
func (e *Engine) model(id string) (*model, error) {
	if g := FindGuest(id); g != nil {
		return g.model()
	}
	return e.models.get(id)
}

// Info describes the model of a mechanism or architecture without reading its weights. The error is NotFound if there
// is no trained model of that name.
func (e *Engine) Info(id string) (*ModelInfo, error) {
	if g := FindGuest(id); g != nil {
		return g.Info()
	}
	return e.infos.get(id)
}

// shipped returns the id under which a model is stored: the models of the architecture Encoder are stored under their
// mechanisms' ids.
func (e *Engine) shipped(id string) string {
	stack, mechanism, err := encoder.Parse(id)
	if err != nil || stack != encoder.Encoder.ID {
		return id
	}
	if _, err := e.header(id); !errors.Is(err, fs.ErrNotExist) {
		return id
	}
	return mechanism
}

func (e *Engine) readModel(id string, data []byte) (*model, error) {
	if _, err := e.infos.get(id); err != nil {
		return nil, err
	}
	m, err := open(id, data)
	if err == nil {
		err = e.fits(m.config())
	}
	if err != nil {
		return nil, e.unreadable(id, err)
	}
	nn.Seal(m.params())
	return m, nil
}

// open reads the model of an id from its checkpoint.
func open(id string, data []byte) (m *model, err error) {
	m = &model{}
	if stack, _, _ := encoder.Parse(id); stack == encoder.EncoderDecoder.ID {
		m.seq2seq, m.info, err = modelfile.OpenSeq2Seq(data)
	} else {
		m.Model, m.info, err = modelfile.Open(data)
	}
	m.info.Hash = fmt.Sprintf("%x", sha256.Sum256(data))
	return m, err
}

func (m *model) params() []*nn.Param {
	if m.seq2seq != nil {
		return m.seq2seq.Params
	}
	return m.Params
}

func (e *Engine) readInfo(id string, data []byte) (*ModelInfo, error) {
	var c encoder.Config
	info, err := modelfile.Describe(data, &c)
	if err == nil {
		err = e.buildable(id, c, data)
	}
	if err != nil {
		return nil, e.unreadable(id, err)
	}
	return &info, nil
}

// fits returns an error if a model has another vocabulary than the engine.
func (e *Engine) fits(c encoder.Config) error {
	if c.Vocab != e.vocab.Size() {
		return messages.Errorf("error.other-vocabulary", "pieces", c.Vocab, "vocabulary", e.vocab.Size())
	}
	return nil
}

// File returns the compressed model file of a mechanism or architecture, and its name in a folder of models. The
// error is fs.ErrNotExist if there is none.
func (e *Engine) File(id string) (name string, data []byte, err error) {
	id = e.shipped(id)
	if data, err = e.source(id); err != nil {
		return "", nil, err
	}
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		data, err = checkpoint.Pack(data)
	}
	return id + checkpoint.Extension + checkpoint.Compressed, data, err
}

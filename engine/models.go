package engine

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
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
		m.seq2seq, m.info, err = OpenSeq2Seq(data)
	} else {
		m.Model, m.info, err = Open(data)
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
	info, err := describe(data, &c)
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

// Open reads a model from the checkpoint that training wrote.
func Open(data []byte) (*encoder.Model, ModelInfo, error) {
	var c encoder.Config
	f, info, err := read(data, &c)
	if err != nil {
		return nil, info, err
	}
	m, err := encoder.New(c.Blank(), 0)
	if err != nil {
		return nil, info, err
	}
	return m, info, checkpoint.Restore(m.Params, f.Arrays)
}

// OpenSeq2Seq reads an encoder–decoder from the checkpoint that training wrote.
func OpenSeq2Seq(data []byte) (*encoder.Seq2Seq, ModelInfo, error) {
	var c encoder.Config
	f, info, err := read(data, &c)
	if err != nil {
		return nil, info, err
	}
	m, err := encoder.NewSeq2Seq(c.Blank(), 0)
	if err != nil {
		return nil, info, err
	}
	return m, info, checkpoint.Restore(m.Params, f.Arrays)
}

// describe reads the metadata of a checkpoint.
func describe(data []byte, c *encoder.Config) (ModelInfo, error) {
	info, err := checkpoint.Describe(data, c)
	return of(c, info), err
}

// read reads a checkpoint with its metadata.
func read(data []byte, c *encoder.Config) (*checkpoint.File, ModelInfo, error) {
	f, err := checkpoint.Parse(data)
	if err != nil {
		return nil, ModelInfo{}, err
	}
	info, err := f.Describe(c)
	return f, of(c, info), err
}

// of adds facts from the configuration to a model's info.
func of(c *encoder.Config, info ModelInfo) ModelInfo {
	info.Mechanism, info.Stack, info.Layers, info.Heads, info.Width, info.Length = c.Mechanism, c.Stack, c.Layers, c.Heads,
		c.Width, c.Length
	info.Longest = c.Longest()
	info.Norm, info.Positions, info.MixerOptions, info.Options = string(c.Norm), string(c.Known()),
		c.MixerOptions, c.Options
	return info
}

package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// shelf keeps what is read of models, each when it is first asked for.
type shelf[T any] struct {
	source Source
	read   func(id string, data []byte) (T, error)

	mu    sync.Mutex
	known map[string]func() (T, error)
}

func newShelf[T any](s Source, read func(id string, data []byte) (T, error)) *shelf[T] {
	return &shelf[T]{source: s, read: read, known: map[string]func() (T, error){}}
}

// get reads a model, once. The error is NotFound when there is none.
func (s *shelf[T]) get(id string) (T, error) {
	s.mu.Lock()
	load, ok := s.known[id]
	if !ok {
		data, exists := s.source(id)
		if !exists { // names that visitors invent are not kept
			s.mu.Unlock()
			var none T
			return none, Errorf(NotFound, "There is no trained model of %q yet.", id)
		}
		load = sync.OnceValues(func() (T, error) { return s.read(id, data) })
		s.known[id] = load
	}
	s.mu.Unlock()
	return load()
}

// model reads a mechanism's or a stack's model, once.
func (e *Engine) model(id string) (*model, error) { return e.models.get(e.shipped(id)) }

// Info is the provenance of a mechanism's or a stack's model, for which its weights are
// not read. The error is NotFound when there is no trained model of that name.
func (e *Engine) Info(id string) (*ModelInfo, error) { return e.infos.get(e.shipped(id)) }

// shipped is the id under which a model is kept: the mechanisms' own models are those of
// the stack Encoder.
func (e *Engine) shipped(id string) string {
	stack, mechanism, err := encoder.Parse(id)
	if err != nil || stack != encoder.Encoder.ID {
		return id
	}
	if _, apart := e.source(id); apart {
		return id
	}
	return mechanism
}

func (e *Engine) readModel(id string, data []byte) (*model, error) {
	if _, err := e.infos.get(id); err != nil {
		return nil, err
	}
	m, info, err := Open(data)
	if err != nil {
		return nil, e.unreadable(id, err)
	}
	if err := e.fits(id, m.Config); err != nil {
		return nil, err
	}
	nn.Seal(m.Params)
	return &model{m, info}, nil
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

// fits says what is wrong with a model that other words than ours are cut for.
func (e *Engine) fits(id string, c encoder.Config) error {
	if c.Vocab != e.vocab.Size() {
		return e.unreadable(id, fmt.Errorf("it has %d word pieces, the vocabulary %d", c.Vocab, e.vocab.Size()))
	}
	return nil
}

// Open reads a model from the checkpoint that training wrote.
func Open(data []byte) (*encoder.Model, ModelInfo, error) {
	var c encoder.Config
	info, err := describe(data, &c)
	if err != nil {
		return nil, info, err
	}
	m, err := encoder.New(c, 0)
	if err != nil {
		return nil, info, err
	}
	return m, info, restore(m.Params, data)
}

// describe reads what a checkpoint says of itself.
func describe(data []byte, c *encoder.Config) (ModelInfo, error) {
	info, err := checkpoint.Describe(data, c)
	info.Mechanism, info.Stack, info.Layers, info.Heads, info.Width, info.Length = c.Mechanism, c.Stack, c.Layers, c.Heads, c.Width, c.Length
	info.Norm, info.Positions, info.Knobs, info.Options = string(c.Norm), string(c.Known()), c.Knobs, c.Options
	return info, err
}

func restore(params []*nn.Param, data []byte) error {
	f, err := checkpoint.Parse(data)
	if err != nil {
		return err
	}
	return checkpoint.Restore(params, f.Arrays)
}

func sortClasses(classes []Class) {
	slices.SortStableFunc(classes, func(a, b Class) int { return cmp.Compare(b.P, a.P) })
}

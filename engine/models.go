package engine

import (
	"cmp"
	"slices"
	"sync"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// model reads a mechanism's model, once.
func (e *Engine) model(id string) (*model, error) {
	id = e.shipped(id)
	e.mu.Lock()
	load, ok := e.models[id]
	if !ok {
		load = sync.OnceValues(func() (*model, error) { return e.load(id) })
		if _, exists := e.source(id); exists { // names that visitors invent are not kept
			e.models[id] = load
		}
	}
	e.mu.Unlock()
	return load()
}

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

func (e *Engine) load(id string) (*model, error) {
	data, ok := e.source(id)
	if !ok {
		return nil, Errorf(NotFound, "There is no trained model of %q yet.", id)
	}
	if stack, _, err := encoder.Parse(id); err == nil && stack == encoder.EncoderDecoder.ID {
		return nil, Errorf(Unsupported, "%s reads one text and writes another: it has a page of its own.", encoder.EncoderDecoder.Name)
	}
	m, info, err := Open(data)
	if err != nil {
		return nil, &Error{Kind: Internal, Msg: "The model of " + id + " cannot be read", Err: err}
	}
	if m.Config.Vocab != e.vocab.Size() {
		return nil, Errorf(Internal, "The model of %s has %d word pieces, the vocabulary %d", id, m.Config.Vocab, e.vocab.Size())
	}
	nn.Seal(m.Params)
	return &model{m, info}, nil
}

// Open reads a model from the checkpoint that training wrote.
func Open(data []byte) (*encoder.Model, ModelInfo, error) {
	f, err := checkpoint.Parse(data)
	if err != nil {
		return nil, ModelInfo{}, err
	}
	var c encoder.Config
	info, err := f.Describe(&c)
	if err != nil {
		return nil, info, err
	}
	info.Knobs, info.Options = c.Knobs, c.Options
	m, err := encoder.New(c, 0)
	if err != nil {
		return nil, info, err
	}
	return m, info, checkpoint.Restore(m.Params, f.Arrays)
}

func sortClasses(classes []Class) {
	slices.SortStableFunc(classes, func(a, b Class) int { return cmp.Compare(b.P, a.P) })
}

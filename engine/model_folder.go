package engine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/fetched"
	"attnatlas/engine/messages"
)

// NewIn returns an engine with the user's own models, which are in a folder. If a model is invalid, a request for it
// gets the reason.
func NewIn(folder fs.FS) *Engine {
	from := func(read func(folder fs.FS, name string) ([]byte, error)) reader {
		return func(id string) ([]byte, error) {
			if strings.Contains(id, "/") {
				return nil, fs.ErrNotExist
			}
			return read(folder, id)
		}
	}
	e := newEngine(from(checkpoint.In), from(checkpoint.HeaderIn))
	e.folder = folder
	return e
}

// Models returns the ids of the models in the engine's folder, in alphabetical order. Files whose names Find does not
// know are left out.
func (e *Engine) Models() []string {
	if e.folder == nil {
		return nil
	}
	files, _ := fs.ReadDir(e.folder, ".") // a folder that cannot be read counts as empty
	var ids []string
	for _, f := range files {
		id := strings.TrimSuffix(strings.TrimSuffix(f.Name(), checkpoint.Compressed), checkpoint.Extension)
		if _, _, ok := Find(id); ok && id != f.Name() && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// unreadable returns the error of a model that cannot be opened, for the user's own models with the reason.
func (e *Engine) unreadable(id string, err error) error {
	if errors.Is(err, fetched.ErrUnreachable) {
		return fault.Errorf(fault.Busy, "error.unfetched", "id", messages.Quote(id))
	}
	if e.folder == nil {
		return &fault.Error{Kind: fault.Internal, Msg: messages.New("error.unreadable", "id", id), Err: err}
	}
	name, _ := checkpoint.Find(e.folder, id)
	return fault.Errorf(fault.Unsupported, "error.cannot-open", "file", name, "reason",
		strings.TrimSuffix(messages.Of(err).String(), "."))
}

// buildable returns an error if no model can be built from the configuration in a user's own file.
func (e *Engine) buildable(id string, c encoder.Config, data []byte) error {
	if e.folder == nil {
		return nil
	}
	if stack, mechanism, err := encoder.Parse(id); err != nil || stack != c.Stack || mechanism != c.Mechanism {
		return messages.Errorf("error.other-model", "holds", c.ID(), "id", id)
	}
	shapes, err := checkpoint.Shapes(data)
	if err != nil {
		return err
	}
	return c.Fits(shapes)
}

// As adapts an entry of Find to a model of it: a model with other options than the default can have another summary
// and another formula.
func As(entry *attention.Entry, stack *encoder.StackEntry, m *ModelInfo) *attention.Entry {
	if m == nil {
		return entry
	}
	as := *entry
	if stack == nil {
		for _, f := range entry.Forms {
			if name, value, _ := strings.Cut(f.Option, " = "); m.MixerOptions[name] == value {
				as.Formula = f.Formula
			}
		}
		return &as
	}
	f := stack.Describe(encoder.Config{
		Stack: m.Stack, Mechanism: m.Mechanism, Layers: m.Layers, Norm: encoder.Norm(m.Norm), Options: m.Options,
	})
	as.Summary = f.Summary
	if FindGuest(entry.ID) == nil { // the formula is that of our own architectures
		as.Formula = f.Formula
	}
	return &as
}

package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/fetched"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
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

// Override is a setting in which a model differs from the bundled model of its name.
type Override struct{ Name, Value messages.Message }

// shippedConfig returns the configuration of the bundled model of an id, or the one that it would have.
func shippedConfig(id string) encoder.Config {
	var c encoder.Config
	if data, ok := checkpoint.Header(id); ok {
		if _, err := checkpoint.Describe(data, &c); err == nil {
			return c
		}
	}
	return encoder.Shipped(id, tokenizer.Default().Size())
}

// Overrides returns the settings in which a model differs from the bundled one: mixer, sizes, norm, positions, then
// the options of its architecture and of its mechanism.
func Overrides(m *ModelInfo) []Override {
	c := encoder.Config{Stack: m.Stack, Mechanism: m.Mechanism}
	id := c.ID()
	if c.Stack == encoder.Encoder.ID {
		id = c.Mechanism // the bundled models of mechanisms are encoders
	}
	shipped := shippedConfig(id)
	stack, ok := encoder.FindStack(c.Stack)
	mixer, known := attention.Find(c.Mechanism)
	if !ok || !known {
		return nil
	}
	var all overrides
	if c.Stack != "" && c.Stack != encoder.Encoder.ID {
		all.set("mixer", c.Mechanism, shippedConfig(c.Stack).Mechanism)
	}
	all.set("layers", fmt.Sprint(m.Layers), fmt.Sprint(shipped.Layers))
	all.set("width", fmt.Sprint(m.Width), fmt.Sprint(shipped.Width))
	all.set("heads", fmt.Sprint(m.Heads), fmt.Sprint(shipped.Heads))
	all.set("norm", m.Norm, string(shipped.Norm))
	all.set("positions", m.Positions, string(shipped.Known()))
	all.options(stack.Options, m.Options, shipped.Options, messages.Text)
	all.options(mixer.Options, m.MixerOptions, shipped.MixerOptions, func(name string) messages.Message {
		if slices.ContainsFunc(stack.Options, func(other attention.Option) bool { return other.Name == name }) {
			return messages.New("option.of-mixer", "option", name)
		}
		return messages.Text(name)
	})
	return all
}

// overrides collects Overrides.
type overrides []Override

// add adds a value that differs from the usual one.
func (all *overrides) add(name messages.Message, value, usual string) {
	if value != usual {
		*all = append(*all, Override{name, attention.ValueName(value)})
	}
}

// set is add for a value that can be unknown (empty).
func (all *overrides) set(name, value, usual string) {
	if value != "" {
		all.add(messages.Text(name), value, usual)
	}
}

// options adds the options whose values differ from the usual ones.
func (all *overrides) options(list []attention.Option, chosen, usual map[string]string,
	named func(string) messages.Message) {
	for _, o := range list {
		all.add(named(o.Name), attention.Chosen(list, chosen, o.Name), attention.Chosen(list, usual, o.Name))
	}
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

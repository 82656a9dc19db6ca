package modelfile

import (
	"fmt"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
)

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
func Overrides(m *checkpoint.Info) []Override {
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

package encoder

import (
	"slices"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
)

// ofStack and ofMixer are prefixes that distinguish options of the stack from options of the
// mechanism with the same name.
const (
	ofStack = "stack."
	ofMixer = "mixer."
)

// Set chooses an option of the stack or of the mechanism. If both have an option of that name, the
// prefix distinguishes them, as in "stack.order" and "mixer.order". A default value is not stored,
// so that equal models have equal configurations.
func (c *Config) Set(name, value string) error {
	stack, mixer, err := c.options()
	if err != nil {
		return err
	}
	bare, inStack := strings.CutPrefix(name, ofStack)
	bare, inMixer := strings.CutPrefix(bare, ofMixer)
	s, m := find(stack, bare), find(mixer, bare)
	if inMixer {
		s = nil
	}
	if inStack {
		m = nil
	}
	switch {
	case s != nil && m != nil:
		return messages.Errorf("option.twofold", "option", bare, "stack", ofStack+bare, "mixer", ofMixer+bare)
	case s != nil:
		return set(&c.Options, s, value)
	case m != nil:
		return set(&c.MixerOptions, m, value)
	}
	if len(stack)+len(mixer) == 0 {
		return messages.Errorf("option.nothing", "option", quote(name))
	}
	return messages.Errorf("option.unknown", "option", quote(name), "known", messages.List(optionNames(stack, mixer)))
}

// OptionName returns the name that Set expects for an option of the stack, or of the mechanism if
// there is no stack.
func (c Config) OptionName(option string) string {
	if stack, mixer, err := c.options(); err == nil && find(stack, option) != nil && find(mixer, option) != nil {
		return ofStack + option
	}
	return option
}

// options returns the options of the stack and of the mechanism.
func (c Config) options() (stack, mixer []attention.Option, err error) {
	s, ok := FindStack(c.Stack)
	m, known := attention.Find(c.Mechanism)
	if !ok || !known {
		return nil, nil, messages.Errorf("model.unknown", "model", quote(c.ID()))
	}
	return s.Options, m.Options, nil
}

func find(options []attention.Option, name string) *attention.Option {
	if i := slices.IndexFunc(options, func(o attention.Option) bool { return o.Name == name }); i >= 0 {
		return &options[i]
	}
	return nil
}

func set(choices *map[string]string, o *attention.Option, value string) error {
	if err := attention.Allow([]attention.Option{*o}, map[string]string{o.Name: value}); err != nil {
		return err
	}
	all := map[string]string{}
	for name, v := range *choices {
		all[name] = v
	}
	all[o.Name] = value
	if value == o.Default {
		delete(all, o.Name)
	}
	*choices = all
	return nil
}

// optionNames returns the names that Set accepts.
func optionNames(stack, mixer []attention.Option) []string {
	var names []string
	add := func(part string, options, others []attention.Option) {
		for _, o := range options {
			name := o.Name
			if find(others, name) != nil {
				name = part + name
			}
			names = append(names, name)
		}
	}
	add(ofStack, stack, mixer)
	add(ofMixer, mixer, stack)
	return names
}

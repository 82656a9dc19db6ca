package encoder_test

import (
	"maps"
	"strings"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestSet: an option reaches the part of the model that has it, and errors say which values are
// valid.
func TestSet(t *testing.T) {
	type choices = map[string]string
	for _, c := range []struct {
		id, name, value       string
		options, mixerOptions choices
		says                  string
	}{
		{"universal", "halting", "accumulated", choices{"ponder": "0.001", "halting": "accumulated"}, nil, ""},
		{"universal", "ponder", "0.01", choices{}, nil, ""}, // the default, from which the bundled model differs
		{"universal", "stack.halting", "none", choices{"ponder": "0.001", "halting": "none"}, nil, ""},
		{"bigbird", "random-blocks", "some", nil, nil, "option random-blocks cannot be"},
		{"albert.linformer", "slots", "8", nil, choices{"slots": "8"}, ""},
		{"albert.linformer", "groups", "2", choices{"groups": "2"}, nil, ""},
		{"reformer", "strict", "yes", nil, choices{"strict": "yes"}, ""},
		{"fastformer", "value", "query", nil, choices{}, ""},
		{"sandwich.linformer", "stack.order", "0", choices{"order": "0"}, nil, ""},
		{"sandwich.linformer", "mixer.order", "compress-first", nil, choices{"order": "compress-first"}, ""},
		{"sandwich.linformer", "order", "0", nil, nil, "stack.order or mixer.order"},
		{"sandwich.linformer", "depth", "0", nil, nil, "available: stack.order, attention, span, slots, mixer.order"},
		{"universal", "mixer.halting", "none", nil, nil, "no option"},
		{"universal", "halting", "soon", nil, nil, "one of basic, accumulated, global, none"},
		{"dot-product", "halting", "none", nil, nil, "has no options"},
	} {
		stack, mechanism, err := encoder.Parse(c.id)
		must(t, err)
		m, err := encoder.Default(stack, mechanism, 9)
		if stack == "" {
			m, err = encoder.Config{Mechanism: mechanism}, nil
		}
		must(t, err)
		err = m.Set(c.name, c.value)
		switch {
		case c.says != "":
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s %s=%s: %v", c.id, c.name, c.value, err)
			}
		case err != nil || !maps.Equal(m.Options, c.options) || !maps.Equal(m.MixerOptions, c.mixerOptions):
			t.Errorf("%s %s=%s: %v %v %v", c.id, c.name, c.value, m.Options, m.MixerOptions, err)
		}
	}
}

// TestOtherValues: the example value of every option is valid.
func TestOtherValues(t *testing.T) {
	try := func(id string, c encoder.Config, options []attention.Option) {
		if len(options) == 0 {
			return
		}
		name, value := c.OptionName(options[0].Name), options[0].Other()
		if value == options[0].Default {
			t.Errorf("%s: %s=%s is the default", id, name, value)
		}
		must(t, c.Set(name, value))
		var err error
		if c.Stack == encoder.EncoderDecoder.ID {
			_, err = encoder.NewSeq2Seq(c, 1)
		} else {
			_, err = encoder.New(c, 1)
		}
		if err != nil {
			t.Errorf("%s: %s=%s: %v", id, name, value, err)
		}
	}
	for _, m := range attention.Catalog {
		try(m.ID, encoder.Config{Mechanism: m.ID, Layers: 1, Width: 8, Heads: 2, Inner: 8, Length: 64, Vocab: 9,
			Norm: encoder.PreNorm}, m.Options)
		for _, s := range encoder.Stacks {
			if !m.Masks.NoCausal.IsZero() && (s.New == nil || s.Objective == encoder.NextWord) {
				continue
			}
			c, err := encoder.Default(s.ID, m.ID, 9)
			must(t, err)
			try(c.ID(), c, s.Options)
		}
	}
}

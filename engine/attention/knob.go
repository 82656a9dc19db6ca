package attention

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Knob is a choice that a mechanism leaves open: which of several published
// forms is computed, or a size.
type Knob struct {
	Name    string   // "hidden"
	Help    string   // a sentence that says what the choice is about
	Default string   // the value where nothing is chosen
	Values  []string // the allowed values; none: any whole number from 1 to MaxNumber, or Default
}

// MaxNumber is the largest value of a knob that takes any number.
const MaxNumber = 4096

// knob is the value that is chosen for the knob called name, or its default.
func (c Config) knob(knobs []Knob, name string) string {
	if v, ok := c.Knobs[name]; ok {
		return v
	}
	for _, k := range knobs {
		if k.Name == name {
			return k.Default
		}
	}
	panic(fmt.Sprintf("attention: no knob is called %q", name))
}

// number is the whole number that is chosen for a knob, or its default. A
// default that is a word, like "auto", gives 0.
func (c Config) number(knobs []Knob, name string) int {
	n, err := strconv.Atoi(c.knob(knobs, name))
	if err != nil {
		return 0
	}
	return n
}

// check refuses sizes that no mixer can be built with, and choices that the
// knobs do not allow.
func (c Config) check(knobs ...Knob) error {
	if c.Width <= 0 || c.Heads <= 0 || c.Length <= 0 || c.Width%c.Heads != 0 {
		return fmt.Errorf("attention: width %d must be a positive multiple of heads %d, and length %d positive", c.Width, c.Heads, c.Length)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Knobs)) {
		at := slices.IndexFunc(knobs, func(k Knob) bool { return k.Name == name })
		if at < 0 {
			return fmt.Errorf("attention: there is no option %q; there are: %s", name, knobNames(knobs))
		}
		if err := knobs[at].allow(c.Knobs[name]); err != nil {
			return err
		}
	}
	return nil
}

// allow refuses a value that the knob does not have.
func (k Knob) allow(v string) error {
	if v == k.Default || slices.Contains(k.Values, v) {
		return nil
	}
	if len(k.Values) > 0 {
		return fmt.Errorf("attention: option %s cannot be %q; it is one of: %s", k.Name, v, strings.Join(k.Values, ", "))
	}
	if n, err := strconv.Atoi(v); err != nil || n < 1 || n > MaxNumber || strconv.Itoa(n) != v {
		return fmt.Errorf("attention: option %s cannot be %q; it is a whole number from 1 to %d", k.Name, v, MaxNumber)
	}
	return nil
}

func knobNames(knobs []Knob) string {
	if len(knobs) == 0 {
		return "none"
	}
	names := make([]string, len(knobs))
	for i, k := range knobs {
		names[i] = k.Name
	}
	return strings.Join(names, ", ")
}

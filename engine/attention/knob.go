package attention

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Knob is a choice that a mechanism leaves open: which of several published
// forms is computed, or a size. It takes one of Values; without those, what Check
// allows; without that, a number of Range. It always takes its default.
type Knob struct {
	Name    string   // "hidden"
	Symbol  string   // of a size in formulas: "k"; else empty
	Help    string   // a sentence that says what the choice is about
	Default string   // the value where nothing is chosen
	Values  []string // the allowed values
	// Check refuses a value that is not of the form that Takes names, such as a list;
	// Examples are values that it allows.
	Check    func(v string) error
	Takes    string
	Examples []string
	Range    Range
}

// Range is the whole numbers From, From + Step, … up to To. The zero Range is
// the numbers from 1 to MaxNumber.
type Range struct {
	From int
	To   int // 0: MaxNumber
	Step int // 0: From is 1 and Step too
}

// MaxNumber is the largest value of a knob that takes any number.
const MaxNumber = 4096

// bounds are From, To and Step with their defaults filled in.
func (r Range) bounds() (from, to, step int) {
	if r.Step == 0 {
		r.From, r.Step = 1, 1
	}
	if r.To == 0 {
		r.To = MaxNumber
	}
	return r.From, r.To, r.Step
}

// Allowed is the list or the range of values, for people.
func (k Knob) Allowed() string {
	switch {
	case len(k.Values) > 0:
		return strings.Join(k.Values, ", ")
	case k.Check != nil:
		return k.Takes
	}
	from, to, step := k.Range.bounds()
	if step == 1 {
		return fmt.Sprintf("%d to %d", from, to)
	}
	return fmt.Sprintf("%d, %d, … up to %d", from, from+step, to)
}

// ValueName is the value of a knob for people: an empty one gets a name.
func ValueName(value string) string {
	if value == "" {
		return "(empty)"
	}
	return value
}

// Other is a value that is not the default, for an example.
func (k Knob) Other() string {
	for _, v := range append(slices.Clone(k.Values), k.Examples...) {
		if v != k.Default && v != "" {
			return v
		}
	}
	from, to, step := k.Range.bounds()
	n, err := strconv.Atoi(k.Default)
	switch {
	case err != nil: // a word
		return strconv.Itoa(from + step)
	case n > 0 && 2*n <= to:
		return strconv.Itoa(2 * n)
	}
	return strconv.Itoa(n + step)
}

// refuse says why v is none of the range's numbers.
func (r Range) refuse(v string) error {
	from, to, step := r.bounds()
	n, err := strconv.Atoi(v)
	if err == nil && from <= n && n <= to && (n-from)%step == 0 && strconv.Itoa(n) == v {
		return nil
	}
	if step == 1 {
		return messages.Errorf("option.whole", "from", from, "to", to)
	}
	return messages.Errorf("option.progression", "from", from, "next", from+step, "to", to)
}

// options reads the values that are chosen for knobs, or their defaults.
type options struct {
	knobs  []Knob
	chosen map[string]string
}

func (c Config) options(knobs ...Knob) options { return options{knobs, c.Knobs} }

func (o options) text(name string) string { return Chosen(o.knobs, o.chosen, name) }

func (o options) is(name, value string) bool { return o.text(name) == value }

// number is a whole number; a default that is a word, like "auto", gives 0.
func (o options) number(name string) int {
	n, err := strconv.Atoi(o.text(name))
	if err != nil {
		return 0
	}
	return n
}

// Chosen is the value of choices for the knob called name, or the knob's default.
func Chosen(knobs []Knob, choices map[string]string, name string) string {
	if v, ok := choices[name]; ok {
		return v
	}
	for _, k := range knobs {
		if k.Name == name {
			return k.Default
		}
	}
	panic(fmt.Sprintf("attention: no knob is called %q", name))
}

// knobSizes is Entry.Sizes for the knobs that are sizes.
func knobSizes(knobs []Knob) func(c Config, n int) []Size {
	return func(c Config, _ int) []Size {
		var sizes []Size
		for _, k := range knobs {
			if k.Symbol != "" {
				sizes = append(sizes, Size{k.Symbol, c.options(knobs...).number(k.Name), "option " + k.Name})
			}
		}
		return sizes
	}
}

// checked is New of an entry with these knobs: build gets a Config that check allows.
func checked(knobs []Knob, build func(s *nn.Scope, c Config) (Mixer, error)) func(s *nn.Scope, c Config) (Mixer, error) {
	return func(s *nn.Scope, c Config) (Mixer, error) {
		if err := c.check(knobs...); err != nil {
			return nil, err
		}
		return build(s, c)
	}
}

// check refuses sizes that no mixer can be built with, and choices that the
// knobs do not allow.
func (c Config) check(knobs ...Knob) error {
	if c.Width <= 0 || c.Heads <= 0 || c.Length <= 0 || c.Width%c.Heads != 0 {
		return messages.Errorf("mixer.sizes", "width", c.Width, "heads", c.Heads, "length", c.Length)
	}
	return Allow(knobs, c.Knobs)
}

// Allow refuses choices that the knobs do not have, with the first reason by
// alphabetical order.
func Allow(knobs []Knob, choices map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		at := slices.IndexFunc(knobs, func(k Knob) bool { return k.Name == name })
		if at < 0 {
			return messages.Errorf("option.unknown", "option", messages.Quote(name), "known", knobNames(knobs))
		}
		if err := knobs[at].allow(choices[name]); err != nil {
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
	refuse := k.Range.refuse
	switch {
	case len(k.Values) > 0:
		return messages.Errorf("option.choice", "option", k.Name, "value", messages.Quote(v), "allowed", messages.List(k.Values))
	case k.Check != nil:
		refuse = k.Check
	}
	if err := refuse(v); err != nil {
		return messages.Errorf("option.value", "option", k.Name, "value", messages.Quote(v), "why", messages.Of(err))
	}
	return nil
}

// knobNames is an argument of a message.
func knobNames(knobs []Knob) any {
	if len(knobs) == 0 {
		return messages.New("option.none")
	}
	var names messages.List
	for _, k := range knobs {
		names = append(names, k.Name)
	}
	return names
}

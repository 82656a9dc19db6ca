package attention

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"attnatlas/engine/messages"
)

// Option is a choice that a mechanism leaves open: which of several published
// forms is computed, or a size. It takes one of Values; without those, what Check
// allows; without that, a number of Range. It always takes its default.
type Option struct {
	Name    string           // "hidden"
	Symbol  string           // of a size in formulas: "o"; else empty
	Help    messages.Message // a sentence that says what the choice is about
	Default string           // the value where nothing is chosen
	Values  []string         // the allowed values
	// Check refuses a value that is not of the form that Takes names, such as a list;
	// Examples are values that it allows.
	Check    func(v string) error
	Takes    messages.Message
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

// MaxNumber is the largest value of an option that takes any number.
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

// Bounds are the numbers that an option takes which takes any of a range: from, to, in steps.
func (o Option) Bounds() (from, to, step int) { return o.Range.bounds() }

// Allowed is the list or the range of values, for people.
func (o Option) Allowed() messages.Message {
	from, to, step := o.Range.bounds()
	switch {
	case len(o.Values) > 0:
		return messages.New("option.values", "values", messages.List(o.Values))
	case o.Check != nil:
		return o.Takes
	case step == 1:
		return messages.New("option.range", "from", from, "to", to)
	}
	return messages.New("option.steps", "from", from, "next", from+step, "to", to)
}

// takesList is Takes of an option that is a list.
var takesList = messages.New("option.takes.list")

// ValueName is the value of an option for people: an empty one gets a name.
func ValueName(value string) messages.Message {
	if value == "" {
		return messages.New("option.empty")
	}
	return messages.Text(value)
}

// Other is a value that is not the default, for an example.
func (o Option) Other() string {
	for _, v := range append(slices.Clone(o.Values), o.Examples...) {
		if v != o.Default && v != "" {
			return v
		}
	}
	from, to, step := o.Range.bounds()
	n, err := strconv.Atoi(o.Default)
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

// choices reads the values that are chosen for options, or their defaults.
type choices struct {
	options []Option
	chosen  map[string]string
}

func (c Config) choices(options ...Option) choices { return choices{options, c.Options} }

func (o choices) text(name string) string { return Chosen(o.options, o.chosen, name) }

func (o choices) is(name, value string) bool { return o.text(name) == value }

// number is a whole number; a default that is a word, like "auto", gives 0.
func (o choices) number(name string) int {
	n, err := strconv.Atoi(o.text(name))
	if err != nil {
		return 0
	}
	return n
}

// Chosen is the value of choices for the option called name, or the option's default.
func Chosen(options []Option, choices map[string]string, name string) string {
	if v, ok := choices[name]; ok {
		return v
	}
	for _, o := range options {
		if o.Name == name {
			return o.Default
		}
	}
	panic(fmt.Sprintf("attention: no option is called %q", name))
}

// optionSizes is Entry.Sizes for the options that are sizes.
func optionSizes(options []Option) func(c Config, n int) []Size {
	return func(c Config, _ int) []Size {
		var sizes []Size
		for _, o := range options {
			if o.Symbol != "" {
				sizes = append(sizes, Size{o.Symbol, c.choices(options...).number(o.Name),
					message("shared.option", "option", o.Name)})
			}
		}
		return sizes
	}
}

// check refuses sizes that no mixer can be built with, and choices that the
// options do not allow.
func (c Config) check(options ...Option) error {
	if c.Width <= 0 || c.Heads <= 0 || c.Length <= 0 || c.Width%c.Heads != 0 {
		return messages.Errorf("mixer.sizes", "width", c.Width, "heads", c.Heads, "length", c.Length)
	}
	return Allow(options, c.Options)
}

// Allow refuses choices that the options do not have, with the first reason by
// alphabetical order.
func Allow(options []Option, choices map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		at := slices.IndexFunc(options, func(o Option) bool { return o.Name == name })
		if at < 0 {
			return messages.Errorf("option.unknown", "option", messages.Quote(name), "known", optionNames(options))
		}
		if err := options[at].allow(choices[name]); err != nil {
			return err
		}
	}
	return nil
}

// allow refuses a value that the option does not have.
func (o Option) allow(v string) error {
	if v == o.Default || slices.Contains(o.Values, v) {
		return nil
	}
	refuse := o.Range.refuse
	switch {
	case len(o.Values) > 0:
		return messages.Errorf("option.choice", "option", o.Name, "value", messages.Quote(v), "allowed",
			messages.List(o.Values))
	case o.Check != nil:
		refuse = o.Check
	}
	if err := refuse(v); err != nil {
		return messages.Errorf("option.value", "option", o.Name, "value", messages.Quote(v), "why", messages.Of(err))
	}
	return nil
}

// optionNames is an argument of a message.
func optionNames(options []Option) any {
	if len(options) == 0 {
		return messages.New("option.none")
	}
	var names messages.List
	for _, o := range options {
		names = append(names, o.Name)
	}
	return names
}

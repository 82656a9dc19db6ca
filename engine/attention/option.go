package attention

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"attnatlas/engine/messages"
)

// Option is a choice that a mechanism leaves open: one of several published forms, or a size. Its
// value is one of Values; if there are none, a value that Check accepts; if Check is nil, a number
// of Range. The default is always accepted.
type Option struct {
	Name    string           // such as "hidden"
	Symbol  string           // symbol of a size in formulas, such as "o"; otherwise empty
	Help    messages.Message // sentence that explains the choice
	Default string           // value if nothing is chosen
	Values  []string         // the allowed values
	// Check rejects values that do not have the form that Takes describes, such as a list. Examples
	// are valid values.
	Check    func(v string) error
	Takes    messages.Message
	Examples []string
	Range    Range
}

// Range is the range of whole numbers From, From + Step, … up to To. The zero Range is the range
// from 1 to MaxNumber.
type Range struct {
	From int
	To   int // 0: MaxNumber
	Step int // 0: From and Step are 1
}

// MaxNumber is the largest value of an option that takes any number.
const MaxNumber = 4096

// bounds returns From, To and Step with their defaults filled in.
func (r Range) bounds() (from, to, step int) {
	if r.Step == 0 {
		r.From, r.Step = 1, 1
	}
	if r.To == 0 {
		r.To = MaxNumber
	}
	return r.From, r.To, r.Step
}

// Bounds returns the range of numbers that an option accepts, if it accepts a range.
func (o Option) Bounds() (from, to, step int) { return o.Range.bounds() }

// Allowed describes the accepted values: a list or a range.
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

// takesList is the value of Takes for an option that is a list.
var takesList = messages.New("option.takes.list")

// ValueName returns the displayed value of an option; an empty value gets a name.
func ValueName(value string) messages.Message {
	if value == "" {
		return messages.New("option.empty")
	}
	return messages.Text(value)
}

// Other returns a value that is not the default, for examples.
func (o Option) Other() string {
	for _, v := range append(slices.Clone(o.Values), o.Examples...) {
		if v != o.Default && v != "" {
			return v
		}
	}
	from, to, step := o.Range.bounds()
	n, err := strconv.Atoi(o.Default)
	switch {
	case err != nil: // the default is a word
		return strconv.Itoa(from + step)
	case n > 0 && 2*n <= to:
		return strconv.Itoa(2 * n)
	}
	return strconv.Itoa(n + step)
}

// refuse returns an error unless v is a number of the range.
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

// choices holds the chosen values of options, and returns their defaults otherwise.
type choices struct {
	options []Option
	chosen  map[string]string
}

func (c Config) choices(options ...Option) choices { return choices{options, c.Options} }

func (o choices) text(name string) string { return Chosen(o.options, o.chosen, name) }

func (o choices) is(name, value string) bool { return o.text(name) == value }

// number returns the value as a whole number, or 0 for a default that is a word, such as "auto".
func (o choices) number(name string) int {
	n, err := strconv.Atoi(o.text(name))
	if err != nil {
		return 0
	}
	return n
}

// Chosen returns the value of the named option in choices, or the option's default.
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

// optionSizes returns the function Entry.Sizes for the options that are sizes.
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

// check returns an error for sizes with which no mixer can be built, and for values that the
// options do not accept.
func (c Config) check(options ...Option) error {
	if c.Width <= 0 || c.Heads <= 0 || c.Length <= 0 || c.Width%c.Heads != 0 {
		return messages.Errorf("mixer.sizes", "width", c.Width, "heads", c.Heads, "length", c.Length)
	}
	return Allow(options, c.Options)
}

// Allow returns an error for choices that the options do not accept. If there are several, it
// reports the first option in alphabetical order.
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

// allow returns an error for a value that the option does not accept.
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

// optionNames returns the names of the options as an argument of a message.
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

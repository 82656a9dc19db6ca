package address

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Parameter is the documentation of a page's parameter.
type Parameter struct {
	Key    string
	Values []string // permitted values; nil: too many to list
	// Listed reports that the parameter can be repeated. Required reports that the API requires it.
	Listed, Required bool
	// Open reports that Key is the prefix of any number of parameters, which the documentation leaves
	// out.
	Open bool
}

// Param is a parameter of T: its documentation, how to read it and how to write it.
type Param[T any] struct {
	Parameter
	read  func(d *Decoder, to *T)
	write func(*T) string // must not change T, which is passed as a pointer only because a state is large
	// open, if set, returns all parameters whose keys begin with Key, by the rest of their keys.
	open func(T) map[string]string
}

// ParamTable holds all parameters of T. It determines how they are read, written and documented;
// other parameters are unknown.
type ParamTable[T any] []Param[T]

// Number returns a parameter for a whole number from 1; 0 means none.
func Number[T any](key string, field func(*T) *int) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.number(key) },
		func(t *T) string { return count(*field(t)) })
}

// FormNumber returns a parameter for a number in a form, where the field can be empty.
func FormNumber[T any](key string, field func(*T) *int) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.filled(key) },
		func(t *T) string { return count(*field(t)) })
}

// OneBased returns a number parameter that is left out of URLs if it is 1.
func OneBased[T any](p Param[T]) Param[T] {
	write := p.write
	p.write = func(t *T) string {
		if value := write(t); value != "1" {
			return value
		}
		return ""
	}
	return p
}

// longestName is the most bytes of a name, or of the URL of a previous page.
const longestName = 4 << 10

// String returns a parameter for a name, which links repeat. It is empty if there is none, or if it
// exceeds longestName.
func String[T any](key string, field func(*T) *string) Param[T] {
	return parameter(key, func(d *Decoder, to *T) {
		if name := d.text(key, *field(to)); len(name) <= longestName {
			*field(to) = name
		} else {
			d.Fail(key, "param.name", "bytes", len(name), "most", longestName)
		}
	}, func(t *T) string { return *field(t) })
}

// typed returns a parameter for text that a visitor types.
func typed[T any](key string, field func(*T) *string) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.text(key, *field(to)) },
		func(t *T) string { return *field(t) })
}

// Flag returns a parameter with the values 1 and 0.
func Flag[T any](key string, field func(*T) *bool) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.flag(key) },
		func(t *T) string { return flagged(*field(t)) })
}

// List returns a parameter for a list of names, separated by commas.
func List[T any](key string, field func(*T) *[]string) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.names(key) },
		func(t *T) string { return strings.Join(*field(t), ",") })
}

// OneOf returns a parameter with a few permitted values.
func OneOf[T any](key string, values []string, field func(*T) *string) Param[T] {
	p := parameter(key, func(d *Decoder, to *T) { *field(to) = d.choice(key, values, *field(to)) },
		func(t *T) string { return *field(t) })
	p.Values = values
	return p
}

// Custom returns a parameter with its own functions for reading and writing.
func Custom[T any](key string, read func(*Decoder, *T), write func(T) string) Param[T] {
	return parameter(key, read, func(t *T) string { return write(*t) })
}

func parameter[T any](key string, read func(*Decoder, *T), write func(*T) string) Param[T] {
	return Param[T]{Parameter: Parameter{Key: key}, read: read, write: write}
}

// Required returns a parameter that the API requires.
func Required[T any](p Param[T]) Param[T] {
	p.Required = true
	return p
}

// Open returns a parameter for all keys with a prefix. read receives the rests of the keys, sorted.
// write returns values by the rests.
func Open[T any](prefix string, read func(d *Decoder, rests []string, to *T),
	write func(T) map[string]string) Param[T] {
	p := parameter(prefix, func(d *Decoder, to *T) { read(d, d.rests(prefix), to) }, nil)
	p.Open, p.open = true, write
	return p
}

// rests returns the rests of the keys that begin with a prefix, sorted.
func (d *Decoder) rests(prefix string) (all []string) {
	for _, key := range slices.Sorted(maps.Keys(d.values)) {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			all = append(all, rest)
		}
	}
	return all
}

// Decode reads the parameters of a URL and returns their errors.
func (t ParamTable[T]) Decode(v url.Values) (to T, bad []ParamError) {
	d := Decoder{values: v}
	for _, p := range t {
		p.read(&d, &to)
	}
	return to, d.bad
}

// Encode returns the parameters of asked, without those that equal the parameters of usual.
func (t ParamTable[T]) Encode(asked, usual T) url.Values { return t.encode(asked, t.written(usual)) }

// written returns the values of asked in URLs, by parameter.
func (t ParamTable[T]) written(asked T) []string {
	all := make([]string, len(t))
	for i, p := range t {
		if p.open == nil {
			all[i] = p.write(&asked)
		}
	}
	return all
}

// encode is like Encode, with the written values of the usual T.
func (t ParamTable[T]) encode(asked T, usual []string) url.Values {
	v := url.Values{}
	for i, p := range t {
		if p.open != nil {
			for rest, value := range p.open(asked) {
				v.Set(p.Key+rest, value)
			}
		} else if value := p.write(&asked); value != usual[i] {
			v.Set(p.Key, value)
		}
	}
	return v
}

// check returns the errors of the parameters.
func (t ParamTable[T]) check(v url.Values) []ParamError {
	_, bad := t.Decode(v)
	return bad
}

// has reports whether a key belongs to a parameter.
func (t ParamTable[T]) has(key string) bool {
	return slices.ContainsFunc(t, func(p Param[T]) bool {
		return p.Key == key || p.open != nil &&
			strings.HasPrefix(key, p.Key)
	})
}

// keys returns the keys of all parameters except open ones.
func (t ParamTable[T]) keys() (all []string) {
	for _, p := range t {
		if !p.Open {
			all = append(all, p.Key)
		}
	}
	return all
}

// parameters returns the documentation of all parameters.
func (t ParamTable[T]) parameters() (all []Parameter) {
	for _, p := range t {
		all = append(all, p.Parameter)
	}
	return all
}

// Both joins the own parameters of two tables.
type Both [2]PageParams

func (b Both) check(v url.Values) []ParamError { return append(b[0].check(v), b[1].check(v)...) }

func (b Both) has(key string) bool { return b[0].has(key) || b[1].has(key) }

func (b Both) keys() []string { return append(b[0].keys(), b[1].keys()...) }

func (b Both) parameters() []Parameter { return append(b[0].parameters(), b[1].parameters()...) }

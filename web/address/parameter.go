package address

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Parameter is one that a page takes, as its documentation tells it.
type Parameter struct {
	Key    string
	Values []string // that it can have; nil: more than a few
	// Listed says that it may stand in an address several times, and Required that an address of the API has it.
	Listed, Required bool
	// Open says that Key begins the keys of any number of parameters, which the documentation leaves out.
	Open bool
}

// Param is a parameter of T: its documentation, how it is read and how it is written.
type Param[T any] struct {
	Parameter
	read  func(d *Decoder, to *T)
	write func(*T) string // which changes nothing: a state is too large to be copied for each of its parameters
	// open, where it is set, writes all parameters whose keys begin with Key, by the rest of their keys.
	open func(T) map[string]string
}

// ParamTable is all parameters of T. Whatever is done with them follows from it: they are read, written and documented,
// and others are unknown.
type ParamTable[T any] []Param[T]

// Number is a whole number from 1; 0 where there is none.
func Number[T any](key string, field func(*T) *int) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.number(key) },
		func(t *T) string { return count(*field(t)) })
}

// FormNumber is a number of a form, in which it may be left empty.
func FormNumber[T any](key string, field func(*T) *int) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.filled(key) },
		func(t *T) string { return count(*field(t)) })
}

// OneBased is a number of which addresses leave out 1.
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

// longestName is more bytes than any name has, or address of a page before.
const longestName = 4 << 10

// String is a name, which links repeat; empty where there is none, or where it is longer than any name.
func String[T any](key string, field func(*T) *string) Param[T] {
	return parameter(key, func(d *Decoder, to *T) {
		if name := d.text(key, *field(to)); len(name) <= longestName {
			*field(to) = name
		} else {
			d.Fail(key, "param.name", "bytes", len(name), "most", longestName)
		}
	}, func(t *T) string { return *field(t) })
}

// typed is any text that a visitor types; empty where there is none.
func typed[T any](key string, field func(*T) *string) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.text(key, *field(to)) },
		func(t *T) string { return *field(t) })
}

// Flag is 1 or 0.
func Flag[T any](key string, field func(*T) *bool) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.flag(key) },
		func(t *T) string { return flagged(*field(t)) })
}

// List is a list of names, separated by commas.
func List[T any](key string, field func(*T) *[]string) Param[T] {
	return parameter(key, func(d *Decoder, to *T) { *field(to) = d.names(key) },
		func(t *T) string { return strings.Join(*field(t), ",") })
}

// OneOf is one of some values.
func OneOf[T any](key string, values []string, field func(*T) *string) Param[T] {
	p := parameter(key, func(d *Decoder, to *T) { *field(to) = d.choice(key, values, *field(to)) },
		func(t *T) string { return *field(t) })
	p.Values = values
	return p
}

// Custom is a parameter that is read and written in a way of its own.
func Custom[T any](key string, read func(*Decoder, *T), write func(T) string) Param[T] {
	return parameter(key, read, func(t *T) string { return write(*t) })
}

func parameter[T any](key string, read func(*Decoder, *T), write func(*T) string) Param[T] {
	return Param[T]{Parameter: Parameter{Key: key}, read: read, write: write}
}

// Required is a parameter without which an address means nothing.
func Required[T any](p Param[T]) Param[T] {
	p.Required = true
	return p
}

// Open are all parameters whose keys begin alike. What read is given are the rests of their keys, in order; write gives
// values by the rests.
func Open[T any](prefix string, read func(d *Decoder, rests []string, to *T),
	write func(T) map[string]string) Param[T] {
	p := parameter(prefix, func(d *Decoder, to *T) { read(d, d.rests(prefix), to) }, nil)
	p.Open, p.open = true, write
	return p
}

// rests are the rests of the keys that begin with a prefix, in order.
func (d *Decoder) rests(prefix string) (all []string) {
	for _, key := range slices.Sorted(maps.Keys(d.values)) {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			all = append(all, rest)
		}
	}
	return all
}

// Decode reads what an address asks, and what is wrong with it.
func (t ParamTable[T]) Decode(v url.Values) (to T, bad []ParamError) {
	d := Decoder{values: v}
	for _, p := range t {
		p.read(&d, &to)
	}
	return to, d.bad
}

// Encode are the parameters of what is asked, without those that are written as those of the usual.
func (t ParamTable[T]) Encode(asked, usual T) url.Values { return t.encode(asked, t.written(usual)) }

// written is what is asked as an address says it, by parameter.
func (t ParamTable[T]) written(asked T) []string {
	all := make([]string, len(t))
	for i, p := range t {
		if p.open == nil {
			all[i] = p.write(&asked)
		}
	}
	return all
}

// encode is Encode with what the usual is written as.
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

// check is what is wrong with the parameters.
func (t ParamTable[T]) check(v url.Values) []ParamError {
	_, bad := t.Decode(v)
	return bad
}

// has says whether a key is that of a parameter.
func (t ParamTable[T]) has(key string) bool {
	return slices.ContainsFunc(t, func(p Param[T]) bool {
		return p.Key == key || p.open != nil &&
			strings.HasPrefix(key, p.Key)
	})
}

// keys are those of the parameters that have one.
func (t ParamTable[T]) keys() (all []string) {
	for _, p := range t {
		if !p.Open {
			all = append(all, p.Key)
		}
	}
	return all
}

// parameters are the documentation of all.
func (t ParamTable[T]) parameters() (all []Parameter) {
	for _, p := range t {
		all = append(all, p.Parameter)
	}
	return all
}

// Both are the own parameters of two tables.
type Both [2]PageParams

func (b Both) check(v url.Values) []ParamError { return append(b[0].check(v), b[1].check(v)...) }

func (b Both) has(key string) bool { return b[0].has(key) || b[1].has(key) }

func (b Both) keys() []string { return append(b[0].keys(), b[1].keys()...) }

func (b Both) parameters() []Parameter { return append(b[0].parameters(), b[1].parameters()...) }

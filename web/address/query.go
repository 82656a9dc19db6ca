package address

import (
	"net/url"
	"slices"

	"attnatlas/engine/fault"
	"attnatlas/engine/tokenizer"
)

// Takes are the parameters that a page takes, and its numbers.
type Takes struct {
	State []string   // keys of parameters of a state
	Own   PageParams // those of the page besides; nil: it has none
	// Any says that an address without a text means something, in the API, too.
	Any bool
	// Tells says that what is wrong with its own parameters is told by the page, which is no reason to refuse a request.
	Tells bool
}

// PageParams are the parameters of a page besides those of a state: a Table.
type PageParams interface {
	check(v url.Values) []ParamError
	has(key string) bool
	keys() []string
	parameters() []Parameter
}

// apart are the parameters of a state that pages which do not take them leave out. All others they carry along in
// their links, so that they are there again on the way back.
var apart = []string{Show, Other, After}

// Carrying is what a page takes whose numbers take this: what it carries along, too.
func (t Takes) Carrying() Takes {
	t.State = slices.DeleteFunc(Keys(), func(key string) bool {
		return slices.Contains(apart, key) && !slices.Contains(t.State, key)
	})
	return t
}

// Parameters are all that are taken, as the documentation tells them.
func (t Takes) Parameters() []Parameter {
	all := make([]Parameter, len(t.State))
	for i, key := range t.State {
		all[i] = Parameter{Key: key, Listed: key == Was, Required: key == Text && !t.Any}
		if key != Was {
			all[i].Values = find(key).Values
		}
	}
	if t.Own != nil {
		all = append(all, t.Own.parameters()...)
	}
	return all
}

// Query is what an address asks of a page, with everything that is wrong with it.
type Query struct {
	url.Values
	// State has what the page takes; the rest of it is as usual.
	State                         State
	encoding, state, own, unknown []ParamError
	needsText, tells              bool
}

// Read reads a query: its values as ParseQuery reads them, and what was wrong with these. A page about one model has
// the usual text of its id; the empty id is about several. Where nothing is taken, nothing is looked at.
func (t Takes) Read(v url.Values, encoding []ParamError, vocab *tokenizer.Vocabulary, id string) Query {
	q := Query{Values: v, encoding: encoding, tells: t.Tells}
	if t.State == nil && t.Own == nil {
		q.State = Default()
		return q
	}
	q.State, q.state = decode(v, vocab, id, t.State)
	has := func(string) bool { return false }
	var keys []string
	if t.Own != nil {
		q.own, has, keys = t.Own.check(v), t.Own.has, t.Own.keys()
	}
	q.unknown = unknown(v, keys, has)
	q.needsText = slices.Contains(t.State, Text) && !t.Any && !v.Has(Text)
	return q
}

// Err is what is wrong, as one error; nil: nothing is.
func (q Query) Err() error {
	if q.tells {
		return Join(q.encoding, q.state, q.unknown)
	}
	return Join(q.encoding, q.state, q.own, q.unknown)
}

// Wrong is what is wrong with the encoding and the page's own parameters, for a page that tells it; nil: nothing is.
func (q Query) Wrong() error { return Join(q.encoding, q.own) }

// Textless refuses an address without a text, where it should have one.
func (q Query) Textless() error {
	if q.needsText {
		return fault.Errorf(fault.Invalid, "param.text-missing")
	}
	return nil
}

package address

import (
	"net/url"
	"slices"

	"attnatlas/engine/fault"
	"attnatlas/engine/tokenizer"
)

// Takes lists the parameters of a page and of its numbers.
type Takes struct {
	State []string   // keys of state parameters
	Own   PageParams // parameters outside the state; nil: none
	// Any reports that a URL without a text is valid, in the API, too.
	Any bool
	// Tells reports that the page shows the errors of its own parameters. Then they are no reason to
	// reject a request.
	Tells bool
}

// PageParams are the parameters of a page outside the state: a ParamTable.
type PageParams interface {
	check(v url.Values) []ParamError
	has(key string) bool
	keys() []string
	parameters() []Parameter
}

// apart are the state parameters that a page drops if it does not use them. Pages carry all others
// along in their links, so that the way back restores them.
var apart = []string{Show, Other, After}

// Carrying returns the parameters of the page, given those of its numbers. It adds the parameters
// that the page carries along.
func (t Takes) Carrying() Takes {
	t.State = slices.DeleteFunc(Keys(), func(key string) bool {
		return slices.Contains(apart, key) && !slices.Contains(t.State, key)
	})
	return t
}

// Parameters returns the documentation of all parameters.
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

// Query is a request to a page, with all its errors.
type Query struct {
	url.Values
	// State has the parameters that the page takes, and defaults otherwise.
	State                         State
	encoding, state, own, unknown []ParamError
	needsText, tells              bool
}

// Read reads a query from the values and errors of ParseQuery. id is the model of a page about one
// model, which determines its default text; it is empty for pages about several. Without
// parameters, nothing is read.
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

// Err returns all errors as one, or nil.
func (q Query) Err() error {
	if q.tells {
		return Join(q.encoding, q.state, q.unknown)
	}
	return Join(q.encoding, q.state, q.own, q.unknown)
}

// Wrong returns the errors of the encoding and of the page's own parameters, for a page that shows
// them, or nil.
func (q Query) Wrong() error { return Join(q.encoding, q.own) }

// Textless returns an error for a URL without a required text.
func (q Query) Textless() error {
	if q.needsText {
		return fault.Errorf(fault.Invalid, "param.text-missing")
	}
	return nil
}

package address

import (
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// maxNumber bounds the numbers of a URL, so that arithmetic on them cannot
// overflow. No text has as many tokens, no model as many layers.
const maxNumber = 1_000_000

// maxMechanisms leaves room for every mechanism of the catalogue, and keeps a
// hostile URL from asking for thousands.
const maxMechanisms = 32

// MaxQueryBytes is the longest query that is read: room for a text of engine.MaxTextBytes of which
// every byte takes three, and for everything else. MaxParams are the most parameters: one for each hidden
// word of a long text, and more than a form has.
const (
	MaxQueryBytes = 3*engine.MaxTextBytes + 16<<10
	MaxParams     = 2048
)

// mostSaid is of how many wrong parameters an answer tells.
const mostSaid = 5

// ParamError says which parameter of a URL was wrong and what would be right.
type ParamError struct {
	Param string
	Err   *fault.Error
}

// Error returns the message.
func (e ParamError) Error() string { return e.Err.Error() }

// Unwrap gives the error with its kind.
func (e ParamError) Unwrap() error { return e.Err }

// Invalid is the error of a parameter.
func Invalid(key, id string, args ...any) ParamError {
	return ParamError{Param: key, Err: fault.Errorf(fault.Invalid, id, args...)}
}

func quote(s string) string         { return messages.Quote(s) }
func list(s []string) messages.List { return messages.List(s) }

// Join makes one error of several, with the sentences of the first; nil where there are none.
func Join(bad ...[]ParamError) error {
	var said []messages.Message
	all := slices.Concat(bad...)
	for _, b := range all[:min(len(all), mostSaid)] {
		said = append(said, b.Err.Msg)
	}
	if more := len(all) - mostSaid; more > 0 {
		said = append(said, messages.New("param.more", "count", more))
	}
	if len(said) == 0 {
		return nil
	}
	return fault.Errorf(fault.Invalid, "param.all", "sentences", messages.Join(". ", said...))
}

// ParseQuery reads a query string without ever losing a value. A parameter that
// is not correctly percent-encoded ("100%") is kept as it was written and
// reported, so that a page can show the visitor's text beside the complaint;
// url.ParseQuery would drop it. A semicolon is an ordinary character.
func ParseQuery(raw string) (url.Values, []ParamError) {
	values := url.Values{}
	var bad []ParamError
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(key)
		if err != nil {
			name = key
		}
		text, err2 := url.QueryUnescape(value)
		if err2 != nil {
			text = strings.ReplaceAll(value, "+", " ")
		}
		if err != nil || err2 != nil {
			bad = append(bad, Invalid(name, "param.encoding", "pair", quote(pair)))
		}
		values[name] = append(values[name], text)
	}
	return values, bad
}

// Decoder reads parameters one by one and collects what is wrong with them.
type Decoder struct {
	values url.Values
	bad    []ParamError
}

// Fail says what is wrong with a parameter.
func (d *Decoder) Fail(key, id string, args ...any) {
	d.bad = append(d.bad, Invalid(key, id, append(args, "key", key)...))
}

// Get is the only value of a parameter; ok is false when it is absent or given
// more than once.
func (d *Decoder) Get(key string) (value string, ok bool) {
	all := d.values[key]
	if len(all) > 1 {
		d.Fail(key, "param.repeated", "times", len(all))
	}
	if len(all) != 1 {
		return "", false
	}
	return all[0], true
}

// text keeps the first of repeated texts: whatever is wrong, the visitor should
// find what was typed still in the form.
func (d *Decoder) text(key, def string) string {
	if value, ok := d.Get(key); ok {
		return value
	}
	if all := d.values[key]; len(all) > 0 {
		return all[0]
	}
	return def
}

// choice reads one of some values.
func (d *Decoder) choice(key string, allowed []string, def string) string {
	value, ok := d.Get(key)
	if !ok {
		return def
	}
	if !slices.Contains(allowed, value) {
		d.Fail(key, "param.choice", "value", quote(value), "allowed", list(allowed))
		return def
	}
	return value
}

// flag reads 1 or 0.
func (d *Decoder) flag(key string) bool { return d.choice(key, []string{"1", "0"}, "0") == "1" }

// compute reads how numbers are to be computed. A program that computes otherwise has no such numbers.
func (d *Decoder) compute(key string) string {
	value := d.choice(key, []string{Fast, Portable}, Fast)
	if value == Fast || tensor.Reproducible() {
		return value
	}
	d.Fail(key, "param.compute", "instructions", tensor.Instructions(), "processor", runtime.GOARCH)
	return Fast
}

// number reads a whole number from 1; 0 where there is none.
func (d *Decoder) number(key string) int {
	value, ok := d.Get(key)
	if !ok {
		return 0
	}
	n, ok := WholeNumber(value)
	if !ok {
		d.Fail(key, "param.number", "value", quote(value), "most", strconv.Itoa(maxNumber))
		return 0
	}
	return n
}

// filled reads a number from 1 of a form; an empty field is one that was not filled in.
func (d *Decoder) filled(key string) int {
	if all := d.values[key]; len(all) == 1 && all[0] == "" {
		return 0
	}
	return d.number(key)
}

// First is the first of the names that a parameter lists; empty: there is none.
func (d *Decoder) First(key string) string {
	for _, name := range d.names(key) {
		return name
	}
	return ""
}

// steps reads a number of steps, in digits; empty where there is none.
func (d *Decoder) steps(key string) string {
	value, ok := d.Get(key)
	if n, err := strconv.Atoi(value); ok && (err != nil || n < 0 || n > maxNumber || strconv.Itoa(n) != value) {
		d.Fail(key, "param.steps", "value", quote(value), "most", strconv.Itoa(maxNumber))
		return ""
	}
	return value
}

// head reads a head; that of a card is by default its most distinctive.
func (d *Decoder) head(key string) int {
	value, ok := d.Get(key)
	if !ok || value == exhibit.HeadName(exhibit.Auto) {
		return exhibit.Auto
	}
	if value == exhibit.HeadName(exhibit.Mean) {
		return exhibit.Mean
	}
	n, ok := WholeNumber(value)
	if !ok {
		d.Fail(key, "param.head", "value", quote(value), "most", strconv.Itoa(maxNumber))
		return exhibit.Auto
	}
	return n
}

// pin reads a cell or a row. Of several the first counts: a word's button comes before
// what the form has pinned, and one without a value takes that away.
func (d *Decoder) pin(key string) Pin {
	all := d.values[key]
	if len(all) == 0 || all[0] == "" {
		return Pin{}
	}
	value := all[0]
	row, col, cell := strings.Cut(value, ".")
	if first, last, rows := strings.Cut(value, "-"); rows {
		i, ok1 := WholeNumber(first)
		j, ok2 := WholeNumber(last)
		if !ok1 || !ok2 || i >= j {
			d.Fail(key, "param.pin", "value", quote(value))
			return Pin{}
		}
		return Pin{Row: i, Last: j}
	}
	i, ok1 := WholeNumber(row)
	j, ok2 := WholeNumber(col)
	if !ok1 || cell && !ok2 {
		d.Fail(key, "param.pin", "value", quote(value))
		return Pin{}
	}
	return Pin{Row: i, Col: j}
}

// ids reads a list of ids: separated by commas, or the parameter repeated as
// the checkboxes of a form do, or both. A repeated id counts once.
func (d *Decoder) ids(key string, def []string) []string {
	if !d.values.Has(key) {
		return def
	}
	ids := everything(d.names(key))
	if len(ids) == 0 {
		d.Fail(key, "param.no-mechanism")
		return def
	}
	if len(ids) > maxMechanisms {
		d.Fail(key, "param.mechanisms", "count", len(ids), "most", maxMechanisms)
		return def
	}
	if all := len(strings.Join(ids, ",")); all > longestName {
		d.Fail(key, "param.name", "bytes", all, "most", longestName)
		return def
	}
	return ids
}

// All names every mechanism and architecture of the catalogue.
const All = "all"

// catalogue are the ids that All stands for, in their order.
var catalogue = slices.Concat(engine.IDs(), engine.StackIDs())

// everything writes out All in a list of ids. A repeated id counts once.
func everything(ids []string) []string {
	i := slices.Index(ids, All)
	if i < 0 {
		return ids
	}
	rest := func(id string) bool { return slices.Contains(ids, id) }
	return slices.Concat(ids[:i], slices.DeleteFunc(slices.Clone(catalogue), rest), ids[i+1:])
}

// listed writes a list of ids: All where it is the whole catalogue in its order.
func listed(ids []string) string {
	if slices.Equal(ids, catalogue) {
		return All
	}
	return strings.Join(ids, ",")
}

// names reads a list of names, each of which counts once.
func (d *Decoder) names(key string) []string {
	var names []string
	seen := map[string]bool{}
	for _, value := range d.values[key] {
		for name := range strings.SplitSeq(value, ",") {
			if name != "" && !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// WholeNumber reads 1, 2, 3, … in the one way in which they are written: no
// sign, no leading zero, no exponent.
func WholeNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > maxNumber || strconv.Itoa(n) != s {
		return 0, false
	}
	return n, true
}

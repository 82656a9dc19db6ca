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

// maxNumber is the largest number in a URL, so that arithmetic cannot overflow. No text has as many
// tokens, and no model as many layers.
const maxNumber = 1_000_000

// maxMechanisms is the most mechanisms in a URL. It has room for the catalogue, and prevents
// requests for thousands.
const maxMechanisms = 32

// MaxQueryBytes is the longest query that is read. It has room for a text of engine.MaxTextBytes
// with three bytes per byte, and for all other parameters. MaxParams is the most parameters: more
// than a form has, plus one for each masked word of a long text.
const (
	MaxQueryBytes = 3*engine.MaxTextBytes + 16<<10
	MaxParams     = 2048
)

// mostSaid is the most wrong parameters in an error message.
const mostSaid = 5

// ParamError names a wrong parameter of a URL and states what is permitted.
type ParamError struct {
	Param string
	Err   *fault.Error
}

// Error returns the message.
func (e ParamError) Error() string { return e.Err.Error() }

// Unwrap returns the error with its kind.
func (e ParamError) Unwrap() error { return e.Err }

// Invalid returns the error of a parameter.
func Invalid(key, id string, args ...any) ParamError {
	return ParamError{Param: key, Err: fault.Errorf(fault.Invalid, id, args...)}
}

func quote(s string) string         { return messages.Quote(s) }
func list(s []string) messages.List { return messages.List(s) }

// Join joins errors to one, with the sentences of the first few. It returns nil if there are none.
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

// ParseQuery reads a query string without losing values. A parameter with wrong percent-encoding
// ("100%") is reported and kept as written, so that a page can show the visitor's text next to the
// error. url.ParseQuery would drop it. A semicolon is an ordinary character.
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

// Decoder reads parameters one by one and collects their errors.
type Decoder struct {
	values url.Values
	bad    []ParamError
}

// Fail records an error of a parameter.
func (d *Decoder) Fail(key, id string, args ...any) {
	d.bad = append(d.bad, Invalid(key, id, append(args, "key", key)...))
}

// Get returns the only value of a parameter. ok is false if it is absent or repeated.
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

// text returns the first of repeated texts, so that the form still contains the visitor's input
// after an error.
func (d *Decoder) text(key, def string) string {
	if value, ok := d.Get(key); ok {
		return value
	}
	if all := d.values[key]; len(all) > 0 {
		return all[0]
	}
	return def
}

// choice reads one of the allowed values.
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

// compute reads the mode of computation. It records an error if this program runs in another mode.
func (d *Decoder) compute(key string) string {
	value := d.choice(key, []string{Fast, Portable}, Fast)
	if value == Fast || tensor.Reproducible() {
		return value
	}
	d.Fail(key, "param.compute", "instructions", tensor.Instructions(), "processor", runtime.GOARCH)
	return Fast
}

// number reads a whole number from 1, or returns 0 if there is none.
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

// filled reads a number from 1 from a form, in which the field can be empty.
func (d *Decoder) filled(key string) int {
	if all := d.values[key]; len(all) == 1 && all[0] == "" {
		return 0
	}
	return d.number(key)
}

// First returns the first name in a list parameter, or an empty string.
func (d *Decoder) First(key string) string {
	for _, name := range d.names(key) {
		return name
	}
	return ""
}

// steps reads a number of steps, in digits. The result is empty if there is none.
func (d *Decoder) steps(key string) string {
	value, ok := d.Get(key)
	if n, err := strconv.Atoi(value); ok && (err != nil || n < 0 || n > maxNumber || strconv.Itoa(n) != value) {
		d.Fail(key, "param.steps", "value", quote(value), "most", strconv.Itoa(maxNumber))
		return ""
	}
	return value
}

// head reads a head. By default it is the card's most distinctive head.
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

// pin reads a cell or a row. The first of several counts, because a word's button comes before the
// form's pin. An empty value removes the pin.
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

// ids reads a list of ids: separated by commas, or repeated as by the checkboxes of a form, or
// both. A repeated id counts once.
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

// catalogue are the ids for which All stands, in order.
var catalogue = slices.Concat(engine.IDs(), engine.StackIDs())

// everything replaces All in a list of ids. A repeated id counts once.
func everything(ids []string) []string {
	i := slices.Index(ids, All)
	if i < 0 {
		return ids
	}
	rest := func(id string) bool { return slices.Contains(ids, id) }
	return slices.Concat(ids[:i], slices.DeleteFunc(slices.Clone(catalogue), rest), ids[i+1:])
}

// listed writes a list of ids, or All if it is the whole catalogue in order.
func listed(ids []string) string {
	if slices.Equal(ids, catalogue) {
		return All
	}
	return strings.Join(ids, ",")
}

// names reads a list of names. A repeated name counts once.
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

// WholeNumber reads 1, 2, 3, … in canonical notation: without sign, leading zero or exponent.
func WholeNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > maxNumber || strconv.Itoa(n) != s {
		return 0, false
	}
	return n, true
}

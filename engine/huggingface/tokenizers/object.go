package tokenizers

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"attnatlas/engine/messages"

	"github.com/go-json-experiment/json/jsontext"
)

// object is a JSON object of a tokenizer.json. The reader of the file keeps the first error; later
// reads return empty values.
type object struct {
	path   string // path of the object in the file, such as "normalizer.normalizers[1]"
	fields map[string]jsontext.Value
	read   map[string]bool // fields that were read
	file   *reader
	depth  int // number of enclosing objects
}

// reader is the file of the objects.
type reader struct {
	err  error
	seen map[string]bool // components that are allowed only once
}

// fail keeps the first error.
func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// mostDepth limits the nesting of objects, because each is read again for every object around it.
// mostParts limits the parts of a Sequence.
const mostDepth, mostParts = 16, 64

// object reads an object, or returns an empty one if it is invalid.
func (r *reader) object(path string, raw jsontext.Value, depth int) *object {
	o := &object{path: path, fields: map[string]jsontext.Value{}, read: map[string]bool{}, file: r, depth: depth}
	if depth > mostDepth {
		r.fail(messages.Errorf("tokenizers.long", "field", path, "most", mostDepth))
		return o
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if start, err := d.ReadToken(); err != nil || start.Kind() != '{' {
		r.fail(wrongKind(path, raw, "an object"))
		return o
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			break
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			break
		}
		o.fields[key] = value
	}
	if _, err := d.ReadToken(); err != nil {
		r.fail(messages.Errorf("tokenizers.json", "cause", err.Error()))
	}
	return o
}

// name returns the path of a field.
func (o *object) name(field string) string {
	if o.path == "" {
		return field
	}
	return o.path + "." + field
}

// value returns a field as in the file, or nil if it is null or left out.
func (o *object) value(field string) jsontext.Value {
	o.read[field] = true
	if v := o.fields[field]; string(v) != "null" {
		return v
	}
	return nil
}

// decode reads a field into a variable, which keeps its value if the field is null or left out.
func (o *object) decode(field string, to, kind any) {
	raw := o.value(field)
	if raw != nil && json.Unmarshal(raw, to) != nil {
		o.file.fail(wrongKind(o.name(field), raw, kind))
	}
}

// boolean reads a boolean field.
func (o *object) boolean(field string, otherwise bool) bool {
	o.decode(field, &otherwise, messages.New("tokenizers.right.boolean"))
	return otherwise
}

// longestField is the most bytes of a string that a tokenizer writes into texts or searches for.
const longestField = 4096

// text reads a string.
func (o *object) text(field, otherwise string) string {
	o.decode(field, &otherwise, "a string")
	if len(otherwise) > longestField {
		o.file.fail(messages.Errorf("tokenizers.long", "field", o.name(field), "most", longestField))
		return ""
	}
	return otherwise
}

// character reads a string of one character.
func (o *object) character(field string, otherwise rune) string {
	s := o.text(field, string(otherwise))
	if utf8.RuneCountInString(s) != 1 {
		o.refuse(field, messages.Quote(s), "one character")
	}
	return s
}

// count reads a whole number from 0 to most.
func (o *object) count(field string, otherwise, most int) int {
	o.decode(field, &otherwise, "a whole number")
	if otherwise < 0 || otherwise > most {
		o.refuse(field, strconv.Itoa(otherwise), "from 0 to "+strconv.Itoa(most))
		return 0
	}
	return otherwise
}

// choice reads a key of a table. The table must have otherwise.
func choice[T any](o *object, field, otherwise string, table map[string]T) T {
	given := o.text(field, otherwise)
	chosen, ok := table[given]
	if !ok {
		o.file.fail(messages.Errorf("tokenizers.choice", "field", o.name(field),
			"value", messages.Quote(given), "known", names(table)))
	}
	return chosen
}

// child reads an object in a field, or returns nil if the field is null or left out.
func (o *object) child(field string) *object {
	raw := o.value(field)
	if raw == nil {
		return nil
	}
	return o.file.object(o.name(field), raw, o.depth+1)
}

// list reads a list of objects.
func (o *object) list(field string) []*object {
	var raw []jsontext.Value
	o.decode(field, &raw, "a list")
	list := make([]*object, len(raw))
	for i, item := range raw {
		list[i] = o.file.object(o.name(field)+"["+strconv.Itoa(i)+"]", item, o.depth+1)
	}
	return list
}

// parts reads the list of a Sequence.
func (o *object) parts(field string) []*object {
	parts := o.list(field)
	if len(parts) > mostParts {
		o.file.fail(messages.Errorf("tokenizers.long", "field", o.name(field), "most", mostParts))
		return nil
	}
	return parts
}

// once rejects the second occurrence of a component that makes texts longer.
func (o *object) once(what string) {
	if o.file.seen[what] {
		o.refuse("type", messages.Quote(what), "there once")
	}
	if o.file.seen == nil {
		o.file.seen = map[string]bool{}
	}
	o.file.seen[what] = true
}

// refuse records the error of a field with an invalid value.
func (o *object) refuse(field, value string, right any) {
	o.file.fail(messages.Errorf("tokenizers.value", "field", o.name(field), "value", value, "right", right))
}

// done rejects fields that were not read.
func (o *object) done() {
	for _, field := range slices.Sorted(maps.Keys(o.fields)) {
		if v := o.fields[field]; !o.read[field] && string(v) != "null" {
			o.file.fail(messages.Errorf("tokenizers.unknown", "field", o.name(field), "value", excerpt(v)))
		}
	}
}

// component constructs the component that an object describes, by its "type".
func component[T any](o *object, table map[string]func(*object) T) T {
	construct := choice(o, "type", "", table)
	if o.file.err != nil {
		var none T
		return none
	}
	made := construct(o)
	o.done()
	return made
}

// optional returns the component in a field, or the zero T if there is none.
func optional[T any](o *object, field string, table map[string]func(*object) T) T {
	var none T
	child := o.child(field)
	if child == nil {
		return none
	}
	return component(child, table)
}

// names lists the keys of a table.
func names[T any](table map[string]T) messages.List {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(table)), func(s string) bool { return s == "" })
}

// wrongKind returns the error for a value of the wrong kind.
func wrongKind(path string, raw jsontext.Value, kind any) error {
	return messages.Errorf("tokenizers.kind", "field", path, "value", excerpt(raw), "right", kind)
}

// excerpt returns the beginning of a value.
func excerpt(raw jsontext.Value) string {
	const most = 40
	if len(raw) <= most {
		return string(raw)
	}
	return string(bytes.ToValidUTF8(raw[:most], nil)) + "…"
}

// mostText returns the most bytes that a text of this many bytes can grow to.
func mostText(bytes int) int { return 24*bytes + longestField }

// tooLong returns the error for a text that has grown too long.
func tooLong(field string, most int) error {
	return messages.Errorf("tokenizers.grows", "field", field, "most", most)
}

package huggingface

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// object is a JSON object whose values are not read yet.
type object map[string]json.RawMessage

// parseObject reads what must be an object.
func parseObject(file string, raw []byte) (object, error) {
	var o object
	err := json.Unmarshal(raw, &o)
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(raw)) == 0:
		return nil, fmt.Errorf("huggingface: %s is empty", file)
	case errors.As(err, &kind), err == nil && o == nil:
		return nil, fmt.Errorf("huggingface: %s is %s; it must be an object", file, excerpt(bytes.TrimSpace(raw)))
	case err != nil:
		return nil, fmt.Errorf("huggingface: %s: %w", file, err)
	}
	return o, nil
}

// set reads the fields that the object has; names count as they are written, as in
// Python. A number cannot be null.
func (c *Config) set(o object) error {
	to := reflect.ValueOf(c).Elem()
	for i := range to.NumField() {
		field, name := to.Field(i), to.Type().Field(i).Tag.Get("json")
		raw, ok := o[name]
		if !ok {
			continue
		}
		err := json.Unmarshal(raw, field.Addr().Interface())
		if null := string(raw) == "null"; err != nil || null && (field.CanInt() || field.CanFloat()) {
			return fmt.Errorf("huggingface: %s = %s must be %s", name, excerpt(raw), kind(field.Type()))
		}
	}
	return nil
}

// kind is what a field of Config must be.
func kind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kind(t.Elem()) + " or null"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list of strings"
	}
	return "a string"
}

// excerpt is the beginning of a value.
func excerpt(raw []byte) string {
	const most = 40
	if len(raw) <= most {
		return string(raw)
	}
	return string(bytes.ToValidUTF8(raw[:most], nil)) + "…"
}

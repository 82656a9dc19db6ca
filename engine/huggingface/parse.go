package huggingface

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/messages"
)

// object is a JSON object whose values are not read yet.
type object map[string]json.RawMessage

// parseObject decodes an object.
func parseObject(file string, raw []byte) (object, error) {
	var o object
	err := json.Unmarshal(raw, &o)
	if err == nil {
		err = checkpoint.Unique(raw)
	}
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(raw)) == 0:
		return nil, messages.Errorf("huggingface.empty", "file", file)
	case errors.As(err, &kind), err == nil && o == nil:
		return nil, messages.Errorf("huggingface.object", "file", file, "value", excerpt(bytes.TrimSpace(raw)))
	case err != nil:
		return nil, fileError(file, err)
	}
	return o, nil
}

// set reads the fields of the object, whose names are case-sensitive. A number cannot be null.
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
			return messages.Errorf("huggingface.type", "field", name, "value", excerpt(raw), "right", kind(field.Type()))
		}
	}
	return nil
}

// kind is the JSON type of a field of Config, in words.
func kind(t reflect.Type) messages.Message {
	switch t.Kind() {
	case reflect.Pointer:
		return messages.New("huggingface.null", "kind", kind(t.Elem()))
	case reflect.Int:
		return messages.New("huggingface.whole")
	case reflect.Float64:
		return messages.New("huggingface.number")
	case reflect.Bool:
		return messages.New("huggingface.truth")
	case reflect.Slice:
		return messages.New("huggingface.list")
	}
	return messages.New("huggingface.string")
}

// fileError is an error with the name of the file.
func fileError(file string, cause error) error {
	return messages.Errorf("huggingface.file", "file", file, "cause", messages.Of(cause))
}

// excerpt is the beginning of a value.
func excerpt(raw []byte) string {
	const most = 40
	if len(raw) <= most {
		return string(raw)
	}
	return string(bytes.ToValidUTF8(raw[:most], nil)) + "…"
}

package huggingface

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/messages"
)

// object is a JSON object with undecoded values.
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

// field returns the value of a field, or of a field in a nested object:
// "rope_parameters.rope_theta".
func (o object) field(name string) (json.RawMessage, bool) {
	outer, inner, nested := strings.Cut(name, ".")
	raw, ok := o[outer]
	if !nested || !ok {
		return raw, ok
	}
	var child object
	if json.Unmarshal(raw, &child) != nil {
		return nil, false
	}
	return child.field(inner)
}

// flat reports whether the outer of two nested fields is neither an object nor null, and returns its name.
func (o object) flat(name string) (outer string, wrong bool) {
	outer, _, nested := strings.Cut(name, ".")
	raw := bytes.TrimSpace(o[outer])
	return outer, nested && len(raw) > 0 && raw[0] != '{' && string(raw) != "null"
}

// fileError returns an error with the name of the file.
func fileError(file string, cause error) error {
	return messages.Errorf("huggingface.file", "file", file, "cause", messages.Of(cause))
}

// excerpt returns the beginning of a value.
func excerpt(raw []byte) string {
	const most = 40
	if len(raw) <= most {
		return string(raw)
	}
	return string(bytes.ToValidUTF8(raw[:most], nil)) + "…"
}

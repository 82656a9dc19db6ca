package api

import (
	"encoding/json"
	"math"
	"strconv"
	"unsafe"

	"attnatlas/engine/tensor"

	"github.com/danielgtaylor/huma/v2"
)

// elemBits is the size of an element in bits, which determines the shortest decimal that parses
// back to the same bits.
const elemBits = int(unsafe.Sizeof(tensor.Elem(0))) * 8

// Values are the numbers of a map, row-major. In JSON each parses back to the same bits. NaN and
// infinities are null, because JSON has no notation for them.
type Values []tensor.Elem

// MarshalJSON writes the numbers.
func (v Values) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON reads the numbers; null is NaN.
func (v *Values) UnmarshalJSON(data []byte) error {
	var list []*tensor.Elem
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*v = make(Values, len(list))
	for i, x := range list {
		if (*v)[i] = tensor.Elem(math.NaN()); x != nil {
			(*v)[i] = *x
		}
	}
	return nil
}

// Schema returns the documentation of the numbers for OpenAPI.
func (Values) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:        huma.TypeArray,
		Items:       &huma.Schema{Type: huma.TypeNumber, Nullable: true},
		Description: "Row-major float32, printed so that each number parses back to the same bits; NaN and infinities are null.",
	}
}

// AppendJSON appends the numbers as JSON.
func (v Values) AppendJSON(b []byte) []byte {
	b = append(b, '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, f, 'g', -1, elemBits)
		}
	}
	return append(b, ']')
}

// AppendJSON appends the response as JSON. encoding/json would validate and copy every number of
// every map a second time, which takes most of the time of a request with a long text. It only
// encodes the parts without numbers.
func (a *Attend) AppendJSON(b []byte) ([]byte, error) {
	type head Attend // without the mechanisms, which are empty in the copy
	h := head(*a)
	h.Mechanisms = nil
	b, err := AppendObject(b, h)
	if err != nil {
		return nil, err
	}
	b = append(b, `,"mechanisms":[`...)
	for i := range a.Mechanisms {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = a.Mechanisms[i].appendJSON(b); err != nil {
			return nil, err
		}
	}
	return append(b, "]}\n"...), nil
}

// Size estimates the size of the response in JSON, in bytes.
func (a *Attend) Size() int {
	const perNumber, perToken, perMap = 13, 96, 128
	total := 4096 + len(a.Text) + len(a.Tokens)*perToken
	for _, m := range a.Mechanisms {
		for _, layer := range m.Layers {
			for _, x := range layer.Maps {
				total += perMap + len(x.Reach) + len(x.Values)*perNumber
			}
		}
		for _, x := range m.Maps {
			total += perMap + len(x.Values)*perNumber
		}
	}
	return total
}

func (m *AttendMechanism) appendJSON(b []byte) ([]byte, error) {
	h := *m
	h.Layers, h.Maps = nil, nil
	b, err := AppendObject(b, h)
	if err != nil || m.Layers == nil {
		return append(b, '}'), err
	}
	if len(m.Maps) > 0 {
		if b, err = appendMaps(append(b, ','), m.Maps); err != nil {
			return nil, err
		}
	}
	b = append(b, `,"layers":[`...)
	for i, layer := range m.Layers {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"layer":`...)
		b = strconv.AppendInt(b, int64(layer.Layer), 10)
		b = append(b, `,"name":`...)
		b = strconv.AppendQuote(b, layer.Name)
		if layer.Head > 0 {
			b = strconv.AppendInt(append(b, `,"head":`...), int64(layer.Head), 10)
		}
		if b, err = appendMaps(append(b, ','), layer.Maps); err != nil {
			return nil, err
		}
		b = append(b, '}')
	}
	return append(b, "]}"...), nil
}

// appendMaps writes the member "maps".
func appendMaps(b []byte, maps []AttendMap) ([]byte, error) {
	b = append(b, `"maps":[`...)
	for i := range maps {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = maps[i].appendJSON(b); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func (m *AttendMap) appendJSON(b []byte) ([]byte, error) {
	h := *m
	h.Values = nil
	b, err := AppendObject(b, h)
	if err != nil {
		return nil, err
	}
	b = append(b, `,"values":`...)
	b = m.Values.AppendJSON(b)
	return append(b, '}'), nil
}

// AppendObject writes a struct without its closing brace.
func AppendObject(b []byte, v any) ([]byte, error) {
	object, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(b, object[:len(object)-1]...), nil
}

package api

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/tensor"
)

// AttentionQuestion asks for the attention of one model. Layers, heads and rows count from 1; an
// empty list stands for all.
type AttentionQuestion struct {
	Model  string `json:"model" doc:"Id of a mechanism, an architecture, or a model of the transformers library on this machine"`
	Text   string `json:"text,omitempty" doc:"Text, at most 65536 bytes"`
	IDs    []int  `json:"ids,omitempty" doc:"Token ids instead of a text, including special tokens"`
	Layers []int  `json:"layers,omitempty" doc:"Layers, from 1; default all layers"`
	Heads  []int  `json:"heads,omitempty" doc:"Heads, from 1; default all heads"`
	Rows   []int  `json:"rows,omitempty" doc:"Tokens whose rows are wanted, from 1; default all rows"`
	Top    int    `json:"top,omitempty" doc:"Only so many largest weights of each row, and the sum of the others; default all weights"`
	Format string `json:"format,omitempty" enum:"json,npz" doc:"json, or npz: arrays of NumPy named layer1, or keys1, weights1 and rest1 with top; default json"`
	Half   bool   `json:"half,omitempty" doc:"Half precision in NPZ files"`
	Stream bool   `json:"stream,omitempty" doc:"Lines of JSON instead of one object: first the object without layers, then each layer as soon as it is computed"`
}

// Attention is the attention of one model.
type Attention struct {
	Version int              `json:"version" doc:"Version of this format: 1"`
	Model   string           `json:"model" doc:"Id of the model"`
	Tokens  []AttendToken    `json:"tokens" doc:"Tokens of the text; for token ids, start and end are positions in their list"`
	Heads   []int            `json:"heads" doc:"Heads of the answer, from 1, in its order"`
	Rows    []int            `json:"rows" doc:"Rows of the answer, as tokens from 1, in its order"`
	Layers  []AttentionLayer `json:"layers" doc:"Layers of the answer"`
}

// AttentionLayer holds the requested rows of all requested heads, one after another.
type AttentionLayer struct {
	Layer   int    `json:"layer" doc:"Number of the layer, from 1"`
	Shape   []int  `json:"shape" doc:"Number of heads, of rows, and of weights in a row"`
	Weights Values `json:"weights" doc:"Attention weights of all heads and rows; with top, the largest of each row in descending order"`
	Keys    []int  `json:"keys,omitempty" doc:"Tokens of the weights, from 1; only with top"`
	Rest    Values `json:"rest,omitempty" doc:"Sum of the other weights of each row; only with top"`
}

// Begin returns an empty response.
func (q *AttentionQuestion) Begin(of engine.Attended) Attention {
	return Attention{
		Version: 1, Model: q.Model, Tokens: tokens(of.Tokens), Heads: orAll(q.Heads, of.Heads),
		Rows: orAll(q.Rows, len(of.Tokens)), Layers: []AttentionLayer{},
	}
}

// Wants reports whether a layer is requested.
func (q *AttentionQuestion) Wants(layer int) bool {
	return len(q.Layers) == 0 || slices.Contains(q.Layers, layer)
}

// Bytes estimates the memory of a response, with its JSON, in bytes.
func (q *AttentionQuestion) Bytes(of engine.Attended) int64 {
	row := int64(len(of.Tokens))
	if q.Top > 0 {
		row = int64(2*q.Top + 1)
	}
	layers := len(orAll(q.Layers, of.Layers))
	if q.Stream {
		layers = 1 // at a time
	}
	const each = 20 // a number, and its digits
	return each * row * int64(len(orAll(q.Rows, len(of.Tokens)))) * int64(len(orAll(q.Heads, of.Heads))) * int64(layers)
}

// orAll returns the list, or all numbers from 1 to count if it is empty.
func orAll(list []int, count int) []int {
	if len(list) > 0 {
		return list
	}
	all := make([]int, count)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// Layer returns the requested part of a layer's weights [H,N,N].
func (a *Attention) Layer(number int, weights *tensor.T, top int) AttentionLayer {
	n := weights.Dim(2)
	layer := AttentionLayer{Layer: number, Shape: []int{len(a.Heads), len(a.Rows), n}}
	if top > 0 {
		layer.Shape[2] = min(top, n)
	}
	for _, h := range a.Heads {
		for _, r := range a.Rows {
			row := weights.Data[((h-1)*n+r-1)*n:][:n]
			if top == 0 {
				layer.Weights = append(layer.Weights, row...)
				continue
			}
			layer.largest(row, layer.Shape[2])
		}
	}
	return layer
}

// AppendJSON appends the layer as JSON, without the copies that encoding/json makes of its numbers.
func (l *AttentionLayer) AppendJSON(b []byte) ([]byte, error) {
	b, err := appendObject(b, struct {
		Layer int   `json:"layer"`
		Shape []int `json:"shape"`
		Keys  []int `json:"keys,omitempty"`
	}{l.Layer, l.Shape, l.Keys})
	if err != nil {
		return nil, err
	}
	b = l.Weights.appendJSON(append(b, `,"weights":`...))
	if l.Rest != nil {
		b = l.Rest.appendJSON(append(b, `,"rest":`...))
	}
	return append(b, '}'), nil
}

// largest adds the largest weights of a row, the earlier of equal ones first, and the sum of the
// others.
func (l *AttentionLayer) largest(row []tensor.Elem, count int) {
	order := make([]int, len(row))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(row[j], row[i]) })
	rest := 0.0
	for place, i := range order {
		if place < count {
			l.Weights, l.Keys = append(l.Weights, row[i]), append(l.Keys, i+1)
		} else {
			rest += float64(row[i])
		}
	}
	l.Rest = append(l.Rest, tensor.Elem(rest))
}

// NPZ returns the layers as NumPy arrays in an archive.
func (a *Attention) NPZ(half bool) ([]byte, error) {
	numbers := singles
	if half {
		numbers = halves
	}
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	add := func(name string, layer int, shape []int, v any) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%s%d.npy", name, layer), Method: zip.Store})
		if err == nil {
			err = writeNPY(w, shape, v)
		}
		return err
	}
	for _, l := range a.Layers {
		if l.Keys == nil {
			if err := add("layer", l.Layer, l.Shape, numbers(l.Weights)); err != nil {
				return nil, err
			}
			continue
		}
		keys := make([]int32, len(l.Keys))
		for i, k := range l.Keys {
			keys[i] = int32(k - 1) // NumPy indexes from 0
		}
		err := add("keys", l.Layer, l.Shape, keys)
		if err == nil {
			err = add("weights", l.Layer, l.Shape, numbers(l.Weights))
		}
		if err == nil {
			err = add("rest", l.Layer, l.Shape[:2], numbers(l.Rest))
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return file.Bytes(), err
}

// singles converts numbers to float32.
func singles(v Values) any {
	all := make([]float32, len(v))
	for i, x := range v {
		all[i] = float32(x)
	}
	return all
}

// halves converts numbers to the bits of half precision.
func halves(v Values) any {
	all := make([]uint16, len(v))
	for i, x := range v {
		all[i] = halfOf(float64(x))
	}
	return all
}

// halfOf returns the bits of a weight from 0 to 1 in half precision, rounded to even.
func halfOf(x float64) uint16 {
	if x < 1.0/(1<<14) { // denormal
		return uint16(math.RoundToEven(x * (1 << 24)))
	}
	fraction, exponent := math.Frexp(x) // x = fraction·2^exponent, fraction at least ½
	return uint16((exponent+14)<<10) + uint16(math.RoundToEven((2*fraction-1)*(1<<10)))
}

// writeNPY writes an array in NumPy's format, version 1.0.
func writeNPY(w io.Writer, shape []int, v any) error {
	kind := "<f4"
	switch v.(type) {
	case []uint16:
		kind = "<f2"
	case []int32:
		kind = "<i4"
	}
	size := ""
	for _, s := range shape {
		size += fmt.Sprintf("%d,", s)
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, size)
	head += fmt.Sprintf("%*s\n", 63-(10+len(head))%64, "")
	begin := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	if _, err := w.Write(append(begin, head...)); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, v)
}

package verify

import (
	"encoding/json"
	"fmt"
	"slices"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// read reads what the configuration says of the reference alone.
func (c *Case) read(into any) { check(json.Unmarshal(c.config, into)) }

// hf reads the configuration of a model of the transformers library.
func (c *Case) hf(into any) {
	var config struct {
		HF json.RawMessage `json:"hf_config"`
	}
	if c.read(&config); config.HF == nil {
		fail("hf")
	}
	check(json.Unmarshal(config.HF, into))
}

// array finds a weight that the case must have.
func (r *run) array(name string) *tensor.T { return r.find(r.Weights, name) }

// input finds an input of floats that the case must have, by our name.
func (r *run) input(name string) *tensor.T { return r.find(r.IO, r.names.theirs(name)[0]) }

func (r *run) find(f *checkpoint.File, name string) *tensor.T {
	t, ok := f.Arrays[name]
	if !ok {
		fail("missing", "name", name)
	}
	return t
}

// shape is that of an input or of an array to compare; nil where the case has none.
func (r *run) shape(name string) []int {
	if t, ok := r.IO.Arrays[name]; ok {
		return t.Shape
	}
	if t, ok := r.IO.Ints[name]; ok {
		return t.Shape
	}
	return nil
}

// whole is an array of whole numbers, which may have been written as floats.
func (r *run) whole(name string) *checkpoint.Ints {
	if t, ok := r.IO.Ints[name]; ok {
		return t
	}
	t := r.find(r.IO, name)
	whole := &checkpoint.Ints{Shape: t.Shape, Data: make([]int64, t.Len())}
	for i, v := range t.Data {
		whole.Data[i] = int64(v)
	}
	return whole
}

// row is the sequence's row of an input [B,N], filled up to a length.
func (r *run) row(name string, length, fill int) []int {
	m := r.whole(name)
	if len(m.Shape) != 2 || r.b >= m.Shape[0] || m.Shape[1] > length {
		fail("shape", "name", name, "shape", fmt.Sprint(m.Shape), "want", fmt.Sprintf("[B,%d]", length))
	}
	row := slices.Repeat([]int{fill}, length)
	for i, v := range m.Data[r.b*m.Shape[1]:][:m.Shape[1]] {
		row[i] = int(v)
	}
	return row
}

// text says which of n positions are text, by an input [B,N] that has the value is there;
// nil where the case has no such input.
func (r *run) text(name string, n, is int) []bool {
	if r.shape(name) == nil {
		return nil
	}
	keys := make([]bool, n)
	for i, v := range r.row(name, n, 1-is) {
		keys[i] = v == is
	}
	return keys
}

// filledKeys says which positions are text where n words were filled up to a length; nil: all.
func (r *run) filledKeys(n, length int) []bool {
	keys := r.text("attention_mask", length, 1)
	if keys == nil {
		keys = append(slices.Repeat([]bool{true}, n), make([]bool, length-n)...)
	}
	if !slices.Contains(keys, false) {
		return nil
	}
	return keys
}

// mask is the case's mask of n positions, in our terms.
func (r *run) mask(n int) nn.Mask {
	var m nn.Mask
	if r.Config.Causal {
		m.Kind = nn.Causal
	}
	for _, name := range [...]string{"mask01", "key_mask", "attention_mask"} {
		if keys := r.text(name, n, 1); keys != nil {
			m.Keys, m.N = keys, n
		}
	}
	if r.shape("mask") != nil {
		m.Pairs, m.N = r.pairs("mask", r.whole("mask"), n), n
	}
	return m
}

// pairs reads a mask that broadcasts to [B,1,N,N]: 1 = visible.
func (r *run) pairs(name string, m *checkpoint.Ints, n int) []bool {
	shape := slices.Clone(m.Shape)
	if len(shape) == 3 && r.Config.PerSample {
		shape = slices.Insert(shape, 1, 1)
	}
	for len(shape) < 4 {
		shape = slices.Insert(shape, 0, 1)
	}
	batch, queries := shape[0], shape[2]
	if len(shape) > 4 || shape[1] != 1 || shape[3] != n || queries != 1 && queries != n || batch != 1 && batch <= r.b {
		fail("shape", "name", name, "shape", fmt.Sprint(m.Shape), "want", fmt.Sprintf("[B,1,%d,%d]", n, n))
	}
	pairs, plane := make([]bool, n*n), min(r.b, batch-1)
	for i := range pairs {
		pairs[i] = m.Data[(plane*queries+i/n%queries)*n+i%n] != 0
	}
	return pairs
}

package verify

import (
	"encoding/json"
	"fmt"
	"slices"

	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// read reads the part of the configuration that is specific to the reference.
func (c *Case) read(into any) { check(json.Unmarshal(c.config, into)) }

// hf reads the configuration of a model from the transformers library.
func (c *Case) hf(into any) {
	var config struct {
		HF json.RawMessage `json:"hf_config"`
	}
	if c.read(&config); config.HF == nil {
		fail("library")
	}
	check(json.Unmarshal(config.HF, into))
}

// array returns a weight; the case must have it.
func (r *run) array(name string) *tensor.T { return found(r.Weights.Arrays, name) }

// input returns an input by our name; the case must have it.
func (r *run) input(name string) *tensor.T { return found(r.IO.Arrays, r.names.theirs(name)[0]) }

func found(arrays map[string]*tensor.T, name string) *tensor.T {
	t, ok := arrays[name]
	if !ok {
		fail("missing", "name", name)
	}
	return t
}

// shape returns the shape of an input or of an array to compare, or nil if the case does not have
// it.
func (r *run) shape(name string) []int {
	if t, ok := r.IO.Arrays[name]; ok {
		return t.Shape
	}
	return nil
}

// words returns the number of tokens N of input_ids [B,N].
func (r *run) words() int { return r.input("input_ids").Dim(1) }

// row returns the sequence's row of an input [B,N], padded to a length.
func (r *run) row(name string, length, fill int) []int {
	m := r.input(name)
	if m.Rank() != 2 || r.b >= m.Shape[0] || m.Shape[1] > length {
		fail("shape", "name", name, "shape", m.Shape, "want", fmt.Sprintf("[B,%d]", length))
	}
	row := slices.Repeat([]int{fill}, length)
	for i, v := range m.Data[r.b*m.Shape[1]:][:m.Shape[1]] {
		row[i] = int(v)
	}
	return row
}

// text returns which of n positions are text, from an input [B,N] with 1 = text, or nil if the case
// does not have it.
func (r *run) text(name string, n int) []bool {
	if r.shape(name) == nil {
		return nil
	}
	keys := make([]bool, n)
	for i, v := range r.row(name, n, 0) {
		keys[i] = v != 0
	}
	return keys
}

// filledKeys returns which positions are text after padding n tokens to a length, or nil if all
// are.
func (r *run) filledKeys(n, length int) []bool {
	keys := r.text("attention_mask", length)
	if keys == nil {
		keys = append(slices.Repeat([]bool{true}, n), make([]bool, length-n)...)
	}
	if !slices.Contains(keys, false) {
		return nil
	}
	return keys
}

// mask returns the case's attention mask for n positions.
func (r *run) mask(n int) nn.Mask {
	var m nn.Mask
	if r.Config.Causal {
		m.Kind = nn.Causal
	}
	for _, name := range [...]string{"mask01", "key_mask", "attention_mask"} {
		if keys := r.text(name, n); keys != nil {
			m.Keys, m.N = keys, n
		}
	}
	if r.shape("mask") != nil {
		m.Pairs, m.N = r.pairs("mask", r.input("mask"), n), n
	}
	return m
}

// pairs reads a mask that broadcasts to [B,1,N,N]: 1 = visible.
func (r *run) pairs(name string, m *tensor.T, n int) []bool {
	shape := slices.Clone(m.Shape)
	if len(shape) == 3 && (r.Config.PerSample || r.Config.Base != "" && shape[0] == r.count) {
		shape = slices.Insert(shape, 1, 1)
	}
	for len(shape) < 4 {
		shape = slices.Insert(shape, 0, 1)
	}
	batch, queries := shape[0], shape[2]
	if len(shape) > 4 || shape[1] != 1 || shape[3] != n || queries != 1 && queries != n || batch != 1 && batch <= r.b {
		fail("shape", "name", name, "shape", m.Shape, "want", fmt.Sprintf("[B,1,%d,%d]", n, n))
	}
	pairs, plane := make([]bool, n*n), min(r.b, batch-1)
	for i := range pairs {
		pairs[i] = m.Data[(plane*queries+i/n%queries)*n+i%n] != 0
	}
	return pairs
}

package verify

import (
	"fmt"
	"slices"

	"attnatlas/engine/tensor"
)

// ints finds an array of whole numbers [B,N] that the case must have.
func (c *Case) ints(name string) ([]int64, error) {
	if t, ok := c.IO.Ints[name]; ok {
		return t.Data, nil
	}
	return nil, fmt.Errorf("verify: %s/%s: the input %q is missing", c.Mechanism, c.Name, name)
}

// size is the number of sequences and their length.
func (c *Case) size() (batch, n int, err error) {
	t, ok := c.IO.Ints["input_ids"]
	if !ok || len(t.Shape) != 2 {
		return 0, 0, fmt.Errorf("verify: %s/%s: the input \"input_ids\" [B,N] is missing", c.Mechanism, c.Name)
	}
	return t.Shape[0], t.Shape[1], nil
}

// row is sequence b of an input [B,N], filled up to a length.
func (c *Case) row(name string, b, length, fill int) ([]int, error) {
	data, err := c.ints(name)
	if err != nil {
		return nil, err
	}
	_, n, err := c.size()
	if err != nil {
		return nil, err
	}
	if len(data) < (b+1)*n || length < n {
		return nil, fmt.Errorf("verify: %s/%s: %q has %d numbers, too few for sequence %d", c.Mechanism, c.Name, name, len(data), b)
	}
	row := slices.Repeat([]int{fill}, length)
	for i := range n {
		row[i] = int(data[b*n+i])
	}
	return row, nil
}

// put files a value [1,…] or […] of sequence b in the reference's array [B,…], cut
// to the reference's length where ours is padded.
func (r *modelRun) put(name string, b int, value *tensor.T) {
	want, ok := r.c.IO.Arrays[name]
	if !ok {
		return
	}
	if r.out[name] == nil {
		r.out[name] = tensor.New(want.Shape...)
	}
	to := r.out[name].Sub(b)
	if value.Rank() == to.Rank()+1 {
		value = value.Sub(0)
	}
	if value.Rank() != to.Rank() {
		delete(r.out, name)
		return
	}
	crop(to.Data, to.Shape, value.Data, value.Shape)
}

// putTime files a value [N,d] of sequence b in the reference's array [N,B,d].
func (r *modelRun) putTime(name string, b int, value *tensor.T) {
	want, ok := r.c.IO.Arrays[name]
	if !ok {
		return
	}
	if r.out[name] == nil {
		r.out[name] = tensor.New(want.Shape...)
	}
	d := want.Dim(-1)
	for i := range min(want.Dim(0), value.Dim(0)) {
		copy(r.out[name].Data[(i*want.Dim(1)+b)*d:][:d], value.Data[i*d:])
	}
}

package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// Case is one reference computation.
type Case struct {
	Mechanism, Name string // names of its two folders
	Config          Config
	Weights         *checkpoint.File
	IO              *checkpoint.File // Arrays also contains the arrays of Ints
	config          json.RawMessage
}

// Config holds the configuration that cases of many references share.
type Config struct {
	Heads     int     `json:"num_heads"`
	MaxLen    int     `json:"max_len"`
	PerSample bool    `json:"per_sample"` // the mask's first axis is the batch
	Causal    bool    `json:"causal"`
	Rounding  float64 `json:"f32_vs_f64_max_abs"` // maximum rounding error of the reference's own numbers
	Base      string  `json:"base_golden"`        // for an attribution method: the case whose weights it uses
}

// Open reads a case folder.
func Open(dir string) (c *Case, err error) {
	defer caught(dir, &err)
	dir = must(filepath.Abs(dir))
	c = &Case{Mechanism: filepath.Base(filepath.Dir(dir)), Name: filepath.Base(dir)}
	c.config = file(dir, "config.json")
	check(checkpoint.Unique(c.config))
	bounded("", c.config)
	c.read(&c.Config)
	c.Weights, c.IO = parsed(dir, "weights.safetensors"), parsed(dir, "io.safetensors")
	for name, whole := range c.IO.Ints {
		t := tensor.New(whole.Shape...)
		for i, v := range whole.Data {
			t.Data[i] = tensor.Elem(v)
		}
		c.IO.Arrays[name] = t
	}
	return c, nil
}

// mostNumber is the largest whole number in a configuration, apart from seeds and counts.
const mostNumber = 1 << 17

// bounded rejects a configuration with a number too large for a size.
func bounded(field string, raw json.RawMessage) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	var number float64
	switch {
	case json.Unmarshal(raw, &object) == nil:
		for name, value := range object {
			bounded(name, value)
		}
	case json.Unmarshal(raw, &list) == nil:
		for _, value := range list {
			bounded(field, value)
		}
	case json.Unmarshal(raw, &number) != nil, bytes.ContainsAny(raw, ".eE"), strings.Contains(field,
		"seed"), strings.HasPrefix(field, "n_params"):
	case math.Abs(number) > mostNumber:
		fail("number", "field", messages.Quote(field), "value", fmt.Sprint(number), "most", mostNumber)
	}
}

// file reads a file of a case.
func file(dir, name string) []byte {
	data, err := disk.Read(filepath.Join(dir, name), checkpoint.MaxBytes())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		panic(fault{&messages.Error{Msg: messages.New("verify.folder"), Err: err}})
	case err != nil:
		panic(fault{&messages.Error{Msg: messages.Text(name), Err: err}})
	}
	return data
}

func parsed(dir, name string) *checkpoint.File {
	f, err := checkpoint.Parse(file(dir, name))
	if err != nil {
		panic(fault{&messages.Error{Msg: messages.Text(name), Err: err}})
	}
	return f
}

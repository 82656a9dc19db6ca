package verify

import (
	"encoding/json"
	"os"
	"path/filepath"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/messages"
)

// Case is one reference computation.
type Case struct {
	Mechanism, Name string // the names of its two folders
	Config          Config
	Weights         *checkpoint.File
	IO              *checkpoint.File
	config          json.RawMessage
}

// Config is what cases of many references say of themselves.
type Config struct {
	Heads     int     `json:"num_heads"`
	MaxLen    int     `json:"max_len"`
	PerSample bool    `json:"per_sample"` // the mask's first axis is the batch
	Causal    bool    `json:"causal"`
	Rounding  float64 `json:"f32_vs_f64_max_abs"` // of the reference's own numbers
}

// Open reads a case folder.
func Open(dir string) (c *Case, err error) {
	defer caught(dir, &err)
	dir = must(filepath.Abs(dir))
	c = &Case{Mechanism: filepath.Base(filepath.Dir(dir)), Name: filepath.Base(dir)}
	c.config = file(dir, "config.json")
	c.read(&c.Config)
	c.Weights = must(checkpoint.Parse(file(dir, "weights.safetensors")))
	c.IO = must(checkpoint.Parse(file(dir, "io.safetensors")))
	return c, nil
}

func file(dir, name string) []byte {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		panic(fault{&messages.Error{Message: messages.New("verify.folder"), Err: err}})
	}
	return data
}

package verify

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/tensor"
)

// Case is one reference computation.
type Case struct {
	Mechanism, Name string // the names of its two folders
	Config          Config
	Library         json.RawMessage // the case's hf_config, with its class: what a config.json says
	config          json.RawMessage
	Weights         *checkpoint.File
	IO              *checkpoint.File
}

// Config is what a case says of itself; a field that its reference has no use
// for is zero.
type Config struct {
	Heads     int     `json:"num_heads"`
	MaxLen    int     `json:"max_len"`
	PerSample bool    `json:"per_sample"` // the mask's first axis is the batch
	Mode      string  `json:"synthesize_mode"`
	Rounding  float64 `json:"f32_vs_f64_max_abs"`
	Causal    bool    `json:"causal"`
	Block     int     `json:"block_size"`        // BigBird
	Random    int     `json:"num_random_blocks"` // BigBird
	Sparse    string  `json:"mode_used"`         // BigBird: "block_sparse", "original_full"
	Blocks    int     `json:"n_blocks"`          // shuffle-exchange
	TiedInner bool    `json:"tied_inner"`        // the stages of half a block share a switch
	TiedOuter bool    `json:"tied_outer"`        // so do the blocks
	Layers    int     `json:"layers"`            // Fastformer's encoder
	Eps       float64 `json:"layer_norm_eps"`
	NormFirst bool    `json:"norm_first"` // torch.nn.Transformer
	Act       string  `json:"activation"`
	Backwards float64 `json:"reversible_reconstruction_max_err"` // Reformer
	HF        HF      `json:"hf_config"`

	// Adaptive computation
	MaxHop    int      `json:"max_hop"`
	Threshold *float64 `json:"act_threshold"` // null: fixed depth
	ActType   string   `json:"act_type"`
	Epsilon   float64  `json:"act_epsilon"`
	MaxSteps  int      `json:"act_max_steps"`

	Architecture string `json:"architecture"` // Sandwich: pairs of sublayers, "." where one is missing
	Span         int    `json:"attn_span"`
}

// HF is a configuration of a model of the transformers library.
type HF struct {
	Heads   int     `json:"num_attention_heads"`
	Layers  int     `json:"num_hidden_layers"`
	Act     string  `json:"hidden_act"`
	Eps     float64 `json:"layer_norm_eps"`
	Pad     int     `json:"pad_token_id"`
	Windows []int   `json:"attention_window"` // Longformer: of each layer

	// Reformer
	Decoder     bool            `json:"is_decoder"` // causal
	HeadWidth   int             `json:"attention_head_size"`
	MaxLen      int             `json:"max_position_embeddings"`
	Rounds      int             `json:"num_hashes"`
	Buckets     json.RawMessage `json:"num_buckets"` // a number or its factors
	LSHChunk    int             `json:"lsh_attn_chunk_length"`
	LSHBefore   int             `json:"lsh_num_chunks_before"`
	LSHAfter    int             `json:"lsh_num_chunks_after"`
	LocalChunk  int             `json:"local_attn_chunk_length"`
	LocalBefore int             `json:"local_num_chunks_before"`
	LocalAfter  int             `json:"local_num_chunks_after"`
	Kinds       []string        `json:"attn_layers"` // "lsh" or "local", of each layer
	Inner       int             `json:"feed_forward_size"`
	InnerChunk  int             `json:"chunk_size_feed_forward"` // 0: all words at a time
	Axial       bool            `json:"axial_pos_embds"`
}

// Open reads a case folder.
func Open(dir string) (*Case, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	c := &Case{Mechanism: filepath.Base(filepath.Dir(dir)), Name: filepath.Base(dir)}
	raw, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		return nil, fmt.Errorf("verify: not a case folder: %w", err)
	}
	c.config = raw
	if err := json.Unmarshal(raw, &c.Config); err != nil {
		return nil, fmt.Errorf("verify: %s/config.json: %w", dir, err)
	}
	if c.Library, err = library(raw); err != nil {
		return nil, fmt.Errorf("verify: %s/config.json: %w", dir, err)
	}
	if c.Weights, err = read(dir, "weights.safetensors"); err != nil {
		return nil, err
	}
	c.IO, err = read(dir, "io.safetensors")
	return c, err
}

// library is the part of a case's configuration that a config.json of the
// transformers library consists of; null where there is none.
func library(raw []byte) (json.RawMessage, error) {
	var of struct {
		Class string         `json:"class"`
		HF    map[string]any `json:"hf_config"`
	}
	if err := json.Unmarshal(raw, &of); err != nil || of.HF == nil {
		return nil, err
	}
	of.HF["architectures"] = []string{of.Class}
	return json.Marshal(of.HF)
}

func read(dir, name string) (*checkpoint.File, error) {
	raw, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, fmt.Errorf("verify: not a case folder: %w", err)
	}
	f, err := checkpoint.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("verify: %s: %w", filepath.Join(dir, name), err)
	}
	return f, nil
}

// input finds an array of floats that the case must have.
func (c *Case) input(name string) (*tensor.T, error) {
	if t, ok := c.IO.Arrays[name]; ok {
		return t, nil
	}
	return nil, fmt.Errorf("verify: %s/%s: the input %q is missing", c.Mechanism, c.Name, name)
}

// batchMajor is the case with its arrays [N,B,d] turned to [B,N,d] and called x and
// out.
func (c *Case) batchMajor() *Case {
	turned, io := *c, *c.IO
	io.Arrays = map[string]*tensor.T{}
	for name, t := range c.IO.Arrays {
		if t.Rank() == 3 {
			t = swapped(t)
		}
		io.Arrays[strings.TrimSuffix(name, timeMajorSuffix)] = t
	}
	turned.IO = &io
	return &turned
}

const timeMajorSuffix = "_time_major"

// timeMajor is the opposite of batchMajor.
func (out computed) timeMajor() computed {
	turned := computed{}
	for name, t := range out {
		if t.Rank() == 3 {
			t = swapped(t)
		}
		if name == "x" || name == "out" {
			name += timeMajorSuffix
		}
		turned[name] = t
	}
	return turned
}

// weight finds a weight that the case must have.
func (c *Case) weight(name string) (*tensor.T, error) {
	if t, ok := c.Weights.Arrays[name]; ok {
		return t, nil
	}
	return nil, fmt.Errorf("verify: %s/%s: the weight %q is missing", c.Mechanism, c.Name, name)
}

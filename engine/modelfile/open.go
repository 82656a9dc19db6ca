// Package modelfile turns checkpoints into models and back, and compares their settings with the bundled models.
package modelfile

import (
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
)

// Open reads a model from the checkpoint that training wrote.
func Open(data []byte) (*encoder.Model, checkpoint.Info, error) {
	var c encoder.Config
	f, info, err := read(data, &c)
	if err != nil {
		return nil, info, err
	}
	m, err := encoder.New(c.Blank(), 0)
	if err != nil {
		return nil, info, err
	}
	return m, info, checkpoint.Restore(m.Params, f.Arrays)
}

// OpenSeq2Seq reads an encoder–decoder from the checkpoint that training wrote.
func OpenSeq2Seq(data []byte) (*encoder.Seq2Seq, checkpoint.Info, error) {
	var c encoder.Config
	f, info, err := read(data, &c)
	if err != nil {
		return nil, info, err
	}
	m, err := encoder.NewSeq2Seq(c.Blank(), 0)
	if err != nil {
		return nil, info, err
	}
	return m, info, checkpoint.Restore(m.Params, f.Arrays)
}

// Describe reads the metadata of a checkpoint.
func Describe(data []byte, c *encoder.Config) (checkpoint.Info, error) {
	info, err := checkpoint.Describe(data, c)
	return Complete(c, info), err
}

// read reads a checkpoint with its metadata.
func read(data []byte, c *encoder.Config) (*checkpoint.File, checkpoint.Info, error) {
	f, err := checkpoint.Parse(data)
	if err != nil {
		return nil, checkpoint.Info{}, err
	}
	info, err := f.Describe(c)
	return f, Complete(c, info), err
}

// Complete adds facts from the configuration to a model's info.
func Complete(c *encoder.Config, info checkpoint.Info) checkpoint.Info {
	info.Mechanism, info.Stack, info.Layers, info.Heads, info.Width, info.Length = c.Mechanism, c.Stack, c.Layers, c.Heads,
		c.Width, c.Length
	info.Longest = c.Longest()
	info.Norm, info.Positions, info.MixerOptions, info.Options = string(c.Norm), string(c.Known()),
		c.MixerOptions, c.Options
	return info
}

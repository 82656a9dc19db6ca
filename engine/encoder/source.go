package encoder

import "embed"

// sources are the files in which stacks are written.
//
//go:embed albert.go bert.go encoder.go encoderdecoder.go gpt2.go reversible.go sandwich.go universal.go
var sources embed.FS

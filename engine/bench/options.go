package bench

import (
	"fmt"
	"regexp"
	"time"

	"attnatlas/engine"
)

// Options select what to measure, and how thoroughly.
type Options struct {
	Sizes
	Rounds int
	Sample time.Duration  // minimum duration of a sample, approximately
	Only   *regexp.Regexp // names of the requested figures; nil: all
	// Progress receives the next measurement; it can be nil.
	Progress func(SampleProgress)
	// Version and Commit describe the program, for the document.
	Version, Commit string
}

// SampleProgress is the progress of a measurement.
type SampleProgress struct {
	Done, Total int // samples
	Name        string
}

// Sizes are the sizes of the measured operations.
type Sizes struct {
	Width, Heads int       // of mixers and models
	Products     []Product // matrix products
	Forward      []int     // lengths of forward passes
	Long         []int     // additional lengths for the fit of the growth
	Training     TrainingSetup
	Walls        []int // tokens
	Pictures     []int // tokens
}

// Product is a batch of Count matrix products [M,K]·[K,N].
type Product struct {
	M, K, N, Count int
	Packed         bool // the right factor is packed beforehand
}

// String returns the sizes of the product.
func (p Product) String() string {
	name := fmt.Sprintf("%dx%dx%d", p.M, p.K, p.N)
	if p.Count > 1 {
		name += fmt.Sprintf("*%d", p.Count)
	}
	if p.Packed {
		name += "/packed"
	}
	return name
}

// TrainingSetup is the trained model and its batches.
type TrainingSetup struct {
	Mechanisms    []string
	Layers, Inner int
	Vocab         int
	Batch, Length int
}

// Full returns options that measure everything at realistic sizes.
func Full() Options {
	return Options{Rounds: 7, Sample: 40 * time.Millisecond, Sizes: Sizes{
		Width: 128, Heads: 4,
		Products: []Product{
			{64, 64, 64, 1, false}, {128, 128, 128, 1, false}, {512, 512, 512, 1, false},
			{2048, 128, 512, 1, false}, {2048, 512, 128, 1, false}, {2048, 128, 128, 1, false}, {512, 64, 512, 1, false},
			{32, 64, 32, 128, false}, {64, 32, 64, 128, false}, {16, 128, 128, 1, false}, {16, 128, 128, 1, true},
		},
		Forward:  []int{16, 64, 128, 512, 1024},
		Long:     []int{256, 512, 1024, 2048, 4096, 8192, 16384},
		Training: TrainingSetup{Mechanisms: engine.IDs(), Layers: 2, Inner: 512, Vocab: 4096, Batch: 32, Length: 64},
		Walls:    []int{64, 128, 256},
		Pictures: []int{16, 64, 128, 256, 512},
	}}
}

// Quick returns options without long measurements, for a first impression.
func Quick() Options {
	o := Full()
	o.Rounds, o.Sample = 3, 10*time.Millisecond
	o.Long = []int{256, 512, 1024, 2048}
	o.Training.Mechanisms = []string{engine.Default[0]}
	return o
}

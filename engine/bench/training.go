package bench

import (
	"fmt"
	"runtime"
	"sync"

	"attnatlas/engine/encoder"
	"attnatlas/engine/train"
)

const (
	maskShare   = 0.15
	twoThreads  = "/2-threads"
	manyThreads = 2
)

// trainings returns the tasks of training steps: every mechanism with one thread, and the first
// also with two.
func trainings(s Sizes) []*task {
	var list []*task
	for i, id := range s.Training.Mechanisms {
		list = append(list, s.steps(id, 1)...)
		if i == 0 && runtime.NumCPU() >= manyThreads {
			list = append(list, s.steps(id, manyThreads)...)
		}
	}
	return list
}

// steps returns the tasks of one training run, which share its state.
func (s Sizes) steps(id string, threads int) []*task {
	t := s.Training
	positions := t.Batch * t.Length
	run := sync.OnceValues(func() (*train.Run, error) {
		return train.New(train.Options{Seed: 1, Steps: 1 << 30, Method: train.DefaultMethod(), Threads: threads, Model: encoder.Config{
			Mechanism: id, Layers: t.Layers, Width: s.Width, Heads: s.Heads, Inner: t.Inner,
			Length: t.Length, Vocab: t.Vocab, Norm: encoder.PreNorm,
		}})
	})
	step := func(name string, asked int) *task {
		name = fmt.Sprintf("train/%s/%s", id, name)
		if threads > 1 {
			name += twoThreads
		}
		return &task{name: name, unit: TokenRate, work: float64(positions), threads: threads, open: func() (operation, error) {
			r, err := run()
			b := t.batch(asked)
			return func() error { r.Learn(b); return nil }, err
		}}
	}
	return []*task{step("all", positions), step("masked", max(1, int(maskShare*float64(positions))))}
}

// batch returns a batch that predicts the tokens at asked evenly spread positions.
func (t TrainingSetup) batch(asked int) train.Batch {
	ids := make([]int, t.Batch*t.Length)
	for i := range ids {
		ids[i] = i * 7919 % t.Vocab
	}
	at, targets := make([]int, asked), make([]int, asked)
	for i := range at {
		at[i] = i * len(ids) / asked
		targets[i] = ids[at[i]]
	}
	return train.MaskedWords(ids, t.Batch, at, targets)
}

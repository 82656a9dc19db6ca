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
	onlyAdamW   = "/adamw"
	manyThreads = 2
)

// trainings returns the tasks of training steps: every mechanism with one thread, and the first
// also with two, and with AdamW for all parameters.
func trainings(s Sizes) []*task {
	var list []*task
	for i, id := range s.Training.Mechanisms {
		list = append(list, s.steps(training{id: id, threads: 1, method: train.DefaultMethod()})...)
		if i > 0 {
			continue
		}
		if runtime.NumCPU() >= manyThreads {
			list = append(list, s.steps(training{id, manyThreads, train.DefaultMethod(), twoThreads})...)
		}
		alone := train.DefaultMethod()
		alone.Muon = train.Muon{}
		list = append(list, s.steps(training{id, 1, alone, onlyAdamW})...)
	}
	return list
}

// training is a training run whose steps are timed.
type training struct {
	id      string // of the mechanism
	threads int
	method  train.Method
	suffix  string // of the names of its figures
}

// steps returns the tasks of one training run, which share its state.
func (s Sizes) steps(of training) []*task {
	t := s.Training
	positions := t.Batch * t.Length
	run := sync.OnceValues(func() (*train.Run, error) {
		return train.New(train.Options{Seed: 1, Steps: 1 << 30, Method: of.method, Threads: of.threads, Model: encoder.Config{
			Mechanism: of.id, Layers: t.Layers, Width: s.Width, Heads: s.Heads, Inner: t.Inner,
			Length: t.Length, Vocab: t.Vocab, Norm: encoder.PreNorm,
		}})
	})
	step := func(name string, asked int) *task {
		name = fmt.Sprintf("train/%s/%s%s", of.id, name, of.suffix)
		return &task{name: name, unit: TokenRate, work: float64(positions), threads: of.threads, open: func() (operation, error) {
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

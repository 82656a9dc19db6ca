package train

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// Options say what to train and for how long.
type Options struct {
	Model  encoder.Config
	Seed   uint64 // of the first values and of the batches
	Steps  int
	Recipe Recipe
	// State is the file that a killed run goes on from; it is rewritten
	// every SaveEvery steps. Empty: nothing is saved.
	State     string
	SaveEvery int
	// Threads share every batch, each with its own sequences; 0 means 1. The
	// sums of gradients differ in their last bits from those of one thread.
	Threads int
	// Progress is told of every step; it may be nil.
	Progress func(Progress)
}

// DefaultModel is the architecture of the shipped models.
func DefaultModel(mechanism string, v *tokenizer.Vocabulary) encoder.Config {
	return encoder.Config{
		Mechanism: mechanism, Layers: 2, Width: 128, Heads: 4, Inner: 512, Length: 64,
		Vocab: v.Size(), Norm: encoder.PreNorm, Tasks: Tasks(),
	}
}

// Progress is what a run says after each step.
type Progress struct {
	Mechanism   string
	Step, Steps int     // Step counts from 1
	Task        string  // the objective of the step: "words", "topic", "feeling"
	Loss        float64 // of the batch, nats
	Norm        float64 // of all gradients, before clipping
	Tokens      int     // since the first step
	Seconds     float64 // spent on steps since the first, over all sessions
}

// Run is a training in progress.
type Run struct {
	Options Options
	Model   *encoder.Model
	Step    int // steps done
	Tokens  int
	Spent   time.Duration // on steps, over all sessions
	opt     *optimiser
	workers []*worker
}

// New prepares a run: from the beginning, or from its saved state.
func New(o Options) (*Run, error) {
	m, err := encoder.New(o.Model, o.Seed)
	if err != nil {
		return nil, err
	}
	r := &Run{Options: o, Model: m, opt: newOptimiser(m.Params, o.Recipe)}
	for range max(o.Threads, 1) {
		r.workers = append(r.workers, &worker{model: m, pass: nn.NewPass(ad.NewTape())})
	}
	if o.State != "" {
		err = r.load(o.State)
	}
	return r, err
}

// Train takes the steps that are left. When the context ends it saves its
// state and returns the context's error.
func (r *Run) Train(ctx context.Context, c *Corpus) error {
	for r.Step < r.Options.Steps {
		if err := ctx.Err(); err != nil {
			return r.stop(err)
		}
		began := time.Now()
		b := c.Batch(r.Options.Seed, r.Step, r.Options.Steps)
		loss, norm := r.step(b)
		r.Step++
		r.Tokens += b.Tokens()
		r.Spent += time.Since(began)
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return fmt.Errorf("train: %s: the loss became %v at step %d", r.Options.Model.Mechanism, loss, r.Step)
		}
		r.tell(b, loss, norm)
		if r.Options.State != "" && (r.Step%r.Options.SaveEvery == 0 || r.Step == r.Options.Steps) {
			if err := r.save(r.Options.State); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Run) stop(cause error) error {
	if r.Options.State == "" {
		return cause
	}
	if err := r.save(r.Options.State); err != nil {
		return err
	}
	return cause
}

func (r *Run) tell(b Batch, loss, norm float64) {
	if r.Options.Progress == nil {
		return
	}
	r.Options.Progress(Progress{
		Mechanism: r.Options.Model.Mechanism, Step: r.Step, Steps: r.Options.Steps, Task: r.taskName(b.Task),
		Loss: loss, Norm: norm, Tokens: r.Tokens, Seconds: r.Spent.Seconds(),
	})
}

func (r *Run) taskName(task int) string {
	if task == words {
		return "words"
	}
	return r.Options.Model.Tasks[task].Name
}

// step learns from one batch.
func (r *Run) step(b Batch) (loss, norm float64) {
	parts := b.split(len(r.workers))
	var others sync.WaitGroup
	for i, part := range parts[1:] {
		others.Go(func() { r.workers[i+1].learn(part, len(b.Targets)) })
	}
	r.workers[0].learn(parts[0], len(b.Targets))
	others.Wait()
	for _, w := range r.workers[:len(parts)] {
		loss += w.loss
	}
	grad := func(p *nn.Param) *tensor.T { return r.gradient(p, len(parts)) }
	norm = r.opt.update(grad, r.Options.Recipe.RateAt(r.Step, r.Options.Steps))
	return loss, norm
}

// gradient is the sum over the workers, in their order; nil when none has one.
func (r *Run) gradient(p *nn.Param, parts int) *tensor.T {
	var sum *tensor.T
	for _, w := range r.workers[:parts] {
		g := w.pass.Grad(p)
		switch {
		case sum == nil:
			sum = g
		case g != nil:
			tensor.Add(sum.Data, sum.Data, g.Data)
		}
	}
	return sum
}

// worker computes the gradients of a part of a batch.
type worker struct {
	model *encoder.Model
	pass  *nn.Pass
	loss  float64 // the part's share of the batch's mean loss
}

// learn runs a part forwards and backwards. Total is the number of targets of
// the whole batch, over which the loss is a mean.
func (w *worker) learn(b Batch, total int) {
	w.pass.Reset()
	w.loss = 0
	if len(b.Targets) == 0 {
		return
	}
	share := float64(len(b.Targets)) / float64(total)
	l := lossOf(w.model, w.pass, b)
	w.loss = share * float64(l.Value.Data[0])
	w.pass.Tape.Backward(l, tensor.From([]tensor.Elem{tensor.Elem(share)}))
}

func lossOf(m *encoder.Model, p *nn.Pass, b Batch) *ad.Var {
	return ad.CrossEntropy(logitsOf(m, p, b), b.Targets)
}

func logitsOf(m *encoder.Model, p *nn.Pass, b Batch) *ad.Var {
	x := m.Encode(p, b.IDs, b.Count)
	if b.Task == words {
		return m.Words(p, x, b.At)
	}
	return m.Classify(p, x, b.Task)
}

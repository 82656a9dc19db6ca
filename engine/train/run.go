package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"attnatlas/engine/ad"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Options are the settings of a training run: the model, the method and the number of steps.
type Options struct {
	Model  encoder.Config
	Seed   uint64 // for the initial values and the batches
	Steps  int
	Method Method
	// State is the file from which a killed run continues. It is rewritten every SaveEvery steps. Empty: nothing is
	// saved.
	State     string
	SaveEvery int
	// Threads is the number of threads that share every batch, each with its own sequences; 0 means
	// 1. The sums of gradients differ from those of one thread in their last bits.
	Threads int
	// Pause is a step after which Train stops for now; 0: none.
	Pause int
	// Snapshots makes Train store copies of the parameters next to State, after the steps of
	// SnapshotSteps.
	Snapshots bool
	// Anew makes Train start over from the first step even if State exists.
	Anew bool
	// Progress is called after every step; it may be nil.
	Progress func(Progress)
}

// Progress is the report of a run after each step.
type Progress struct {
	ID          string
	Step, Steps int     // number of steps done, and of all steps
	Task        string  // objective of the step, such as "words", "topic" or "feeling"
	Loss        float64 // loss of the batch for this task alone, in nats
	Norm        float64 // norm of all gradients, before clipping
	Tokens      int     // number of tokens since the first step
	Seconds     float64 // time spent on steps since the first, over all sessions
}

// Subject is anything with parameters that a run can train.
type Subject struct {
	ID     string // used in progress reports and errors
	Config any    // saved with the state, as JSON: a state with another configuration is rejected
	Params []*nn.Param
}

// Objective is the loss on one batch, which a training step reduces.
type Objective interface {
	// Task returns the name of the objective, such as "words" or "topic".
	Task() string
	// Tokens returns the number of positions.
	Tokens() int
	// Parts splits the batch into at most n parts, whose gradients are computed in parallel.
	Parts(n int) []Objective
	// Loss returns the loss that a step minimises, a scalar, and its share that belongs to the task itself. It returns
	// nil if there are no targets. The losses of the parts add up to the loss of the whole.
	Loss(p *nn.Pass) (all, own *ad.Var)
}

// Schedule returns the objective of a step. It depends only on its arguments, so that a killed run continues exactly
// where it was.
type Schedule func(step, steps int) Objective

// Run is a training run in progress.
type Run struct {
	Options Options
	Subject Subject
	Model   *encoder.Model   // nil for other subjects of Start
	Seq2Seq *encoder.Seq2Seq // an encoder–decoder, instead of Model
	Step    int              // number of steps done
	Tokens  int
	Spent   time.Duration      // time spent on steps, over all sessions
	Losses  []float32          // loss of every step's batch, in nats; -1 for steps whose task is not words
	Trials  []checkpoint.Trial // trials of the sweep that chose the rate
	data    string             // Corpus.Digest of the training data; empty if not yet known
	opt     *optimiser
	workers []*worker
	keep    []int // result of SnapshotSteps
}

// New prepares the run of a model, from the beginning or from its saved state.
func New(o Options) (*Run, error) {
	if err := o.Model.Affordable(); err != nil {
		return nil, err
	}
	if o.Model.Stack == encoder.EncoderDecoder.ID {
		m, err := encoder.NewSeq2Seq(o.Model, o.Seed)
		if err != nil {
			return nil, err
		}
		r, err := Start(o, Subject{ID: o.Model.ID(), Config: o.Model, Params: m.Params})
		if err != nil {
			return nil, err
		}
		r.Seq2Seq = m
		return r, nil
	}
	m, err := encoder.New(o.Model, o.Seed)
	if err != nil {
		return nil, err
	}
	r, err := Start(o, Subject{ID: o.Model.ID(), Config: o.Model, Params: m.Params})
	if err != nil {
		return nil, err
	}
	r.Model = m
	return r, nil
}

// Start prepares the run of any subject. It ignores Options.Model.
func Start(o Options, s Subject) (*Run, error) {
	r := &Run{Options: o, Subject: s, opt: newOptimiser(s.Params, o.Method.AdamW, o.Method.Muon),
		keep: SnapshotSteps(max(o.Steps, 1))}
	for range max(o.Threads, 1) {
		r.workers = append(r.workers, &worker{pass: nn.NewPass(ad.NewTape())})
	}
	if o.State != "" && !o.Anew {
		if err := r.load(o.State); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Train runs the remaining steps, with the schedule of the run's model.
func (r *Run) Train(ctx context.Context, c *Corpus) error {
	if r.Step > 0 && r.data != c.Digest() {
		return messages.Errorf("training.other-data", "path", r.Options.State)
	}
	r.data = c.Digest()
	return r.TrainOn(ctx, r.schedule(c))
}

// schedule returns the schedule of the run's model on a corpus.
func (r *Run) schedule(c *Corpus) Schedule {
	if r.Seq2Seq != nil {
		return c.seq2seqSchedule(r.Seq2Seq, r.Options.Seed)
	}
	return c.Schedule(r.Model, r.Options.Seed, r.Options.Method.Phases)
}

// TrainOn runs the remaining steps with any schedule. When the context ends, it saves its state and returns the
// context's error.
func (r *Run) TrainOn(ctx context.Context, schedule Schedule) error {
	for r.Step < r.Options.Steps && (r.Options.Pause == 0 || r.Step < r.Options.Pause) {
		if err := ctx.Err(); err != nil {
			return r.stop(err)
		}
		if r.Step == 0 {
			if err := r.snapshot(); err != nil {
				return err
			}
		}
		if r.rounded() {
			r.round()
		}
		began := time.Now()
		o := schedule(r.Step, r.Options.Steps)
		loss, norm := r.step(o)
		r.Step++
		r.Tokens += o.Tokens()
		r.Spent += time.Since(began)
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return messages.Errorf("training.diverged", "model", r.Subject.ID, "loss", fmt.Sprint(loss), "step", r.Step)
		}
		r.Losses = append(r.Losses, shown(o.Task(), loss))
		r.tell(Progress{Task: o.Task(), Loss: loss, Norm: norm})
		if err := errors.Join(r.snapshot(), r.saveNow()); err != nil {
			return err
		}
	}
	return nil
}

// shown returns the loss of a step as Losses stores it.
func shown(task string, loss float64) float32 {
	if task != wordTask {
		return -1
	}
	return float32(loss)
}

// saveNow saves the state if a save is due.
func (r *Run) saveNow() error {
	o := r.Options
	if o.State == "" || r.Step%o.SaveEvery != 0 && r.Step != o.Steps && r.Step != o.Pause {
		return nil
	}
	return r.save(o.State)
}

// rounded reports whether the arrays that are stored in bytes have already been rounded and fixed.
func (r *Run) rounded() bool {
	return r.Options.Method.Round > 0 && float64(r.Step) >= r.Options.Method.Round*float64(r.Options.Steps)
}

// round rounds these arrays and fixes them, unless that has already happened.
func (r *Run) round() {
	for i, p := range r.Subject.Params {
		if !r.opt.held[i] && checkpoint.Shipped(p.Name, p.Value) == checkpoint.Bytes && p.Value.Rank() > 1 {
			checkpoint.Round(p.Value)
			r.opt.held[i] = true
		}
	}
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

// tell reports a step, together with the progress of the run.
func (r *Run) tell(p Progress) {
	if r.Options.Progress == nil {
		return
	}
	p.ID, p.Step, p.Steps, p.Tokens, p.Seconds = r.Subject.ID, r.Step, r.Options.Steps, r.Tokens, r.Spent.Seconds()
	r.Options.Progress(p)
}

// step updates the parameters once.
func (r *Run) step(o Objective) (loss, norm float64) {
	parts := o.Parts(len(r.workers))
	var others sync.WaitGroup
	for i, part := range parts[1:] {
		others.Go(func() { r.workers[i+1].backward(part) })
	}
	r.workers[0].backward(parts[0])
	others.Wait()
	for _, w := range r.workers[:len(parts)] {
		loss += w.loss
	}
	grad := func(p *nn.Param) *tensor.T { return r.gradient(p, len(parts)) }
	norm = r.opt.update(grad, r.Options.Method.RateAt(r.Step, r.Options.Steps))
	return loss, norm
}

// gradient returns the sum over the workers, in their order; nil if none has a gradient.
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
	pass *nn.Pass
	loss float64 // contribution of the part to the loss of the task
}

// backward runs the forward and backward pass of a part.
func (w *worker) backward(part Objective) {
	w.pass.Reset()
	w.loss = 0
	all, own := part.Loss(w.pass)
	if own != nil {
		w.loss = float64(own.Value.Data[0])
	}
	if all != nil {
		w.pass.Tape.Backward(all, tensor.From([]tensor.Elem{1}))
	}
}

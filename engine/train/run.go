package train

import (
	"context"
	"fmt"
	"math"
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
	pass    *nn.Pass
}

// New prepares a run: from the beginning, or from its saved state.
func New(o Options) (*Run, error) {
	m, err := encoder.New(o.Model, o.Seed)
	if err != nil {
		return nil, err
	}
	r := &Run{Options: o, Model: m, opt: newOptimiser(m.Params, o.Recipe), pass: nn.NewPass(ad.NewTape())}
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
	r.pass.Reset()
	l := lossOf(r.Model, r.pass, b)
	loss = float64(l.Value.Data[0])
	r.pass.Tape.Backward(l, tensor.From([]tensor.Elem{1}))
	norm = r.opt.update(r.pass.Grad, r.Options.Recipe.RateAt(r.Step, r.Options.Steps))
	return loss, norm
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

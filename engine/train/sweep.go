package train

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
)

// Sweep chooses the learning rate of a model. It runs the first steps of the training with each of
// several rates, and continues with the rate that has the lowest validation loss. If that rate is
// the lowest or the highest so far, Sweep also tries half or twice that rate, at most mostWider
// times.
type Sweep struct {
	Rates  []float64 // the rates that are tried first
	Steps  int       // number of steps of each trial
	Seed   uint64    // seed of all trials
	Folder string    // holds the states of the trials and the outcome

	mu   sync.Mutex // training runs of the model with other seeds wait for the outcome
	made bool       // by this process
}

// outcome is the name of the file of a finished sweep.
const outcome = "outcome.json"

// Outcome holds the settings of the trials and their results.
type Outcome struct {
	Of     any                `json:"of"`
	Trials []checkpoint.Trial `json:"trials"`
}

// of returns the settings on which the outcome depends.
func (w *Sweep) of(s Session, job Job) any {
	m := job.Options.Method
	m.Rate = 0
	return []any{job.Options.Model, m, job.Options.Steps, max(job.Options.Threads, 1), w.Seed, w.Rates, w.Steps,
		s.Train.Digest(), s.Valid.Digest()}
}

// choose returns the outcome of the sweep for a job, saved or from new trials. It saves a new outcome. See adopt for
// the states of the trials.
func (w *Sweep) choose(ctx context.Context, s Session, job Job) ([]checkpoint.Trial, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var trials []checkpoint.Trial
	if w.made || !job.Options.Anew {
		var err error
		if trials, err = w.read(w.of(s, job)); err != nil || trials != nil {
			return trials, err
		}
	}
	for rates := w.Rates; len(rates) > 0; rates = w.wider(trials) {
		for _, rate := range rates {
			loss, err := w.try(ctx, s, job, rate)
			if err != nil {
				return nil, err
			}
			trials = append(trials, checkpoint.Trial{Rate: rate, Steps: w.Steps, Loss: loss})
		}
	}
	text, err := json.MarshalIndent(Outcome{w.of(s, job), trials}, "", "  ")
	if err != nil {
		return nil, err
	}
	w.made = true
	return trials, Replace(filepath.Join(w.Folder, outcome), func(f io.Writer) error {
		_, err := f.Write(text)
		return err
	})
}

// mostWider is the number of rates that are tried in addition to those that a sweep begins with.
const mostWider = 4

// wider returns the next rate beyond the best one if the best one is the lowest or highest so far; otherwise nil.
func (w *Sweep) wider(trials []checkpoint.Trial) []float64 {
	if len(trials) >= len(w.Rates)+mostWider {
		return nil
	}
	byRate := func(a, b checkpoint.Trial) int { return cmp.Compare(a.Rate, b.Rate) }
	switch rate := best(trials); rate {
	case slices.MinFunc(trials, byRate).Rate:
		return []float64{rate / 2}
	case slices.MaxFunc(trials, byRate).Rate:
		return []float64{rate * 2}
	}
	return nil
}

// mostOutcome is the largest size of an outcome in bytes.
const mostOutcome = 1 << 20

// read returns the outcome of an earlier session, or nil.
func (w *Sweep) read(of any) ([]checkpoint.Trial, error) {
	path := filepath.Join(w.Folder, outcome)
	text, err := disk.Read(path, mostOutcome)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var o Outcome
	if err := json.Unmarshal(text, &o); err != nil || len(o.Trials) == 0 {
		return nil, messages.Errorf("recipe.outcome", "path", path)
	}
	if !alike(o.Of, of) {
		return nil, messages.Errorf("recipe.another", "path", path)
	}
	return o.Trials, nil
}

// try runs the first steps with one rate and returns the validation loss after them.
func (w *Sweep) try(ctx context.Context, s Session, job Job, rate float64) (float64, error) {
	o := job.Options
	o.Method.Rate, o.Seed, o.State, o.Pause, o.Snapshots, o.Progress = rate, w.Seed, w.state(rate), w.Steps,
		true, s.Progress
	r, err := New(o)
	if err != nil {
		return 0, err
	}
	r.tell(Progress{})
	if err := r.Train(ctx, s.Train); err != nil {
		return 0, err
	}
	res, err := r.evaluate(ctx, s.Valid)
	return res.Loss, err
}

func (w *Sweep) state(rate float64) string {
	return filepath.Join(w.Folder, strconv.FormatFloat(rate, 'g', -1, 64)+checkpoint.Extension)
}

// adopt moves the state and the snapshots of the best trial to a training run that has none yet.
func (w *Sweep) adopt(rate float64, o Options) error {
	from := w.state(rate)
	if _, err := os.Stat(o.State); o.Seed != w.Seed || !errors.Is(err, fs.ErrNotExist) && !o.Anew {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(o.State), 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(snapshotFolder(from)); err == nil { // otherwise they were moved before
		if err := errors.Join(os.RemoveAll(snapshotFolder(o.State)),
			os.Rename(snapshotFolder(from), snapshotFolder(o.State))); err != nil {
			return err
		}
	}
	if err := os.Rename(from, o.State); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// best returns the rate with the lowest loss.
func best(trials []checkpoint.Trial) float64 {
	top := trials[0]
	for _, t := range trials {
		if t.Loss < top.Loss {
			top = t
		}
	}
	return top.Rate
}

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

// Sweep chooses the learning rate of a model: the first steps of its training are taken with
// each of several rates, and the one whose validation loss is lowest goes on. While that is the
// lowest or the highest of those tried, half or twice of it is tried, too, at most mostWider times.
type Sweep struct {
	Rates  []float64 // to begin with
	Steps  int       // of each try
	Seed   uint64    // of all tries
	Folder string    // for their states and their outcome

	mu   sync.Mutex // trainings of one model with other seeds wait for the outcome
	made bool       // by this process
}

// outcome is the file of a sweep that is done.
const outcome = "outcome.json"

// Outcome is what it says: of what the tries were, and how they went.
type Outcome struct {
	Of     any                `json:"of"`
	Trials []checkpoint.Trial `json:"trials"`
}

// of is what the outcome depends on.
func (w *Sweep) of(s Session, job Job) any {
	m := job.Options.Method
	m.Rate = 0
	return []any{job.Options.Model, m, job.Options.Steps, max(job.Options.Threads, 1), w.Seed, w.Rates, w.Steps,
		s.Train.Digest(), s.Valid.Digest()}
}

// choose gives the outcome of the sweep for a job; its tries are made if they have not been.
// The state of the best is moved to where the training with the sweep's seed looks for it.
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

// mostWider is how many rates are tried besides those that a sweep begins with.
const mostWider = 4

// wider is the rate beyond the best one where that is at an edge of those tried, or none.
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

// mostOutcome is more bytes than an outcome has.
const mostOutcome = 1 << 20

// read gives the outcome of an earlier session, or nil.
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

// try takes the first steps with one rate and gives the validation loss after them.
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

// adopt moves the state and the snapshots of the best try to a training that has none yet.
func (w *Sweep) adopt(rate float64, o Options) error {
	from := w.state(rate)
	if _, err := os.Stat(o.State); o.Seed != w.Seed || !errors.Is(err, fs.ErrNotExist) && !o.Anew {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(o.State), 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(snapshotFolder(from)); err == nil { // else they are there already
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

// best is the rate of the lowest loss.
func best(trials []checkpoint.Trial) float64 {
	top := trials[0]
	for _, t := range trials {
		if t.Loss < top.Loss {
			top = t
		}
	}
	return top.Rate
}
